/** The sink: its builder, its two ways to publish, and what it keeps in checkpoints. */
package dev.weir.connectors.rabbitmq.sink;
