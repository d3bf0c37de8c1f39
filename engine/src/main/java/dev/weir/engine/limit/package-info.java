/** Limit groups: how many jobs of a host, network or service may be in flight or start, and the files that wait for them. */
package dev.weir.engine.limit;
