/** The RabbitMQ connector compared with RabbitMQ's perf-test. */
package dev.weir.bench.rabbitmq;
