package dev.weir.engine.limit;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The waiters of one pool in the queue of a group: tasks alternate, and each task is first in, first out. */
final class PoolQueue {

    private final String pool;
    private final boolean takesTurns;
    private final boolean ranked;
    /** Waiters that go first. */
    private final Set<Waiter> first = new LinkedHashSet<>(2);
    /** The others by task, the next task first. */
    private final LinkedHashMap<Object, Set<Waiter>> byTask = new LinkedHashMap<>(2);
    /** An empty set for reuse, because most tasks have one waiter; null for none. */
    private Set<Waiter> spare;
    /** Waiters with a grant, the earliest grant first. */
    private final Set<Waiter> granted = new LinkedHashSet<>(2);

    private long waitsSince;

    PoolQueue(FileBucket files) {
        pool = files.pool();
        takesTurns = files.takesTurns();
        ranked = files.isRanked();
    }

    String pool() {
        return pool;
    }

    boolean takesTurns() {
        return takesTurns;
    }

    /** Since when the pool waits without a start in the group: epoch milliseconds. */
    long waitsSince() {
        return waitsSince;
    }

    void waitsAnew(long nowMillis) {
        waitsSince = nowMillis;
    }

    int grants() {
        return granted.size();
    }

    /** Grants of places that files of the pool may not use. */
    int grantsAgainst(FileBucket files) {
        if (!ranked) {
            return granted.size();
        }
        int against = 0;
        for (Waiter waiter : granted) {
            boolean before = waiter.files().task() == files.task() && files.goesBefore(waiter.files());
            against += before ? 0 : 1;
        }
        return against;
    }

    /** The waiter with the earliest grant of the pool; null for none. */
    Waiter earliestGranted() {
        return granted.isEmpty() ? null : granted.iterator().next();
    }

    boolean hasWaiting() {
        return !first.isEmpty() || !byTask.isEmpty();
    }

    boolean isIdle() {
        return granted.isEmpty() && !hasWaiting();
    }

    int waiting() {
        int waiting = first.size();
        for (Set<Waiter> ofTask : byTask.values()) {
            waiting += ofTask.size();
        }
        return waiting;
    }

    /** Files of its waiters, of so many at most. */
    long waitingFiles(int mostWaiters) {
        return Stream.concat(first.stream(), byTask.values().stream().flatMap(Set::stream))
                .limit(mostWaiters)
                .mapToLong(waiter -> waiter.files().files())
                .sum();
    }

    /** A copy of the waiters that go first, so that the queue may change during iteration. */
    List<Waiter> waitingFirst() {
        return List.copyOf(first);
    }

    void add(Waiter waiter, long nowMillis) {
        waitsSince = isIdle() ? nowMillis : waitsSince;
        if (waiter.isFirst() && takesTurns && !ranked) {
            first.add(waiter);
        } else {
            Object task = waiter.files().task();
            Set<Waiter> ofTask = byTask.get(task);
            if (ofTask == null) {
                ofTask = spare == null ? newSet() : spare;
                spare = null;
                byTask.put(task, ofTask);
            }
            ofTask.add(waiter);
        }
    }

    private Set<Waiter> newSet() {
        return ranked ? new TreeSet<>(PoolQueue::compareRanks) : new LinkedHashSet<>(2);
    }

    private static int compareRanks(Waiter a, Waiter b) {
        if (a == b) {
            return 0;
        }
        return a.files().goesBefore(b.files()) ? -1 : b.files().goesBefore(a.files()) ? 1 : a.isOlderThan(b) ? -1 : 1;
    }

    /** Changes the order of a waiter's files, which keeps its task's place. */
    void rerank(Waiter waiter, Runnable change) {
        Set<Waiter> ofTask = ranked ? byTask.get(waiter.files().task()) : Set.of();
        if (ranked && !ofTask.remove(waiter)) {
            throw new IllegalStateException("a waiter of pool " + pool + " is not in the queue in which it waits");
        }
        change.run();
        if (ranked) {
            ofTask.add(waiter);
        }
    }

    void remove(Waiter waiter) {
        if (!first.remove(waiter)) {
            Object task = waiter.files().task();
            Set<Waiter> ofTask = byTask.get(task);
            if (ofTask == null || !ofTask.remove(waiter)) {
                throw new IllegalStateException("a waiter of pool " + pool + " leaves a queue that it is not in");
            }
            if (ofTask.isEmpty()) {
                spare = byTask.remove(task);
            }
        }
    }

    void grant(Waiter waiter) {
        granted.add(waiter);
    }

    void grantEnded(Waiter waiter) {
        if (!granted.remove(waiter)) {
            throw new IllegalStateException("pool " + pool + " ends a grant that it does not have");
        }
    }

    /** Removes and returns the next waiter, and moves its task behind the others. Null when none waits. */
    Waiter poll() {
        Waiter next = null;
        if (!first.isEmpty()) {
            next = first.iterator().next();
            first.remove(next);
        } else if (!byTask.isEmpty()) {
            Set<Waiter> ofTask = takesTurns ? byTask.values().iterator().next() : best();
            next = ofTask.iterator().next();
            ofTask.remove(next);
            Object task = next.files().task();
            if (ofTask.isEmpty()) {
                spare = byTask.remove(task);
            } else if (byTask.size() > 1) {
                // The task moves behind the others.
                byTask.remove(task);
                byTask.put(task, ofTask);
            }
        }
        return next;
    }

    /** The best task by the pool's policy. Costs one comparison for each waiting task; hardly more tasks wait than hold slots. */
    private Set<Waiter> best() {
        Set<Waiter> best = null;
        for (Set<Waiter> ofTask : byTask.values()) {
            if (best == null
                    || ofTask.iterator()
                            .next()
                            .files()
                            .goesBefore(best.iterator().next().files())) {
                best = ofTask;
            }
        }
        return best;
    }
}
