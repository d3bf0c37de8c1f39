package dev.weir.placement;

import dev.weir.placement.replication.Replication;

/**
 * One pass over a set of workers.
 *
 * @param replication how many replicas each chunk wanted
 * @param unplaced how many virtual chunks above the minimum found no worker with room
 */
public record Pass(Replication replication, long unplaced) {}
