/** Load on the gateway. */
package dev.weir.bench.gateway;
