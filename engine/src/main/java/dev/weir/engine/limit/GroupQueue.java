package dev.weir.engine.limit;

import java.util.ArrayList;
import java.util.List;

/** The waiters of a group by pool, and the grants and the reservation of its places. {@link Group} lists the rules. */
final class GroupQueue {

    /** Pools beyond these are forgotten while nothing of them waits: each event looks at all. */
    static final int MOST_IDLE_POOLS = 100;

    private final Group group;
    private final Groups registry;
    /** One queue for each pool that has waited, the pool with the oldest start in the group first. */
    private final List<PoolQueue> pools = new ArrayList<>(1);

    private final Reservation reservation = new Reservation();
    /** Waiters in all queues. */
    private int waiting;
    /** Waiters with a grant of a place here. */
    private int granted;

    GroupQueue(Group group, Groups registry) {
        this.group = group;
        this.registry = registry;
    }

    Reservation reservation() {
        return reservation;
    }

    /** The queue of a pool; null when no file of the pool has waited, or it is forgotten. */
    private PoolQueue of(String pool) {
        for (int i = 0; i < pools.size(); i++) {
            if (pools.get(i).pool().equals(pool)) {
                return pools.get(i);
            }
        }
        return null;
    }

    private int reservedFrom(PoolQueue queue) {
        return reservation.holder() != null && reservation.holder() != queue ? 1 : 0;
    }

    /**
     * How many free places files may not use, because the places are granted or reserved.
     *
     * @param waiter the waiter of the files; null if they have not waited
     */
    int taken(FileBucket files, Waiter waiter) {
        if (granted == 0 && reservation.holder() == null || waiter != null && reservation.holder() == waiter) {
            return 0;
        }
        PoolQueue queue = of(files.pool());
        return reservedFrom(queue) + (queue == null || goesBefore(waiter, queue) ? 0 : queue.grantsAgainst(files));
    }

    /** Whether a waiter may use places that were granted to other waiters of its pool. */
    private boolean goesBefore(Waiter waiter, PoolQueue queue) {
        Waiter granted = queue.earliestGranted();
        return waiter != null
                && waiter.hasGrant()
                && (waiter.grant() == group || granted == null || waiter.isOlderThan(granted));
    }

    void add(Waiter waiter, long nowMillis) {
        PoolQueue queue = of(waiter.files().pool());
        if (queue == null) {
            if (pools.size() >= MOST_IDLE_POOLS) {
                pools.removeIf(pool -> pool.isIdle() && pool != reservation.holder());
            }
            queue = new PoolQueue(waiter.files());
            pools.add(queue);
        }
        queue.add(waiter, nowMillis);
        waiting++;
        registry.watch(group, nowMillis);
    }

    void remove(Waiter waiter) {
        of(waiter.files().pool()).remove(waiter);
        waiting--;
    }

    void rerank(Waiter waiter, Runnable change) {
        of(waiter.files().pool()).rerank(waiter, change);
    }

    void grantEnded(Waiter waiter, long nowMillis) {
        PoolQueue queue = of(waiter.files().pool());
        granted--;
        queue.grantEnded(waiter);
        settle(nowMillis);
        if (reservation.holder() == queue && queue.grants() == 0) {
            endReservation(nowMillis);
        }
    }

    /** Grants the free places. */
    void settle(long nowMillis) {
        int free = waiting == 0 && pools.size() == 1 ? 0 : group.free(nowMillis);
        for (int i = 0; i < pools.size() && free > 0; i++) {
            PoolQueue queue = pools.get(i);
            int places = queue.takesTurns() ? free - reservedFrom(queue) - queue.grants() : free;
            Waiter next = null;
            while (places > 0 && (next = queue.poll()) != null) {
                waiting--;
                if (next.files().mayStart()) {
                    places--;
                    queue.grant(next);
                    granted++;
                    next.granted();
                } else {
                    next.dismissed(nowMillis);
                }
            }
            if (pools.size() > 1
                    && queue.takesTurns()
                    && queue.grants() > 0
                    && reservation.holder() == null
                    && othersWait(queue)) {
                reservation.ask(queue, nowMillis);
            }
        }
        registry.watch(group, nowMillis);
    }

    private boolean othersWait(PoolQueue queue) {
        for (int i = 0; i < pools.size(); i++) {
            if (pools.get(i) != queue && !pools.get(i).isIdle()) {
                return true;
            }
        }
        return false;
    }

    /** Files of a pool start here: the pool moves behind the others, and its reservation is used. */
    void taken(String pool, long nowMillis) {
        PoolQueue queue = of(pool);
        if (queue != null) {
            queue.waitsAnew(nowMillis);
            if (reservation.holder() == queue) {
                reservation.end(nowMillis);
            }
            if (pools.get(pools.size() - 1) != queue) {
                pools.remove(queue);
                pools.add(queue);
            }
        }
    }

    /** Reserves a place for a waiter, if the rules allow it. Returns whether it did. */
    boolean reserve(Waiter waiter, long nowMillis) {
        boolean reserves = reservation.ask(waiter, of(waiter.files().pool()), nowMillis);
        registry.watch(group, nowMillis);
        return reserves;
    }

    void endReservation(long nowMillis) {
        if (reservation.holder() instanceof Waiter waiter) {
            waiter.reservationEnded();
        }
        reservation.end(nowMillis);
        settle(nowMillis);
    }

    /** A command has closed the group: waiters that go first here give up their places elsewhere. */
    void closed(long nowMillis) {
        pools.forEach(pool -> pool.waitingFirst().forEach(waiter -> waiter.release(nowMillis)));
        if (reservation.holder() != null) {
            endReservation(nowMillis);
        }
    }

    /** A command has opened a closed group. */
    void opened(long nowMillis) {
        pools.forEach(pool -> pool.waitsAnew(nowMillis));
    }

    /** Throws {@link IllegalStateException} if a place is reserved without end, or for a pool that has started here since. */
    void verify() {
        boolean isUsed = reservation.holder() instanceof PoolQueue pool && pool.waitsSince() > reservation.since();
        if (reservation.holder() != null && (reservation.until() == Long.MAX_VALUE || isUsed)) {
            throw new IllegalStateException("group " + group.key() + " reserves a place since " + reservation.since()
                    + " until " + reservation.until() + (isUsed ? " for a pool that has started here since" : ""));
        }
    }

    boolean hasWaiting() {
        return waiting > 0;
    }

    /** Files of its waiters, of so many at most. */
    long waitingFiles(int mostWaiters) {
        long files = 0;
        int left = mostWaiters;
        for (int i = 0; i < pools.size() && left > 0; i++) {
            files += pools.get(i).waitingFiles(left);
            left -= pools.get(i).waiting();
        }
        return files;
    }

    int waiting() {
        return waiting;
    }

    /** How many pools are remembered. */
    int pools() {
        return pools.size();
    }
}
