/** DSM over HTTP. Failures are RFC 9457 problem documents. */
package dev.weir.dsm.web;
