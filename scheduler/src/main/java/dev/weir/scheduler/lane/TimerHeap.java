package dev.weir.scheduler.lane;

import java.util.Arrays;

/**
 * Timers by time, then by the order in which they were set. Setting and clearing cost O(log n), but setting to a later time, which
 * every renewed lease does, O(1): the timer is moved when its earlier time comes. What is compared lies in arrays of its own,
 * because a walk through thousands of timers would wait for memory at each.
 */
final class TimerHeap {

    private static final int INITIAL = 64;

    private Timer[] timers = new Timer[INITIAL];
    /** Under which time each stands here; that of the timer itself may be later. */
    private long[] times = new long[INITIAL];

    private long[] orders = new long[INITIAL];
    private int size;
    private long nextOrder;

    /** When the next timer may be due, {@link Long#MAX_VALUE} when none is set. Never too late; too early after a timer was set later. */
    long nextAt() {
        return size == 0 ? Long.MAX_VALUE : times[0];
    }

    /** Removes and returns the first timer that is due; null when none is. */
    Timer pollDue(long now) {
        while (size > 0 && times[0] <= now) {
            Timer first = timers[0];
            if (first.at == times[0]) {
                clear(first);
                return first;
            }
            settle(0, first, first.at, orders[0]);
        }
        return null;
    }

    void set(Timer timer, long at) {
        timer.at = at;
        int hole = timer.slot;
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

    void clear(Timer timer) {
        if (timer.slot < 0) {
            return;
        }
        int hole = timer.slot;
        timer.slot = -1;
        Timer last = timers[--size];
        timers[size] = null;
        if (last != timer) {
            settle(hole, last, times[size], orders[size]);
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
        }
        timers[at] = timer;
        times[at] = time;
        orders[at] = order;
        timer.slot = at;
    }

    private void move(int from, int to) {
        Timer timer = timers[from];
        timers[to] = timer;
        times[to] = times[from];
        orders[to] = orders[from];
        timer.slot = to;
    }

    private boolean isBefore(long time, long order, int other) {
        return time != times[other] ? time < times[other] : order < orders[other];
    }
}
