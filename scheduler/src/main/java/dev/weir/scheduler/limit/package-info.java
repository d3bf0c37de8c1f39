/** Limit groups: how many jobs of a host, network or service may be out or start, and who waits for them. */
package dev.weir.scheduler.limit;
