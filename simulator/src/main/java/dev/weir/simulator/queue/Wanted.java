package dev.weir.simulator.queue;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What a push wants of an item, as later pushes have changed it.
 *
 * @param notBefore in milliseconds since 1970; 0 for any time
 * @param expiresAt in milliseconds since 1970; 0 for never
 * @param again when its key runs again; null if no push has said
 * @param facts what a ranker makes its priority of
 */
record Wanted(Item item, int priority, long notBefore, long expiresAt, Again again, Map<String, Double> facts) {

    static Wanted of(Item item) {
        return new Wanted(
                item,
                item.priority(),
                item.notBefore() == null ? 0 : item.notBefore().toEpochMilli(),
                item.expiresAt() == null ? 0 : item.expiresAt().toEpochMilli(),
                item.again(),
                item.facts());
    }

    boolean hasExpired(long now) {
        return expiresAt > 0 && expiresAt <= now;
    }

    boolean recurs() {
        return again != null && again.recurs();
    }

    /** The better priority and the earlier start of both, and the rule of the other if it has one; all else as it is. */
    Wanted raised(Wanted other) {
        return priority(Math.min(priority, other.priority))
                .notBefore(Math.min(notBefore, other.notBefore))
                .by(other.again);
    }

    /** What runs after a leased one that is met by another push: the same, but when that one says. */
    Wanted followedBy(Wanted other) {
        return raised(other).notBefore(other.notBefore).expiresAt(other.expiresAt);
    }

    /** What is to run after a leased one, of which another push was promised the same: it expires when both have. */
    Wanted shared(Wanted other) {
        boolean never = expiresAt == 0 || other.expiresAt == 0;
        return raised(other).expiresAt(never ? 0 : Math.max(expiresAt, other.expiresAt));
    }

    /** By another rule; null for its own. */
    Wanted by(Again rule) {
        return rule == null ? this : new Wanted(item, priority, notBefore, expiresAt, rule, facts);
    }

    Wanted notBefore(long time) {
        return new Wanted(item, priority, time, expiresAt, again, facts);
    }

    private Wanted expiresAt(long time) {
        return new Wanted(item, priority, notBefore, time, again, facts);
    }

    Wanted priority(int other) {
        return new Wanted(item, other, notBefore, expiresAt, again, facts);
    }

    /** With the facts of a score. */
    Wanted knowing(Map<String, Double> changes) {
        Map<String, Double> all = new HashMap<>(facts);
        all.putAll(changes);
        all.values().removeIf(Objects::isNull);
        return new Wanted(item, priority, notBefore, expiresAt, again, all);
    }

    /** Characters of the payload. */
    long size() {
        return item.payload().json().length();
    }
}
