/** Which reader consumes which queue. */
package dev.weir.connectors.rabbitmq.source.enumerator;
