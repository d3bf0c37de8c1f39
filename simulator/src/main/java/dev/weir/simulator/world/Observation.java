package dev.weir.simulator.world;

/**
 * How a pool is used, since the start of a run.
 *
 * @param atMillis after the start
 * @param busyMillis slot time in which a pilot had a job
 * @param ableMillis slot time in which there was a pilot that had a job or might take one
 * @param queued jobs in the pool's queue now
 * @param window how many jobs the core lets out now
 */
public record Observation(long atMillis, long busyMillis, long ableMillis, int queued, long window) {}
