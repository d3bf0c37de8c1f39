/** Publishing with confirms over a connection that may break: the window of unconfirmed messages and its replay. */
package dev.weir.connectors.rabbitmq.sink.publish;
