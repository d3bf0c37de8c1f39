package dev.weir.chaos.load;

import dev.weir.chaos.judge.SeenLease;
import dev.weir.chaos.judge.SeenLease.Reply;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What feeder and workers saw of the items of a queue. Safe for use from many threads. */
final class ItemLog {

    private final Map<String, Pushed> pushed = new ConcurrentHashMap<>();
    private final Map<String, List<SeenLease>> leases = new ConcurrentHashMap<>();
    private final Set<String> over = ConcurrentHashMap.newKeySet();
    private final AtomicInteger taken = new AtomicInteger();

    /** How an item was pushed. */
    private record Pushed(String group, boolean once) {}

    /** The queue has accepted an item. */
    void pushed(String key, String group, boolean once) {
        pushed.put(key, new Pushed(group, once));
    }

    /** A worker has an item. */
    void taken() {
        taken.incrementAndGet();
    }

    /** Weir has answered to the end of a lease. */
    void ended(String key, SeenLease lease, boolean last) {
        synchronized (leases) {
            leases.computeIfAbsent(key, it -> new ArrayList<>()).add(lease);
        }
        if (last && lease.reply() != Reply.OVER) {
            over.add(key);
        }
    }

    /** How often a worker got an item. */
    int leases() {
        return taken.get();
    }

    List<String> accepted() {
        return List.copyOf(pushed.keySet());
    }

    boolean wasPushedOnce(String key) {
        return pushed.get(key).once();
    }

    List<SeenLease> leases(String key) {
        synchronized (leases) {
            return leases.getOrDefault(key, List.of()).stream()
                    .sorted(Comparator.comparingLong(SeenLease::at))
                    .toList();
        }
    }

    /** Of all items of a group, the earliest first. */
    List<SeenLease> leasesOf(String group) {
        synchronized (leases) {
            return pushed.entrySet().stream()
                    .filter(one -> one.getValue().group().equals(group))
                    .flatMap(one -> leases.getOrDefault(one.getKey(), List.of()).stream())
                    .sorted(Comparator.comparingLong(SeenLease::at))
                    .toList();
        }
    }

    /** Accepted items that no worker has ended for good; fewer while the answer to a push is under way. */
    int open() {
        return Math.max(0, pushed.size() - over.size());
    }
}
