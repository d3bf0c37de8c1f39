package dev.weir.engine.limit;

import java.util.ArrayList;
import java.util.List;

/**
 * Files that have found one of their groups full, until they start or are gone. A waiter is in the queue of a group, or has a grant, or
 * has lost its grant. {@link Group} lists the rules. Not safe for use by several threads.
 */
public final class Waiter {

    private final FileBucket files;
    private final long since;
    private final long number;
    /** The group in whose queue this is; null for none. */
    private Group waitsIn;

    private boolean first;
    /** The group that granted a place; null for none. */
    private Group grant;

    /** Groups in which it lost a grant unused and may go first once; null for none. */
    private List<Group> inVain;
    /** How many groups have reserved a place for it. */
    private int reservations;

    private boolean gone;

    Waiter(FileBucket files, long nowMillis, long number) {
        this.number = number;
        this.files = files;
        since = nowMillis;
    }

    FileBucket files() {
        return files;
    }

    /** Epoch milliseconds. */
    long since() {
        return since;
    }

    /** The group in whose queue it is; null for none. */
    public Group waitsIn() {
        return waitsIn;
    }

    /** Whether it has a grant that it has not used yet. */
    public boolean hasGrant() {
        return grant != null;
    }

    /** Whether a group has reserved a place for it. */
    public boolean hasReservation() {
        return reservations > 0;
    }

    /** Whether it began to wait before another waiter. */
    boolean isOlderThan(Waiter other) {
        return number < other.number;
    }

    Group grant() {
        return grant;
    }

    boolean isFirst() {
        return first;
    }

    boolean isLive() {
        return !gone && files.mayStart();
    }

    /** Enters the queue of a group that has no place for it. Its grant ends, and its reservations end as far as they cannot be used. */
    void await(Group full, long nowMillis) {
        Group held = grant;
        boolean crosses = files.takesTurns() && files.groups().size() > 1;
        boolean heldBefore = crosses && held != null && held.isBefore(full);
        boolean reserves = heldBefore
                && hadInVain(full)
                && !full.isClosed()
                && held.queue().reserve(this, nowMillis);
        first = held == full || crosses && (full.isReservedFor(this) || hadInVain(full) && (reserves || !heldBefore));
        if (first && inVain != null) {
            inVain.remove(full);
        }
        reservations += reserves ? 1 : 0;
        waitsIn = full;
        full.queue().add(this, nowMillis);
        if (held != null) {
            grant = null;
            if (crosses && held != full && !reserves) {
                addInVain(held);
            }
            held.queue().grantEnded(this, nowMillis);
        }
        if (reservations > 0) {
            endReservations(first ? full : null, nowMillis);
        }
    }

    /** Runs a change of its files after which they may go before others of their task, or behind them. It must wait in a queue. */
    public void rerank(Runnable change) {
        waitsIn.queue().rerank(this, change);
    }

    private boolean hadInVain(Group group) {
        return inVain != null && inVain.contains(group);
    }

    private void addInVain(Group group) {
        inVain = inVain == null ? new ArrayList<>(2) : inVain;
        if (!inVain.contains(group)) {
            inVain.add(group);
        }
    }

    /**
     * @param awaited the group to wait for: reservations of groups before it stay; null ends all
     */
    private void endReservations(Group awaited, long nowMillis) {
        GroupSet groups = files.groups();
        for (int i = 0; i < groups.size() && reservations > 0; i++) {
            Group group = groups.group(i);
            if (group.isReservedFor(this) && (awaited == null || !group.isBefore(awaited))) {
                if (waitsIn != null && group != waitsIn) {
                    addInVain(group);
                }
                group.queue().endReservation(nowMillis);
            }
        }
    }

    /** Its group grants it a place. */
    void granted() {
        grant = waitsIn;
        waitsIn = null;
        files.granted();
    }

    /** Its group has a place that its task may not use: it leaves the queue. */
    void dismissed(long nowMillis) {
        gone = true;
        waitsIn = null;
        files.granted();
        release(nowMillis);
    }

    void reservationEnded() {
        if (--reservations < 0) {
            throw new IllegalStateException("a waiter has lost more reservations than it had");
        }
    }

    /** Its files start and are counted in their groups: its grant and reservations are used. */
    public void started(long nowMillis) {
        gone = true;
        release(nowMillis);
    }

    /** Its files are gone. */
    public void leave(long nowMillis) {
        gone = true;
        if (waitsIn != null) {
            Group group = waitsIn;
            waitsIn = null;
            group.queue().remove(this);
        }
        release(nowMillis);
    }

    /** Its grant and reservations go to others: its task has started something else, or may not start these files any more. */
    public void release(long nowMillis) {
        if (grant != null) {
            Group group = grant;
            grant = null;
            group.queue().grantEnded(this, nowMillis);
        }
        if (reservations > 0) {
            GroupSet groups = files.groups();
            for (int i = 0; i < groups.size() && reservations > 0; i++) {
                if (groups.group(i).isReservedFor(this)) {
                    groups.group(i).queue().endReservation(nowMillis);
                }
            }
        }
    }
}
