/** The source: its builder, and what users give it. */
package dev.weir.connectors.rabbitmq.source;
