package dev.weir.scheduler.limit;

/**
 * The place of a group that is kept for one who waits for another group as well, or for a pool that has no room and was passed over. There is
 * one at a time, and after each the group keeps none for as long again: whoever is in this group alone, of a pool with room, loses no
 * more than half of one place, however many there are for whom places are kept, and however long they must wait. Only while it rests from
 * pools it may keep one for who waits for another group, since pools alone could use up all of its time: then it is three quarters.
 */
public final class KeptPlace {

    /** A place is kept for as long as its holder has waited, but not shorter than this. */
    public static final long SHORTEST_MILLIS = 1_000;

    /** For a pool not longer than this, or a place would be empty for as long as the jobs of a pool that has room once a day. */
    public static final long LONGEST_OF_POOL_MILLIS = 300_000;

    private final Candidates candidates = new Candidates();
    /** Null while none is kept. */
    private Claimant holder;

    private long since;
    private long until = Long.MAX_VALUE;
    private long restsUntil = Long.MIN_VALUE;
    private long restsFromPoolsUntil = Long.MIN_VALUE;
    /** What the number of starts looked like when the last one began; see {@link #mayBegin}. */
    private long begunAt;

    private boolean begun;

    boolean isFree() {
        return holder == null;
    }

    boolean isFor(Claimant waiter) {
        return holder != null && holder == waiter;
    }

    /** Not while none is kept. */
    boolean isForPool() {
        return holder.isPool();
    }

    /** {@link Long#MAX_VALUE} while none is kept. */
    long until() {
        return until;
    }

    /** Gives it up because its time is over. */
    void lapse(long nowMillis) {
        if (until <= nowMillis) {
            holder.giveBack(nowMillis);
        }
    }

    /**
     * Whether one may be kept for one now.
     *
     * @param from whose place it may have: that of its pool. One goes over so once at most, since it does not go back; null for nobody
     * @param starts changes at each start: between two of them each group keeps a place once, so that those who give way to each
     *     other come to an end
     */
    boolean mayBegin(Claimant waiter, Claimant from, long starts, long nowMillis) {
        boolean isFree = holder == null && !rests(waiter, nowMillis) && !(begun && begunAt == starts);
        return (isFree || holder != null && holder == from) && !candidates.hasBefore(waiter, nowMillis);
    }

    /** Whether it keeps none for such a one now. */
    boolean rests(Claimant waiter, long nowMillis) {
        return nowMillis < restsUntil || waiter.isPool() && nowMillis < restsFromPoolsUntil;
    }

    Candidates candidates() {
        return candidates;
    }

    void begin(Claimant waiter, long starts, long nowMillis, long untilMillis) {
        since = holder == null ? nowMillis : since;
        holder = waiter;
        until = untilMillis;
        begunAt = starts;
        begun = true;
    }

    /**
     * For as long again it rests; from pools up to a quarter longer, not always the same: where all jobs last equally long the ends of a busy one
     * could else fall into each rest.
     */
    void end(long nowMillis) {
        long kept = nowMillis - since;
        if (holder.isPool()) {
            restsFromPoolsUntil = nowMillis + kept + kept * (KeyTable.spread(begunAt) & 255) / 1024;
        } else {
            restsUntil = nowMillis + kept;
        }
        holder = null;
        until = Long.MAX_VALUE;
    }
}
