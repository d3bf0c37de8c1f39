package dev.weir.scheduler.lane;

import java.util.List;

/**
 * What one pilot has started and not ended, and in which pools it counts as one that may take work. Where it does not, its job is out all the
 * same, and must not take the place of one for those that do: it is counted in {@link PoolEntry#leaving}. A pilot runs one job at a time, so that
 * one which says that it starts ever more does not widen the window.
 */
final class Work {

    /** Jobs, by {@link PoolEntry#index}. */
    private final int[] started;

    private int jobs;
    private List<PoolEntry> countedIn = List.of();

    Work(int pools) {
        started = new int[pools];
    }

    boolean isNone() {
        return jobs == 0;
    }

    List<PoolEntry> countedIn() {
        return countedIn;
    }

    /** Whether it has a job of the pool and may not take another. */
    boolean leaves(PoolEntry pool) {
        return started[pool.index] > 0 && !countedIn.contains(pool);
    }

    /** It has started a job of the pool, or one more is over. */
    void add(PoolEntry pool, int more) {
        pool.leaving -= leaves(pool) ? 1 : 0;
        countIdle(-1);
        jobs += more;
        started[pool.index] += more;
        countIdle(1);
        pool.leaving += leaves(pool) ? 1 : 0;
    }

    /** Where it counts, if it has no job. */
    private void countIdle(int more) {
        if (isNone()) {
            for (PoolEntry pool : countedIn) {
                pool.idle += more;
            }
        }
    }

    /** It has started a job of this pool, so it found the queues of those empty that it prefers. */
    void passedOver(PoolEntry taken, long nowMillis) {
        int place = countedIn.indexOf(taken);
        for (int i = 0; i < place; i++) {
            countedIn.get(i).passedAt = nowMillis;
        }
    }

    /** Where it may take work from now on. */
    void countedIn(List<PoolEntry> pools, Iterable<PoolEntry> all) {
        for (PoolEntry pool : all) {
            pool.leaving -= leaves(pool) ? 1 : 0;
        }
        countIdle(-1);
        countedIn = pools;
        countIdle(1);
        for (PoolEntry pool : all) {
            pool.leaving += leaves(pool) ? 1 : 0;
        }
    }
}
