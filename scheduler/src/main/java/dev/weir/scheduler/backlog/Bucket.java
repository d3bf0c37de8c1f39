package dev.weir.scheduler.backlog;

import dev.weir.protocol.Order;
import dev.weir.scheduler.limit.Group;
import dev.weir.scheduler.limit.GroupSet;
import dev.weir.scheduler.limit.KeyTable;
import java.util.ArrayDeque;
import java.util.List;

/** The files of one task that are in the same limit groups: they can all start now, or none can. */
final class Bucket extends Positions implements Group.Waiter, KeyTable.Entry<List<String>, Bucket> {

    final Backlog backlog;
    final GroupSet groups;
    private final List<String> keys;
    private final int hash;
    private Bucket next;
    /** Fresh files; there may be more positions, those that were adopted. */
    long fresh;

    /** Null while there are none. */
    ArrayDeque<Object> retries;

    /** The group whose queue it is in; null: it is ready when it has something. */
    Group parked;
    /** The group that woke it and whose turn it has not used yet. */
    Group turnOf;

    int freshSlot = -1;
    int retrySlot = -1;

    Bucket(Backlog backlog, Order order, List<String> keys, GroupSet groups) {
        super(order);
        this.backlog = backlog;
        this.keys = keys;
        this.groups = groups;
        hash = KeyTable.spread(keys);
    }

    @Override
    public List<String> key() {
        return keys;
    }

    @Override
    public int hash() {
        return hash;
    }

    @Override
    public Bucket next() {
        return next;
    }

    @Override
    public void nextIs(Bucket other) {
        next = other;
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
    public boolean waitsFor(Group group) {
        return parked == group;
    }

    @Override
    public boolean goesBefore(Group.Waiter other) {
        return backlog.owner().goesBefore(((Bucket) other).backlog.owner());
    }

    @Override
    public boolean wake(Group group) {
        return backlog.woken(this, group);
    }
}
