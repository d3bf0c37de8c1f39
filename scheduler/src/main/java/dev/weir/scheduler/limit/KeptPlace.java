package dev.weir.scheduler.limit;

/**
 * The place of a group that is kept for one who waits for another group as well. There is one at a time, and after each the group keeps
 * none for as long again: whoever is in this group alone loses no more than half of one place, however many there are that are in
 * two, and however long they must wait for the other.
 */
final class KeptPlace {

    private final Candidates candidates = new Candidates();
    /** Null while none is kept. */
    private Group.Waiter holder;

    private long since;
    private long until = Long.MAX_VALUE;
    private long restsUntil = Long.MIN_VALUE;
    /** What the number of starts looked like when the last one began; see {@link #mayBegin}. */
    private long begunAt;

    private boolean begun;

    boolean isFree() {
        return holder == null;
    }

    boolean isFor(Group.Waiter waiter) {
        return holder != null && holder == waiter;
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
     * @param starts changes at each start: between two of them each group keeps a place once, so that those who give way to each
     *     other come to an end
     */
    boolean mayBegin(Group.Waiter waiter, long starts, long nowMillis) {
        return holder == null
                && nowMillis >= restsUntil
                && !(begun && begunAt == starts)
                && !candidates.hasBefore(waiter, nowMillis);
    }

    Candidates candidates() {
        return candidates;
    }

    void begin(Group.Waiter waiter, long starts, long nowMillis, long untilMillis) {
        holder = waiter;
        since = nowMillis;
        until = untilMillis;
        begunAt = starts;
        begun = true;
    }

    void end(long nowMillis) {
        restsUntil = nowMillis + (nowMillis - since);
        holder = null;
        until = Long.MAX_VALUE;
    }
}
