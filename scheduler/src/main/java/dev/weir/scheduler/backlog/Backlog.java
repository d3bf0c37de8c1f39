package dev.weir.scheduler.backlog;

import dev.weir.engine.limit.Group;
import dev.weir.engine.limit.GroupSet;
import dev.weir.engine.limit.Groups;
import dev.weir.engine.limit.KeyTable;
import dev.weir.engine.limit.Waiter;
import dev.weir.protocol.Order;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * The waiting work of one task, in memory: files by their limit groups, and further attempts, which go first. A bucket whose groups allow
 * no start waits in the queue of one of them and is not in the ready index. So the next file is found at the same cost for ten groups or
 * ten million.
 *
 * <p>A task in sequential order without groups of single files has one bucket that only counts: its next file is at the task's cursor
 * ({@link #next} returns {@link #AT_CURSOR}).
 */
public final class Backlog {

    /** Stands for the position at the task's cursor. */
    public static final long AT_CURSOR = -1;

    private final BacklogOwner owner;
    private final Order order;
    private final boolean indexed;
    private final Groups registry;
    private final KeyTable<List<String>, Bucket> buckets = new KeyTable<>();
    private final ReadyIndex readyFresh;
    private final ReadyIndex readyRetries = new ReadyIndex(true, false);
    private long fresh;
    private int retries;
    /** Buckets with a grant, the earliest first; null before the first one. */
    private Set<Bucket> granted;
    /** Buckets with a reservation, and some that had one; null before the first one. */
    private Set<Bucket> reserved;
    /** Buckets that wait in the queue of a group, and one that did. */
    private int parked;

    private Bucket lastParked;
    private Bucket chosen;
    private Object chosenRetry;
    private long chosenPosition;

    public Backlog(BacklogOwner owner, Order order, boolean indexed, Groups registry) {
        this.owner = owner;
        this.order = order;
        this.indexed = indexed;
        this.registry = registry;
        readyFresh = new ReadyIndex(false, order == Order.PRIORITY);
    }

    BacklogOwner owner() {
        return owner;
    }

    /** Waiting files that were never released. */
    public long fresh() {
        return fresh;
    }

    public boolean hasReadyFresh() {
        return !readyFresh.isEmpty();
    }

    public boolean hasReadyRetry() {
        return !readyRetries.isEmpty();
    }

    /** Whether a further attempt waits, ready or for a group. */
    public boolean hasRetry() {
        return retries > 0;
    }

    /**
     * A group for which files of the task wait; null when there is none. For people.
     *
     * @param again true: only a group for which a further attempt waits
     */
    public Group waitsFor(boolean again) {
        if (lastParked == null || !waits(lastParked, again)) {
            lastParked = parked == 0 ? null : buckets.first(bucket -> waits(bucket, again));
        }
        return lastParked == null ? null : lastParked.waiter.waitsIn();
    }

    private static boolean waits(Bucket bucket, boolean again) {
        return bucket.isParked() && (!again || bucket.hasRetries());
    }

    /** Whether files of the task wait for a group. */
    public boolean isHeldByGroups() {
        return parked > 0;
    }

    /** Adds a waiting file. */
    public void add(long position, int priority, List<String> groupKeys) {
        Bucket bucket = bucket(groupKeys);
        bucket.add((int) position, priority);
        bucket.fresh++;
        fresh++;
        registry.filesWait(1);
        index(bucket);
        readyFresh.changed(bucket);
    }

    /** Adds waiting files at the cursor. */
    public void addAtCursor(long count, List<String> groupKeys) {
        if (count > 0) {
            Bucket bucket = bucket(groupKeys);
            bucket.fresh += count;
            fresh += count;
            index(bucket);
        }
    }

    /** Adds a further attempt. */
    public void addRetry(Object job, List<String> groupKeys) {
        Bucket bucket = bucket(groupKeys);
        if (bucket.retries == null) {
            bucket.retries = new ArrayDeque<>(4);
        }
        bucket.retries.addLast(job);
        retries++;
        index(bucket);
    }

    /** Removes a further attempt. */
    public void removeRetry(Object job, List<String> groupKeys, long nowMillis) {
        Bucket bucket = buckets.get(groupKeys);
        if (bucket != null && bucket.hasRetries() && bucket.retries.remove(job)) {
            retries--;
            settle(bucket, nowMillis);
        }
    }

    /** A waiting file was adopted: it no longer counts, and its position is skipped. */
    public void forget(List<String> groupKeys, long nowMillis) {
        Bucket bucket = buckets.get(groupKeys);
        if (bucket == null || bucket.fresh == 0) {
            throw new IllegalStateException("no file waits in groups " + groupKeys);
        }
        bucket.fresh--;
        fresh--;
        registry.filesWait(indexed ? -1 : 0);
        settle(bucket, nowMillis);
    }

    /** Drops all waiting files; further attempts stay. */
    public void dropFresh(long nowMillis) {
        for (Bucket bucket : buckets.entries()) {
            bucket.fresh = 0;
            settle(bucket, nowMillis);
        }
        registry.filesWait(indexed ? -fresh : 0);
        fresh = 0;
    }

    /**
     * Chooses the next file or further attempt and counts it as started in its groups; {@link #retry} and the position identify it.
     * Returns false when nothing may start now.
     *
     * @param freshToo false: only further attempts
     * @param released whether a position was released before, because its job was adopted
     */
    public boolean next(boolean freshToo, Dice dice, long nowMillis, LongPredicate released) {
        Bucket bucket;
        while ((bucket = candidate(freshToo, dice, released)) != null) {
            Group full = registry.full(bucket, bucket.waiter, bucket.yields(), nowMillis);
            if (full == null) {
                // Started first: taking the last file drops the bucket, and a group without one may be forgotten.
                registry.started(bucket.groups(), bucket.pool(), nowMillis);
                take(bucket, dice, nowMillis, released);
                return true;
            }
            park(bucket, full, nowMillis);
        }
        return false;
    }

    private Bucket candidate(boolean freshToo, Dice dice, LongPredicate released) {
        if (!readyRetries.isEmpty()) {
            return readyRetries.first();
        }
        if (!freshToo || readyFresh.isEmpty()) {
            return null;
        }
        if (order == Order.PRIORITY && indexed) {
            return best(released);
        }
        if (order == Order.RANDOM) {
            return readyFresh.random(dice);
        }
        if (order == Order.SEQUENTIAL && granted != null && !granted.isEmpty()) {
            Bucket earliest = granted.iterator().next();
            return earliest.fresh > 0 ? earliest : readyFresh.first();
        }
        return readyFresh.first();
    }

    /** Corrects the first files until the first one has its present priority, or enough are: a file moves once for each change. */
    private Bucket best(LongPredicate released) {
        while (true) {
            Bucket bucket = readyFresh.first();
            int position = bucket.bestPosition();
            int priority = bucket.bestPriority();
            boolean gone = released.test(position);
            int now = gone ? priority : owner.priorityNow(position, priority);
            if (!gone && (now == priority || !owner.mayCorrectMore())) {
                return bucket;
            }
            bucket.pollBest();
            if (!gone) {
                bucket.add(position, now);
            }
            readyFresh.changed(bucket);
        }
    }

    /** Notes that a waiting file has another priority from now on; {@code released} is as for {@link #next}. */
    public void reprioritise(long position, int priority, List<String> groupKeys, LongPredicate released) {
        Bucket bucket = buckets.get(groupKeys);
        if (bucket != null && order == Order.PRIORITY) {
            bucket.reprioritise((int) position, priority, released);
            readyFresh.changed(bucket);
        }
    }

    /** How many sets of groups its files are in that wait; or only those that were never released. */
    public int sets(boolean freshOnly) {
        return (int) buckets.entries().stream()
                .filter(bucket -> !freshOnly || bucket.fresh > 0)
                .count();
    }

    /** Memory that the waiting files take, in positions. */
    long positions() {
        return buckets.entries().stream().mapToLong(Bucket::positions).sum();
    }

    private void take(Bucket bucket, Dice dice, long nowMillis, LongPredicate released) {
        chosen = bucket;
        chosenRetry = bucket.retries == null ? null : bucket.retries.pollFirst();
        chosenPosition = AT_CURSOR;
        if (chosenRetry == null) {
            if (indexed) {
                do {
                    chosenPosition = bucket.poll(dice);
                } while (released.test(chosenPosition));
                registry.filesWait(-1);
            }
            bucket.fresh--;
            fresh--;
            readyFresh.changed(bucket);
        } else {
            retries--;
        }
        if (bucket.waiter != null) {
            forgetHolder(bucket).started(nowMillis);
        }
        if (owner.takesTurns()) {
            release(granted, any -> true, nowMillis);
        }
        settle(bucket, nowMillis);
    }

    /** After {@link #next}: the job of the further attempt; null when a file starts for the first time. */
    public Object retry() {
        return chosenRetry;
    }

    /** After {@link #next}: the position of the file, or {@link #AT_CURSOR}. */
    public long position() {
        return chosenPosition;
    }

    /** After {@link #next}: the keys of its groups. */
    public List<String> groupKeys() {
        return chosen.key();
    }

    /** After {@link #next}: its groups. */
    public GroupSet groups() {
        return chosen.groups();
    }

    private void park(Bucket bucket, Group full, long nowMillis) {
        parked++;
        lastParked = bucket;
        readyFresh.remove(bucket);
        readyRetries.remove(bucket);
        if (bucket.hasGrant()) {
            granted.remove(bucket);
        }
        bucket.waiter = registry.await(full, bucket, bucket.waiter, nowMillis);
        if (bucket.waiter.hasReservation()) {
            reserved = reserved == null ? new LinkedHashSet<>(2) : reserved;
            reserved.add(bucket);
        }
        owner.readinessChanged();
    }

    void granted(Bucket bucket) {
        parked--;
        if (bucket.hasGrant()) {
            granted = granted == null ? new LinkedHashSet<>(2) : granted;
            granted.add(bucket);
        } else {
            forgetHolder(bucket);
        }
        index(bucket);
    }

    /** Ends the wait of a bucket and returns its waiter. */
    private Waiter forgetHolder(Bucket bucket) {
        Waiter waiter = bucket.waiter;
        bucket.waiter = null;
        if (granted != null) {
            granted.remove(bucket);
        }
        if (reserved != null) {
            reserved.remove(bucket);
        }
        return waiter;
    }

    /** Grants and reservations of some of the buckets go to others. */
    private static void release(Set<Bucket> buckets, Predicate<Bucket> which, long nowMillis) {
        if (buckets != null && !buckets.isEmpty()) {
            for (Bucket bucket : List.copyOf(buckets)) {
                // The release of one can end the wait of the next.
                if (bucket.waiter != null && which.test(bucket)) {
                    buckets.remove(bucket);
                    bucket.waiter.release(nowMillis);
                }
            }
        }
    }

    /**
     * The task may start less than before (paused, stopped, slot lost, pool drained): grants and reservations that it can't use now go to
     * others. This holds while it still starts further attempts too, or its fresh files would keep unused places.
     */
    public void releaseUnusable(long nowMillis) {
        release(granted, bucket -> !bucket.mayStart(), nowMillis);
        release(reserved, bucket -> !bucket.mayStart(), nowMillis);
    }

    private Bucket bucket(List<String> groupKeys) {
        Bucket bucket = buckets.get(groupKeys);
        if (bucket == null) {
            GroupSet groups = registry.resolve(groupKeys);
            registry.held(groups);
            // The texts of the groups: each file has some of its own.
            bucket = new Bucket(this, order, groups.size() == groupKeys.size() ? groups.keys() : groupKeys, groups);
            buckets.add(bucket);
        }
        return bucket;
    }

    private void index(Bucket bucket) {
        if (!bucket.isParked() && bucket.fresh > 0) {
            readyFresh.add(bucket);
        }
        if (!bucket.isParked() && bucket.hasRetries()) {
            readyRetries.add(bucket);
        }
        // Also while it waits for a group: the wait reason of its task may have changed.
        owner.readinessChanged();
    }

    private void settle(Bucket bucket, long nowMillis) {
        if (bucket.fresh == 0) {
            readyFresh.remove(bucket);
        }
        if (!bucket.hasRetries()) {
            readyRetries.remove(bucket);
        }
        if (bucket.isEmpty()) {
            buckets.remove(bucket);
            parked -= bucket.isParked() ? 1 : 0;
            if (bucket.waiter != null) {
                forgetHolder(bucket).leave(nowMillis);
            }
            registry.dropped(bucket.groups(), nowMillis);
        } else if (bucket.waiter != null && !bucket.mayStart()) {
            // Its grant was for a further attempt, which no longer waits.
            if (bucket.hasGrant()) {
                granted.remove(bucket);
            }
            bucket.waiter.release(nowMillis);
        }
        owner.readinessChanged();
    }
}
