/**
 * The way to Weir by AMQP: {@code BrokerLink} keeps a {@code Session} open, {@code JobIntake} takes one job from it, {@code
 * ReportSender} gets every report through.
 */
package dev.weir.pilot.broker;
