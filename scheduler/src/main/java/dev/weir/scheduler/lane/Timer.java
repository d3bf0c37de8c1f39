package dev.weir.scheduler.lane;

/** Something that is due at a time. Lives in one {@link TimerHeap}. */
final class Timer {

    /** What to do then. */
    final Runnable action;

    long at = Long.MAX_VALUE;
    boolean set;
    /** Where its heap has it, set or not; -1 when it is not there. */
    int slot = -1;

    Timer(Runnable action) {
        this.action = action;
    }

    boolean isSet() {
        return set;
    }
}
