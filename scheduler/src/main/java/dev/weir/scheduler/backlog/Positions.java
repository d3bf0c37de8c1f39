package dev.weir.scheduler.backlog;

import dev.weir.protocol.Order;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * Waiting positions, four or eight bytes each, in the order of their task: first in first out, at random (swap with the last), or by
 * priority (a heap; first in first out among equals). This is the base of {@link Bucket} and not an object of its own, because with a
 * million buckets each further object costs another memory access.
 */
abstract class Positions {

    private static final int INITIAL = 2;
    private static final int[] NONE = {};
    private static final long[] NO_HEAP = {};

    private final Order order;
    /** FIFO: a ring from head. Random: 0 to size. Empty until the second position, because most of a million groups have one file. */
    private int[] plain = NONE;

    private int single;
    /** Priority: a heap of {@code priority << 32 | position}. */
    private long[] heap = NO_HEAP;

    private int head;
    private int size;

    Positions(Order order) {
        this.order = order;
    }

    void add(int position, int priority) {
        if (order == Order.PRIORITY) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, grown(size));
            }
            long value = (long) priority << 32 | position;
            int at = size++;
            while (at > 0 && heap[at - 1 >>> 1] > value) {
                heap[at] = heap[at - 1 >>> 1];
                at = at - 1 >>> 1;
            }
            heap[at] = value;
            return;
        }
        if (plain.length == 0) {
            if (size == 0) {
                single = position;
                size = 1;
                return;
            }
            plain = new int[INITIAL];
            plain[0] = single;
        } else if (size == plain.length) {
            int[] larger = new int[grown(size)];
            int tail = plain.length - head;
            System.arraycopy(plain, head, larger, 0, tail);
            System.arraycopy(plain, 0, larger, tail, head);
            plain = larger;
            head = 0;
        }
        int at = head + size++;
        plain[at >= plain.length ? at - plain.length : at] = position;
    }

    private static int grown(int size) {
        return Math.max(INITIAL, size + (size >> 1));
    }

    /** The best waiting {@code priority << 32 | position}; for priority order. */
    long best() {
        return size == 0 ? Long.MAX_VALUE : heap[0];
    }

    /** Removes and returns the next position; must not be empty. */
    int poll(Dice dice) {
        switch (order) {
            case PRIORITY -> {
                return pollBest();
            }
            case RANDOM -> {
                int at = dice.below(size);
                if (plain.length == 0) {
                    size = 0;
                    return single;
                }
                int position = plain[at];
                plain[at] = plain[--size];
                return position;
            }
            default -> {
                if (plain.length == 0) {
                    size = 0;
                    return single;
                }
                int position = plain[head];
                head = head + 1 == plain.length ? 0 : head + 1;
                size--;
                return position;
            }
        }
    }

    /** Number of entries; in priority order this includes old priorities of a position and adopted positions. */
    int positions() {
        return size;
    }

    /**
     * For priority order: replaces each {@code priority << 32 | position} by its present value, and drops negative values (their files no
     * longer wait) and duplicates.
     */
    void putRight(LongUnaryOperator now) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            long value = now.applyAsLong(heap[i]);
            if (value >= 0) {
                heap[kept++] = value;
            }
        }
        // A sorted array is a heap.
        Arrays.sort(heap, 0, kept);
        size = 0;
        for (int i = 0; i < kept; i++) {
            if (size == 0 || heap[size - 1] != heap[i]) {
                heap[size++] = heap[i];
            }
        }
    }

    int bestPosition() {
        return (int) heap[0];
    }

    int bestPriority() {
        return (int) (heap[0] >>> 32);
    }

    /** For priority order: removes and returns the first entry; must not be empty. */
    int pollBest() {
        int position = (int) heap[0];
        long last = heap[--size];
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && heap[child + 1] < heap[child]) {
                child++;
            }
            if (heap[child] >= last) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = last;
        return position;
    }
}
