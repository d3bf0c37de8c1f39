package dev.weir.queues.model;

import java.util.Arrays;

/** Numbers of items that something is still to be done with. A million of them take eight megabytes. */
final class Numbers {

    private static final int LEAST = 16;

    private long[] numbers = {};
    private int from;
    private int to;

    void add(long number) {
        if (to == numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(LEAST, to + (to >> 1)));
        }
        numbers[to++] = number;
    }

    boolean isEmpty() {
        return from == to;
    }

    /** Removes and returns one; only when it is not empty. */
    long poll() {
        long number = numbers[from++];
        if (from == to) {
            numbers = new long[0];
            from = 0;
            to = 0;
        }
        return number;
    }
}
