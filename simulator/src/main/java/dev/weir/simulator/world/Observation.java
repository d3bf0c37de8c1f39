package dev.weir.simulator.world;

/**
 * How a pool is used, since the start of a run.
 *
 * @param atMillis after the start
 * @param busyMillis slot time in which a pilot had a job
 * @param aliveMillis slot time in which there was a pilot
 * @param queued jobs in the pool's queue now
 * @param window how many jobs the core lets out now
 */
public record Observation(long atMillis, long busyMillis, long aliveMillis, int queued, long window) {}
