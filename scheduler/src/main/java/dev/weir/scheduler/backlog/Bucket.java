package dev.weir.scheduler.backlog;

import dev.weir.scheduler.limit.Group;
import java.util.ArrayDeque;
import java.util.List;

/** The files of one task that are in the same limit groups: they can all start now, or none can. */
final class Bucket implements Group.Waiter {

    final Backlog backlog;
    final List<String> keys;
    final Group[] groups;
    final Positions positions;
    /** Fresh files; {@link #positions} may hold more, those that were adopted. */
    long fresh;

    /** Null while there are none. */
    ArrayDeque<Object> retries;

    /** The group whose queue it is in; null: it is ready when it has something. */
    Group parked;
    /** The group that woke it and whose turn it has not used yet. */
    Group turnOf;

    boolean gone;
    int freshSlot = -1;
    int retrySlot = -1;

    Bucket(Backlog backlog, List<String> keys, Group[] groups, Positions positions) {
        this.backlog = backlog;
        this.keys = keys;
        this.groups = groups;
        this.positions = positions;
    }

    boolean isEmpty() {
        return fresh == 0 && !hasRetries();
    }

    boolean hasRetries() {
        return retries != null && !retries.isEmpty();
    }

    @Override
    public String pool() {
        return backlog.owner().pool();
    }

    @Override
    public boolean takesTurns() {
        return backlog.owner().takesTurns();
    }

    @Override
    public boolean wake(Group group) {
        return backlog.woken(this, group);
    }
}
