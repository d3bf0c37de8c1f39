package dev.weir.engine.limit;

/**
 * The one place that a group may keep empty, for a pool or for a waiter. After a reservation that lasted d the group makes none for
 * 4 × d, so it is without that place for at most a fifth of the time.
 */
final class Reservation {

    /** Milliseconds; a reservation lasts at least this long, unless it is used or given back. */
    static final long SHORTEST_MILLIS = 1_000;

    private static final int REST_FACTOR = 4;

    /** A {@link PoolQueue} or a {@link Waiter}; null while there is no reservation. */
    private Object holder;

    private long since;
    private long until = Long.MAX_VALUE;
    private long restsUntil = Long.MIN_VALUE;
    /** Of the refused waiters, the one that has waited longest; null for none. */
    private Waiter refused;

    private long refusedUntil;

    /** Null while there is no reservation. */
    Object holder() {
        return holder;
    }

    /** When the reservation began, in epoch milliseconds. */
    long since() {
        return since;
    }

    /** Epoch milliseconds; {@link Long#MAX_VALUE} while there is no reservation. */
    long until() {
        return until;
    }

    private boolean mayBegin(long nowMillis) {
        return holder == null && nowMillis >= restsUntil;
    }

    /** Reserves the place for a pool, if the rules allow it now. */
    void ask(PoolQueue queue, long nowMillis) {
        if (mayBegin(nowMillis)) {
            begin(queue, queue.waitsSince(), nowMillis);
        }
    }

    /**
     * Reserves the place for a waiter, if the rules allow it now. The waiter may take over the reservation of its pool. A refused waiter
     * goes before waiters that have waited less.
     */
    boolean ask(Waiter waiter, PoolQueue ofItsPool, long nowMillis) {
        boolean late = refused != null && refused.isOlderThan(waiter) && nowMillis < refusedUntil && refused.isLive();
        if (late) {
            return false;
        }
        if (holder == ofItsPool || mayBegin(nowMillis)) {
            refused = null;
            begin(waiter, waiter.since(), nowMillis);
            return true;
        }
        refused = waiter;
        refusedUntil = end(waiter.since(), nowMillis);
        return false;
    }

    private void begin(Object newHolder, long waitsSince, long nowMillis) {
        since = holder == null ? nowMillis : since;
        holder = newHolder;
        until = end(waitsSince, nowMillis);
    }

    private static long end(long waitsSince, long nowMillis) {
        return nowMillis + Math.max(SHORTEST_MILLIS, nowMillis - waitsSince);
    }

    /** Ends the reservation. The pause after it is never empty, so a group makes at most one reservation in a millisecond. */
    void end(long nowMillis) {
        if (holder == null) {
            throw new IllegalStateException("a reservation ends before it has begun");
        }
        restsUntil = nowMillis + REST_FACTOR * (nowMillis - since) + 1;
        holder = null;
        until = Long.MAX_VALUE;
    }
}
