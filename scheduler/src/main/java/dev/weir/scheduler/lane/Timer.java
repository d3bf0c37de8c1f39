package dev.weir.scheduler.lane;

/** Something that is due at a time. Lives in one {@link TimerHeap}. */
final class Timer {

    /** What to do then. */
    final Runnable action;

    /** When it is due; for its place in the heap an earlier time may still stand, {@link #placedAt}. */
    long at = Long.MAX_VALUE;

    long placedAt;
    long order;
    int slot = -1;

    Timer(Runnable action) {
        this.action = action;
    }

    boolean isSet() {
        return slot >= 0;
    }
}
