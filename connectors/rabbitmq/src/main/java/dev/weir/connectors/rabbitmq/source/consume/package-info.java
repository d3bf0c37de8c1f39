/** Consuming on the broker's side: connection, channels, and what happens to them. */
package dev.weir.connectors.rabbitmq.source.consume;
