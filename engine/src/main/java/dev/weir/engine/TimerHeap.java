package dev.weir.engine;

import java.util.Arrays;

/**
 * Timers by time, then by the order in which they were set. Setting costs O(log n), but setting to a later time, which every renewed
 * lease does, O(1): the timer is moved when its earlier time comes. Clearing, which every job that ends does twice, costs O(1) as well:
 * the timer stays until it comes first, or until half of all are such. What is compared lies in arrays of its own, because a
 * walk through thousands of timers would wait for memory at each.
 */
public final class TimerHeap {

    private static final int INITIAL = 64;

    private Timer[] timers = new Timer[INITIAL];
    /** Under which time each stands here; that of the timer itself may be later. */
    private long[] times = new long[INITIAL];

    private long[] orders = new long[INITIAL];
    private int size;
    /** How many of them were cleared. */
    private int cleared;

    private long nextOrder;

    /** When the next timer may be due, {@link Long#MAX_VALUE} when none is set. Never too late; too early after a timer was set later. */
    public long nextAt() {
        while (size > 0 && !timers[0].isSet()) {
            removeFirst();
            cleared--;
        }
        return size == 0 ? Long.MAX_VALUE : times[0];
    }

    /** Removes and returns the first timer that is due; null when none is. */
    public Timer pollDue(long now) {
        return pollDue(now, Long.MAX_VALUE);
    }

    /** The number to give to {@link #pollDue(long, long)}: timers that are set from now on wait for the next tick. */
    public long beginTick() {
        return nextOrder;
    }

    /** Removes and returns the first timer that is due and was set before a tick began; null when none is. */
    public Timer pollDue(long now, long tick) {
        while (nextAt() <= now && size > 0 && orders[0] < tick) {
            Timer first = timers[0];
            if (first.at == times[0]) {
                first.set = false;
                removeFirst();
                return first;
            }
            settle(0, first, first.at, orders[0]);
        }
        return null;
    }

    /** Number of timers in the heap, including cleared ones. */
    int size() {
        return size;
    }

    public void set(Timer timer, long at) {
        int hole = timer.slot;
        if (hole >= 0 && !timer.isSet()) {
            cleared--;
        }
        timer.set = true;
        timer.at = at;
        if (hole >= 0 && at > times[hole]) {
            return;
        }
        if (hole < 0) {
            if (size == timers.length) {
                timers = Arrays.copyOf(timers, size * 2);
                times = Arrays.copyOf(times, size * 2);
                orders = Arrays.copyOf(orders, size * 2);
            }
            hole = size++;
        }
        settle(hole, timer, at, nextOrder++);
    }

    public void clear(Timer timer) {
        if (timer.isSet()) {
            timer.set = false;
            if (++cleared > size / 2 && size > INITIAL) {
                sweep();
            }
        }
    }

    private void removeFirst() {
        timers[0].slot = -1;
        Timer last = timers[--size];
        timers[size] = null;
        if (size > 0) {
            sink(0, last, times[size], orders[size]);
        }
    }

    /** Takes out all that were cleared, so that they keep no memory. */
    private void sweep() {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (timers[i].isSet()) {
                move(i, kept++);
            } else {
                timers[i].slot = -1;
            }
        }
        Arrays.fill(timers, kept, size, null);
        size = kept;
        cleared = 0;
        for (int i = size / 2 - 1; i >= 0; i--) {
            sink(i, timers[i], times[i], orders[i]);
        }
    }

    /** Puts a timer where it belongs, seen from a place that is free or its own. */
    private void settle(int hole, Timer timer, long time, long order) {
        int at = hole;
        while (at > 0 && isBefore(time, order, at - 1 >>> 1)) {
            move(at - 1 >>> 1, at);
            at = at - 1 >>> 1;
        }
        if (at == hole) {
            sink(hole, timer, time, order);
        } else {
            place(at, timer, time, order);
        }
    }

    /** As {@link #settle}, when it is known that it belongs no nearer to the first. */
    private void sink(int hole, Timer timer, long time, long order) {
        int at = hole;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && isBefore(times[child + 1], orders[child + 1], child)) {
                child++;
            }
            if (isBefore(time, order, child)) {
                break;
            }
            move(child, at);
            at = child;
        }
        place(at, timer, time, order);
    }

    private void place(int at, Timer timer, long time, long order) {
        timers[at] = timer;
        times[at] = time;
        orders[at] = order;
        timer.slot = at;
    }

    private void move(int from, int to) {
        place(to, timers[from], times[from], orders[from]);
    }

    private boolean isBefore(long time, long order, int other) {
        return time != times[other] ? time < times[other] : order < orders[other];
    }
}
