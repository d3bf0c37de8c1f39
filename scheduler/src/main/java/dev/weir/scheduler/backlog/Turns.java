package dev.weir.scheduler.backlog;

import dev.weir.scheduler.limit.Group;
import dev.weir.scheduler.limit.Groups;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The buckets of a task that were woken for a place in a group and have not used it. The place is kept until the task starts something
 * else; then the turn lapses, and others may go first. Each turn lapses once, so this costs no more than the waking.
 */
final class Turns {

    private final Groups registry;
    /** In the order in which they were woken; null before the first. */
    private LinkedHashSet<Bucket> kept;

    private LinkedHashSet<Bucket> lapsed;

    Turns(Groups registry) {
        this.registry = registry;
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

    /** A bucket starts something; its own turn is used, others lapse where the pool takes turns. */
    void started(Bucket bucket, boolean takesTurns, long nowMillis) {
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
            }
        }
        if (bucket.turnOf != null) {
            passOn(bucket, nowMillis);
        }
    }

    /** A bucket has no turn any more, and others know. */
    void gone(Bucket bucket) {
        (bucket.lapsed ? lapsed : kept).remove(bucket);
        bucket.turnOf = null;
        bucket.lapsed = false;
    }

    /** A bucket does not use its turn. */
    void passOn(Bucket bucket, long nowMillis) {
        Group turn = bucket.turnOf;
        boolean hadLapsed = bucket.lapsed;
        gone(bucket);
        if (hadLapsed) {
            registry.lapseEnded(turn, bucket, nowMillis);
        } else {
            registry.passOn(turn, bucket, nowMillis);
        }
    }

    /** Some buckets do not use their turns. */
    void passOn(Predicate<Bucket> which, long nowMillis) {
        passOn(kept, which, nowMillis);
        passOn(lapsed, which, nowMillis);
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
