package dev.weir.scheduler.backlog;

import dev.weir.scheduler.limit.Group;
import dev.weir.scheduler.limit.Groups;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The buckets of a task that were woken for a place in a group and have not used it. The place is kept until the task starts something
 * else; then the turn lapses, and others may go first. Each turn lapses once, so this costs no more than the waking. What finds another
 * of its groups full passes its turn on, or keeps the place: see {@link Crossings}.
 */
final class Turns {

    private final Groups registry;
    private final Crossings crossings;
    /** In the order in which they were woken; null before the first. */
    private LinkedHashSet<Bucket> kept;

    private LinkedHashSet<Bucket> lapsed;

    Turns(Groups registry) {
        this.registry = registry;
        crossings = new Crossings(registry);
    }

    /** One for whom a place is kept, the one that was woken first; null when there is none. */
    Bucket first() {
        return kept == null || kept.isEmpty() ? null : kept.iterator().next();
    }

    void got(Bucket bucket, Group group) {
        kept = kept == null ? new LinkedHashSet<>() : kept;
        kept.add(bucket);
        bucket.turnOf = group;
    }

    /** Whether a bucket that finds a group full waits there before others. */
    boolean goesFirst(Bucket bucket, Group full, long nowMillis) {
        boolean own = bucket.keepsPlace() && bucket.turnOf == full;
        return own || bucket.groups.size() > 1 && bucket.takesTurns() && crossings.goesFirst(bucket, full, nowMillis);
    }

    /** A bucket waits for a group now, before others or not: what it was woken for goes on to others, unless it keeps that. */
    void waits(Bucket bucket, Group full, boolean first, long nowMillis) {
        boolean crosses = bucket.groups.size() > 1 && bucket.takesTurns();
        if (crosses) {
            crossings.waits(bucket, full, first, nowMillis);
        }
        Group turn = bucket.turnOf;
        if (turn == full && !bucket.lapsed) {
            registry.turnInVain(full, bucket, nowMillis);
            gone(bucket);
        } else if (crosses && crossings.keepsTurn(bucket, full, first, nowMillis)) {
            gone(bucket);
            crossings.keep(bucket, turn, full, nowMillis);
        } else if (turn != null) {
            if (crosses && !bucket.lapsed) {
                bucket.credit.earn(bucket.groups, turn);
            }
            passOn(bucket, nowMillis);
        }
    }

    /** A bucket starts something; its own turn is used, others lapse where the pool takes turns. */
    void started(Bucket bucket, boolean takesTurns, long nowMillis) {
        crossings.started(bucket, nowMillis);
        if (bucket.keepsPlace()) {
            Groups.turnUsed(bucket.turnOf, bucket);
            gone(bucket);
        }
        if (takesTurns && first() != null) {
            List<Bucket> others = List.copyOf(kept);
            kept.clear();
            lapsed = lapsed == null ? new LinkedHashSet<>() : lapsed;
            for (Bucket other : others) {
                lapsed.add(other);
                other.lapsed = true;
                registry.lapse(other.turnOf, other, nowMillis);
                crossings.giveBack(other, nowMillis);
            }
        }
        if (bucket.turnOf != null) {
            passOn(bucket, nowMillis);
        }
    }

    /** A bucket has no turn any more, and others know. */
    private void gone(Bucket bucket) {
        (bucket.lapsed ? lapsed : kept).remove(bucket);
        bucket.turnOf = null;
        bucket.lapsed = false;
    }

    /** A bucket starts nothing for now: its turn goes to others, and so does what is kept for it. */
    void drop(Bucket bucket, long nowMillis) {
        if (bucket.turnOf != null) {
            passOn(bucket, nowMillis);
        }
        crossings.giveBack(bucket, nowMillis);
        waitsNoMore(bucket);
    }

    /** A bucket starts nothing for now: when it waits again, it waits anew. */
    void waitsNoMore(Bucket bucket) {
        crossings.waitsNoMore(bucket);
    }

    /** What is kept for a bucket goes to others. */
    void giveBack(Bucket bucket, long nowMillis) {
        crossings.giveBack(bucket, nowMillis);
    }

    private void passOn(Bucket bucket, long nowMillis) {
        Group turn = bucket.turnOf;
        boolean hadLapsed = bucket.lapsed;
        gone(bucket);
        if (hadLapsed) {
            registry.lapseEnded(turn, bucket, nowMillis);
        } else {
            registry.passOn(turn, bucket, nowMillis);
        }
    }

    /** The same for some buckets. */
    void drop(Predicate<Bucket> which, long nowMillis) {
        passOn(kept, which, nowMillis);
        passOn(lapsed, which, nowMillis);
        crossings.giveBack(which, nowMillis);
    }

    private void passOn(Set<Bucket> buckets, Predicate<Bucket> which, long nowMillis) {
        if (buckets != null && !buckets.isEmpty()) {
            for (Bucket bucket : List.copyOf(buckets)) {
                if (which.test(bucket)) {
                    passOn(bucket, nowMillis);
                }
            }
        }
    }
}
