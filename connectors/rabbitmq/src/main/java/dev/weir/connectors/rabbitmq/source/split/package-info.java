/** A queue as a split, and what is kept of it in checkpoints. */
package dev.weir.connectors.rabbitmq.source.split;
