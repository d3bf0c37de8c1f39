package dev.weir.scheduler.lane;

import java.util.Arrays;

/**
 * Timers by time, then by the order in which they were set. Setting and clearing cost O(log n), but setting to a later time, which
 * every renewed lease does, O(1): the timer is moved when its earlier time comes.
 */
final class TimerHeap {

    private Timer[] timers = new Timer[64];
    private int size;
    private long orders;

    /** When the next timer may be due, {@link Long#MAX_VALUE} when none is set. Never too late; too early after a timer was moved. */
    long nextAt() {
        return size == 0 ? Long.MAX_VALUE : timers[0].placedAt;
    }

    /** Removes and returns the first timer that is due; null when none is. */
    Timer pollDue(long now) {
        while (size > 0 && timers[0].placedAt <= now) {
            Timer first = timers[0];
            if (first.at == first.placedAt) {
                clear(first);
                return first;
            }
            first.placedAt = first.at;
            down(first);
        }
        return null;
    }

    void set(Timer timer, long at) {
        timer.at = at;
        if (timer.slot >= 0 && at > timer.placedAt) {
            return;
        }
        timer.placedAt = at;
        timer.order = orders++;
        if (timer.slot < 0) {
            if (size == timers.length) {
                timers = Arrays.copyOf(timers, size * 2);
            }
            timer.slot = size;
            timers[size++] = timer;
        }
        down(up(timer));
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
            place(last, hole);
            down(up(last));
        }
    }

    private Timer up(Timer timer) {
        int at = timer.slot;
        while (at > 0 && before(timer, timers[at - 1 >>> 1])) {
            place(timers[at - 1 >>> 1], at);
            at = at - 1 >>> 1;
        }
        place(timer, at);
        return timer;
    }

    private void down(Timer timer) {
        int at = timer.slot;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && before(timers[child + 1], timers[child])) {
                child++;
            }
            if (!before(timers[child], timer)) {
                break;
            }
            place(timers[child], at);
            at = child;
        }
        place(timer, at);
    }

    private void place(Timer timer, int at) {
        timers[at] = timer;
        timer.slot = at;
    }

    private static boolean before(Timer a, Timer b) {
        return a.placedAt != b.placedAt ? a.placedAt < b.placedAt : a.order < b.order;
    }
}
