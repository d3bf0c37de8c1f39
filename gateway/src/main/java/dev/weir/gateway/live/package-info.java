/** Follows the mirror for all clients together: what has changed, how fast jobs end, and how long the rest will take. */
package dev.weir.gateway.live;
