package dev.weir.scheduler.backlog;

import dev.weir.engine.limit.FileBucket;
import dev.weir.engine.limit.GroupSet;
import dev.weir.engine.limit.KeyTable;
import dev.weir.engine.limit.Waiter;
import dev.weir.protocol.Order;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongPredicate;

/** The files of one task that are in the same limit groups: either all can start now, or none can. */
final class Bucket extends Positions implements FileBucket, KeyTable.Entry<List<String>, Bucket> {

    final Backlog backlog;
    private final GroupSet groups;
    private final List<String> keys;
    private final int hash;
    private Bucket next;
    /** Number of fresh files; there may be more positions, because adopted ones are skipped later. */
    long fresh;

    /** Null while there are none. */
    ArrayDeque<Object> retries;

    /** Null unless it has found a group full since its last start. */
    Waiter waiter;

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

    /** The entry with the old priority is corrected or skipped when it comes first, or when there are more such entries than files. */
    void reprioritise(int position, int priority, LongPredicate released) {
        add(position, priority);
        if (positions() > 2 * (fresh + 1)) {
            putRight(value -> now(value, released));
        }
    }

    /** The present value of a {@code priority << 32 | position}; negative when its file no longer waits. */
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

    /** Whether it waits in the queue of a group. */
    boolean isParked() {
        return waiter != null && waiter.waitsIn() != null;
    }

    boolean hasGrant() {
        return waiter != null && waiter.hasGrant();
    }

    /**
     * Whether places granted to others are taken for it. A further attempt goes first, also while its pool is drained and no fresh file
     * may use a grant.
     */
    boolean yields() {
        return !hasRetries() && takesTurns();
    }

    @Override
    public String pool() {
        return backlog.owner().pool();
    }

    @Override
    public Object task() {
        return backlog;
    }

    @Override
    public long files() {
        return fresh + (retries == null ? 0 : retries.size());
    }

    @Override
    public GroupSet groups() {
        return groups;
    }

    @Override
    public boolean takesTurns() {
        return backlog.owner().takesTurns();
    }

    @Override
    public boolean goesBefore(FileBucket other) {
        return backlog.owner().goesBefore(((Bucket) other).backlog.owner());
    }

    @Override
    public boolean mayStart() {
        BacklogOwner owner = backlog.owner();
        return owner.goesOn() && (hasRetries() && owner.triesAgain() || owner.startsFresh());
    }

    @Override
    public void granted() {
        backlog.granted(this);
    }
}
