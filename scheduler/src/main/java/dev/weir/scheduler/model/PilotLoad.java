package dev.weir.scheduler.model;

import java.util.List;

/**
 * What one pilot has started and not ended, and in which pools it counts as able to take work. In other pools its job is out all
 * the same and must not take the place of a job for the pilots that count: see {@link Pool#leaving}.
 */
public final class PilotLoad {

    /** Jobs, by {@link Pool#index}. */
    private final int[] started;

    private int jobs;
    private List<Pool> countedIn = List.of();

    public PilotLoad(int pools) {
        started = new int[pools];
    }

    public boolean isNone() {
        return jobs == 0;
    }

    public List<Pool> countedIn() {
        return countedIn;
    }

    /** Whether it has a job of the pool and may not take another. */
    public boolean leaves(Pool pool) {
        return started[pool.index] > 0 && !countedIn.contains(pool);
    }

    /** It has started a job of the pool (1), or one is over (-1). */
    public void add(Pool pool, int more) {
        pool.leaving -= leaves(pool) ? 1 : 0;
        countIdle(-1);
        jobs += more;
        started[pool.index] += more;
        if (started[pool.index] < 0) {
            throw new IllegalStateException("a pilot ends a job of pool " + pool.name + " that it did not start");
        }
        countIdle(1);
        pool.leaving += leaves(pool) ? 1 : 0;
    }

    /** Where it counts, if it has no job. */
    private void countIdle(int more) {
        if (isNone()) {
            for (Pool pool : countedIn) {
                pool.idle += more;
            }
        }
    }

    /** It has started a job of this pool, so it found the queues of the pools that it prefers empty. */
    public void foundEmpty(Pool taken, long nowMillis) {
        int place = countedIn.indexOf(taken);
        for (int i = 0; i < place; i++) {
            countedIn.get(i).foundEmptyAt = nowMillis;
        }
    }

    /** Where it may take work from now on. */
    public void countIn(List<Pool> pools, Iterable<Pool> all) {
        for (Pool pool : all) {
            pool.leaving -= leaves(pool) ? 1 : 0;
        }
        countIdle(-1);
        countedIn = pools;
        countIdle(1);
        for (Pool pool : all) {
            pool.leaving += leaves(pool) ? 1 : 0;
        }
    }
}
