package dev.weir.scheduler.rank;

import dev.weir.scheduler.options.RankOptions;

/**
 * A rule for the rank of a task at the end of each of its chunks. Found by name, through {@link java.util.ServiceLoader}. A ranker
 * has no state and may be called from any thread. It answers at once, and equal arguments give equal answers, because events are applied
 * again after a failure. If it throws or returns no finite number, the task keeps its rank. How to add a ranker: docs/OPERATIONS.md.
 */
public interface Ranker {

    /** The name by which tasks and options choose it. */
    String name();

    /**
     * The new rank, any finite number; the caller keeps it within 0 to 1000.
     *
     * @param base the rank that WFMS gave
     * @param rank the present rank
     * @param age x: the time since the task's last released job over the horizon, 0 to 1
     * @param retryShare y: the share of retries among the chunk's releases, 0 to 1
     */
    double next(double base, double rank, double age, double retryShare, RankOptions options);
}
