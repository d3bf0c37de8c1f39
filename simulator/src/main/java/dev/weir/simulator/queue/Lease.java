package dev.weir.simulator.queue;

/**
 * A lease that a worker was given.
 *
 * @param number of its item
 * @param start the run of Weir that gave it
 * @param name tells it from other leases of its item
 */
record Lease(String token, String queue, String key, long number, String start, String name) {}
