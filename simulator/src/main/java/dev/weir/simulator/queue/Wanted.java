package dev.weir.simulator.queue;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import java.util.HashMap;
import java.util.Map;

/**
 * What a push wants of an item, as later pushes have changed it.
 *
 * @param notBefore in milliseconds since 1970; 0 for any time
 * @param again when its key runs again; null if no push has said
 * @param facts what a ranker makes its priority of
 */
record Wanted(Item item, int priority, long notBefore, Again again, Map<String, Double> facts) {

    static Wanted of(Item item) {
        return new Wanted(
                item,
                item.priority(),
                item.notBefore() == null ? 0 : item.notBefore().toEpochMilli(),
                item.again(),
                item.facts());
    }

    /** In milliseconds since 1970; 0 for never. */
    long expiresAt() {
        return item.expiresAt() == null ? 0 : item.expiresAt().toEpochMilli();
    }

    boolean recurs() {
        return again != null && again.recurs();
    }

    /** The better priority and the earlier start of both, and the rule of the other if it has one; all else as it is. */
    Wanted raised(Wanted other) {
        return new Wanted(item, Math.min(priority, other.priority), Math.min(notBefore, other.notBefore), again, facts)
                .by(other.again);
    }

    /** What runs after a leased one that is met by another push: the same, but when that one says. */
    Wanted followedBy(Wanted other) {
        return raised(other).notBefore(other.notBefore);
    }

    /** By another rule; null for its own. */
    Wanted by(Again rule) {
        return rule == null ? this : new Wanted(item, priority, notBefore, rule, facts);
    }

    Wanted notBefore(long time) {
        return new Wanted(item, priority, time, again, facts);
    }

    Wanted priority(int other) {
        return new Wanted(item, other, notBefore, again, facts);
    }

    /** With these facts too. */
    Wanted knowing(Map<String, Double> more) {
        Map<String, Double> all = new HashMap<>(facts);
        all.putAll(more);
        return new Wanted(item, priority, notBefore, again, all);
    }

    /** Characters of the payload. */
    long size() {
        return item.payload().json().length();
    }
}
