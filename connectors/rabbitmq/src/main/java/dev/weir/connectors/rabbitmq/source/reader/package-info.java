/** Reading on the task's side: emitting, recognising redeliveries, binding to checkpoints. */
package dev.weir.connectors.rabbitmq.source.reader;
