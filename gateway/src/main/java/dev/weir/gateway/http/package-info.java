/** The operations of the contract over HTTP. Failures are RFC 9457 problem documents. */
package dev.weir.gateway.http;
