/** HTTPS: a certificate and its key from PEM files, read again when they change. */
package dev.weir.gateway.tls;
