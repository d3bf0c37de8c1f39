/** How a gateway is started. */
package dev.weir.gateway.options;
