package dev.weir.scheduler.backlog;

import dev.weir.scheduler.limit.Group;
import dev.weir.scheduler.limit.GroupSet;
import dev.weir.scheduler.limit.Groups;
import dev.weir.scheduler.limit.KeptPlace;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The buckets of a task whose files are in several groups that others keep full. The groups hardly ever have a place at the same time. So
 * one that was woken for the first group, and has had its turn in the second in vain, keeps the place in the first while it waits for
 * the second, before all others there.
 */
final class Crossings {

    private final Groups registry;
    /** Those for which places may be kept; null before the first. */
    private Set<Bucket> keepers;
    /** Those that asked for that and may not yet; null before the first. */
    private Set<Bucket> candidates;

    Crossings(Groups registry) {
        this.registry = registry;
    }

    /** Whether a bucket that finds a group full waits there before others; it is so once for each turn that it had in vain. */
    boolean goesFirst(Bucket bucket, Group full, long nowMillis) {
        if (full.isKeptFor(bucket)) {
            return true;
        }
        if (bucket.credit == null || !bucket.credit.has(bucket.groups, full)) {
            return false;
        }
        // To go first without a place in the other group would be another turn in vain: it is saved up.
        if (bucket.keepsPlace() && Groups.isBefore(bucket.turnOf, full) && !mayKeep(bucket, full, nowMillis)) {
            return false;
        }
        bucket.credit.use(bucket.groups, full);
        return true;
    }

    /**
     * A bucket waits for a group. What is kept for it in groups that come later is given back, and all of it when it does not go first: in
     * turns, that are not in vain then.
     */
    void waits(Bucket bucket, Group full, boolean first, long nowMillis) {
        if (bucket.credit == null) {
            bucket.credit = new Credit(nowMillis, registry.ticket());
        }
        if (keepers == null || !keepers.contains(bucket)) {
            return;
        }
        boolean keeps = false;
        for (int i = 0; i < bucket.groups.size(); i++) {
            Group group = bucket.groups.group(i);
            if (group.isKeptFor(bucket)) {
                boolean keepsThis = first && Groups.isBefore(group, full);
                if (keepsThis && Groups.mayAwait(full, bucket, nowMillis)) {
                    keeps = true;
                } else {
                    if (keepsThis) {
                        ask(bucket, group, full, nowMillis);
                    }
                    if (group != full) {
                        bucket.credit.earn(bucket.groups, group);
                    }
                    registry.giveBack(group, nowMillis);
                }
            }
        }
        Groups.await(bucket.groups, keeps ? full : null, bucket);
        if (!keeps) {
            keepers.remove(bucket);
        }
    }

    /** Whether the turn of a bucket becomes a place that is kept while it waits for a group, where it goes first. */
    boolean keepsTurn(Bucket bucket, Group full, boolean first, long nowMillis) {
        return first && bucket.keepsPlace() && Groups.isBefore(bucket.turnOf, full) && mayKeep(bucket, full, nowMillis);
    }

    /** Whether a bucket may keep its turn; if not, none may that has waited shorter until it does. */
    private boolean mayKeep(Bucket bucket, Group full, long nowMillis) {
        boolean may = registry.mayKeep(bucket.turnOf, full, bucket, nowMillis);
        if (!may) {
            ask(bucket, bucket.turnOf, full, nowMillis);
        }
        return may;
    }

    private void ask(Bucket bucket, Group group, Group full, long nowMillis) {
        if (Groups.ask(group, full, bucket, nowMillis + waited(bucket, nowMillis))) {
            candidates = candidates == null ? new LinkedHashSet<>() : candidates;
            candidates.add(bucket);
        }
    }

    private void withdraw(Bucket bucket) {
        if (candidates != null && candidates.remove(bucket)) {
            Groups.withdraw(bucket.groups, bucket);
        }
    }

    private static long waited(Bucket bucket, long nowMillis) {
        return Math.max(KeptPlace.SHORTEST_MILLIS, nowMillis - bucket.credit.since());
    }

    /** The turn of a bucket becomes such a place. */
    void keep(Bucket bucket, Group turn, Group full, long nowMillis) {
        keepers = keepers == null ? new LinkedHashSet<>() : keepers;
        keepers.add(bucket);
        withdraw(bucket);
        registry.keep(turn, bucket, nowMillis, nowMillis + waited(bucket, nowMillis));
        Groups.await(bucket.groups, full, bucket);
    }

    /** A bucket has started something: it takes what was kept for it, and waits anew. */
    void started(Bucket bucket, long nowMillis) {
        waitsNoMore(bucket);
        if (keepers != null && keepers.remove(bucket)) {
            Groups.await(bucket.groups, null, bucket);
            for (int i = 0; i < bucket.groups.size(); i++) {
                if (bucket.groups.group(i).isKeptFor(bucket)) {
                    Groups.keptUsed(bucket.groups.group(i), nowMillis);
                }
            }
        }
    }

    /** When it waits again, it waits anew. */
    void waitsNoMore(Bucket bucket) {
        withdraw(bucket);
        bucket.credit = null;
    }

    /** What is kept for a bucket is given back, and no turn counts as in vain for that. Nor does it ask for that any more. */
    void giveBack(Bucket bucket, long nowMillis) {
        withdraw(bucket);
        if (keepers != null && keepers.remove(bucket)) {
            GroupSet groups = bucket.groups;
            Groups.await(groups, null, bucket);
            for (int i = 0; i < groups.size(); i++) {
                if (groups.group(i).isKeptFor(bucket)) {
                    registry.giveBack(groups.group(i), nowMillis);
                }
            }
        }
    }

    /** The same for some buckets. */
    void giveBack(Predicate<Bucket> which, long nowMillis) {
        giveBack(keepers, which, nowMillis);
        giveBack(candidates, which, nowMillis);
    }

    private void giveBack(Set<Bucket> some, Predicate<Bucket> which, long nowMillis) {
        if (some != null && !some.isEmpty()) {
            for (Bucket bucket : List.copyOf(some)) {
                if (which.test(bucket)) {
                    giveBack(bucket, nowMillis);
                }
            }
        }
    }
}
