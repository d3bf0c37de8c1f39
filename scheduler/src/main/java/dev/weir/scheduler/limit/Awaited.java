package dev.weir.scheduler.limit;

/** Who waits for a group first and keeps places in others meanwhile: one at a time, so that these stay empty shortly. */
final class Awaited {

    private final Candidates candidates = new Candidates();
    /** Null for nobody. */
    private Group.Waiter by;

    Group.Waiter by() {
        return by;
    }

    void by(Group.Waiter waiter) {
        by = waiter;
    }

    Candidates candidates() {
        return candidates;
    }

    /** Nobody can start here for now: what is kept elsewhere meanwhile is given back, and nobody asks for it. */
    void close(long nowMillis) {
        candidates.giveBack(nowMillis);
        if (by != null) {
            by.giveBack(nowMillis);
        }
    }

    boolean mayBegin(Group.Waiter waiter, long nowMillis) {
        return by == waiter || by == null && !candidates.hasBefore(waiter, nowMillis);
    }
}
