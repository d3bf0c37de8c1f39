package dev.weir.simulator.world;

import java.util.PriorityQueue;

/** The clock of a run and what is to happen on it. Things of the same millisecond happen in the order they were asked for. */
public final class VirtualTime {

    private static final class Entry implements Comparable<Entry> {
        final long millis;
        final long order;
        final Runnable action;

        Entry(long millis, long order, Runnable action) {
            this.millis = millis;
            this.order = order;
            this.action = action;
        }

        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(millis, other.millis);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(256);
    private long now;
    private long orders;

    public VirtualTime(long startMillis) {
        now = startMillis;
    }

    /** Milliseconds since 1970. */
    public long now() {
        return now;
    }

    public void after(long millis, Runnable action) {
        at(now + millis, action);
    }

    /** A time that is past means now. */
    public void at(long millis, Runnable action) {
        entries.add(new Entry(Math.max(millis, now), orders++, action));
    }

    /** Moves to the next thing and does it. False when there is none. */
    public boolean step() {
        Entry next = entries.poll();
        if (next == null) {
            return false;
        }
        now = next.millis;
        next.action.run();
        return true;
    }
}
