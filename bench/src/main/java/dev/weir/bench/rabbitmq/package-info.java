/** The RabbitMQ connector against RabbitMQ's own perf-test. */
package dev.weir.bench.rabbitmq;
