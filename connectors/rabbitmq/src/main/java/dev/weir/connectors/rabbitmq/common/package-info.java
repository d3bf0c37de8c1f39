/** What source and sink share: the way to the broker, credentials, TLS, topology and back-off. */
package dev.weir.connectors.rabbitmq.common;
