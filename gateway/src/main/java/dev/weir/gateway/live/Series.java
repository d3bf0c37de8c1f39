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

    /** Nothing is counted before this step. */
    Series(int step) {
        append(step - 1, 0, 0);
    }

    static int step(long millis) {
        return Math.toIntExact(Math.floorDiv(millis, STEP_SECONDS * 1000L));
    }

    /** At a step that is not before the last one. */
    void add(int step, long moreEnded, long moreFailed) {
        int last = size - 1;
        if (steps[last] >= step) {
            ended[last] += moreEnded;
            failed[last] += moreFailed;
        } else {
            append(step, ended[last] + moreEnded, failed[last] + moreFailed);
        }
    }

    /** The first of those that are kept. */
    int firstStep() {
        return steps[0] + 1;
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
