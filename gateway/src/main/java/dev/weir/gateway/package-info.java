/**
 * The gateway: Weir over HTTP for programs and people. {@code Gateway} starts it; {@code openapi.yaml} is its contract. It reads the mirror in
 * PostgreSQL, sends tasks and commands to RabbitMQ and hears their outcomes there. It keeps no state that another gateway would need.
 */
package dev.weir.gateway;
