package dev.weir.scheduler.limit;

import java.util.ArrayList;
import java.util.List;

/**
 * Files that have found one of their groups full, until they start or are gone: in the queue of a group, with a grant of it, or neither
 * after the grant was lost. The rules are those of {@link Group}. Not safe for use by several threads.
 */
public final class Waiter {

    private final FileBucket files;
    private final long since;
    private final long number;
    /** In whose queue; null for none. */
    private Group waitsIn;

    private boolean first;
    /** Whose place was granted; null for none. */
    private Group grant;

    /** Groups in which it had a grant in vain and may go first once; null for none. */
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

    /** Whether a place was granted that it has not used yet. */
    public boolean hasGrant() {
        return grant != null;
    }

    /** Whether a group has reserved a place for it. */
    public boolean hasReservation() {
        return reservations > 0;
    }

    /** Whether it began to wait before another one. */
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

    /** It waits in the queue of a group that has no place for it. Its grant and reservations end as far as they are of no use meanwhile. */
    void await(Group full, long nowMillis) {
        Group held = grant;
        boolean crosses = files.takesTurns() && files.groups().size() > 1;
        boolean heldBefore = crosses && held != null && held.isBefore(full);
        boolean reserves =
                heldBefore && hadInVain(full) && !full.isClosed() && held.queue().reserve(this, nowMillis);
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
     * @param awaited reservations of groups before this one stay; null for none
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

    /** Its group has a place for it. */
    void granted() {
        grant = waitsIn;
        waitsIn = null;
        files.granted();
    }

    /** Its group has a place, which its task may not use: it waits no more. */
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

    /** Its files start, and are counted in their groups: grant and reservations are used. */
    public void started(long nowMillis) {
        gone = true;
        release(nowMillis);
    }

    /** What it waits with is gone. */
    public void leave(long nowMillis) {
        gone = true;
        if (waitsIn != null) {
            Group group = waitsIn;
            waitsIn = null;
            group.queue().remove(this);
        }
        release(nowMillis);
    }

    /** Something else of its task has started, or the task may not start it any more: grant and reservations go to others. */
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
