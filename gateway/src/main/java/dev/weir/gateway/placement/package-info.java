/** What {@code ./weir place} has written last: how full each worker is. */
package dev.weir.gateway.placement;
