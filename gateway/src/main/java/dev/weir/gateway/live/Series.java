package dev.weir.gateway.live;

import java.util.Arrays;

/** Two counts that only grow, by steps of ten seconds, for six hours. A step at which nothing grew takes no memory. Not safe for use from many threads. */
final class Series {

    static final int STEP_SECONDS = 10;
    static final int KEPT_STEPS = 6 * 3600 / STEP_SECONDS;
    private static final int FIRST_CAPACITY = 8;

    private int[] steps = new int[FIRST_CAPACITY];
    private long[] ended = new long[FIRST_CAPACITY];
    private long[] failed = new long[FIRST_CAPACITY];
    private int size;

    /** The counts before this step. */
    Series(int step, long nowEnded, long nowFailed) {
        append(step - 1, nowEnded, nowFailed);
    }

    static int step(long millis) {
        return Math.toIntExact(Math.floorDiv(millis, STEP_SECONDS * 1000L));
    }

    /** The counts at a step that is not before the last one. A count that went back, as after a restore, counts as unchanged. */
    void put(int step, long nowEnded, long nowFailed) {
        int last = size - 1;
        long newEnded = Math.max(nowEnded, ended[last]);
        long newFailed = Math.max(nowFailed, failed[last]);
        if (newEnded == ended[last] && newFailed == failed[last]) {
            return;
        }
        if (steps[last] >= step) {
            ended[last] = newEnded;
            failed[last] = newFailed;
        } else {
            append(step, newEnded, newFailed);
        }
    }

    void add(int step, long moreEnded, long moreFailed) {
        put(step, ended[size - 1] + moreEnded, failed[size - 1] + moreFailed);
    }

    private void append(int step, long nowEnded, long nowFailed) {
        if (size == steps.length) {
            makeRoom(step - KEPT_STEPS);
        }
        steps[size] = step;
        ended[size] = nowEnded;
        failed[size] = nowFailed;
        size++;
    }

    private void makeRoom(int oldest) {
        int drop = Math.max(0, index(oldest));
        if (drop > size / 2) {
            size -= drop;
            System.arraycopy(steps, drop, steps, 0, size);
            System.arraycopy(ended, drop, ended, 0, size);
            System.arraycopy(failed, drop, failed, 0, size);
        } else {
            int capacity = steps.length * 2;
            steps = Arrays.copyOf(steps, capacity);
            ended = Arrays.copyOf(ended, capacity);
            failed = Arrays.copyOf(failed, capacity);
        }
    }

    /** The last entry at or before a step; -1 for none. */
    private int index(int step) {
        int found = Arrays.binarySearch(steps, 0, size, step);
        return found >= 0 ? found : -found - 2;
    }

    /** How many ended after one step, until the end of the other. */
    long ended(int after, int until) {
        return ended[Math.max(0, index(until))] - ended[Math.max(0, index(after))];
    }

    long failed(int after, int until) {
        return failed[Math.max(0, index(until))] - failed[Math.max(0, index(after))];
    }
}
