package dev.weir.scheduler.backlog;

import dev.weir.protocol.Order;
import dev.weir.scheduler.limit.Group;
import dev.weir.scheduler.limit.GroupSet;
import dev.weir.scheduler.limit.KeyTable;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongPredicate;

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
    /** Whether something else of its task has started since. */
    boolean lapsed;
    /** Whether it waits there before others. */
    boolean first;
    /** Null unless it is in several groups and has waited for one since it started something. */
    Credit credit;

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

    /** What stands for the old priority is put right or skipped when it comes first, or when there is more of that than waits. */
    void reprioritise(int position, int priority, LongPredicate released) {
        add(position, priority);
        if (positions() > 2 * (fresh + 1)) {
            putRight(value -> now(value, released));
        }
    }

    /** What a {@code priority << 32 | position} is by now; negative when its file does not wait any more. */
    private long now(long value, LongPredicate released) {
        int position = (int) value;
        return released.test(position)
                ? -1
                : (long) backlog.owner().priorityNow(position, (int) (value >>> 32)) << 32 | position;
    }

    boolean isEmpty() {
        return fresh == 0 && !hasRetries();
    }

    boolean hasRetries() {
        return retries != null && !retries.isEmpty();
    }

    /** Whether it waits for a group, or, with {@code again}, a further attempt does. */
    boolean isParked(boolean again) {
        return parked != null && (!again || hasRetries());
    }

    /**
     * Whether it leaves places to those who were woken for them. A further attempt gives way nowhere: it comes first, also while its
     * pool is drained, and nobody uses a turn for a fresh file. Nor does anyone where the policy decides who goes first.
     */
    boolean givesWay() {
        return !hasRetries() && takesTurns();
    }

    /** Whether a place is kept for it in the group that woke it. */
    boolean keepsPlace() {
        return turnOf != null && !lapsed;
    }

    @Override
    public String pool() {
        return backlog.owner().pool();
    }

    @Override
    public Object owner() {
        return backlog;
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

    @Override
    public long ticket() {
        return credit.ticket();
    }

    @Override
    public void giveBack(long nowMillis) {
        backlog.giveBack(this, nowMillis);
    }
}
