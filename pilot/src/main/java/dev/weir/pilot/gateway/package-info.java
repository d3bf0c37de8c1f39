/**
 * The way to Weir by HTTP, through the gateway: {@code GatewayUplink} asks for jobs and notices, {@code ReportPoster} gets every report
 * through.
 */
package dev.weir.pilot.gateway;
