package dev.weir.simulator.queue;

import dev.weir.protocol.queue.Item;

/**
 * What a push wants of an item, as later pushes have changed it.
 *
 * @param notBefore in milliseconds since 1970; 0 for any time
 */
record Wanted(Item item, int priority, long notBefore) {

    static Wanted of(Item item) {
        return new Wanted(
                item,
                item.priority(),
                item.notBefore() == null ? 0 : item.notBefore().toEpochMilli());
    }

    /** In milliseconds since 1970; 0 for never. */
    long expiresAt() {
        return item.expiresAt() == null ? 0 : item.expiresAt().toEpochMilli();
    }

    /** The better priority and the earlier start of both; all else as it is. */
    Wanted raised(Wanted other) {
        return new Wanted(item, Math.min(priority, other.priority), Math.min(notBefore, other.notBefore));
    }

    /** Characters of the payload. */
    long size() {
        return item.payload().json().length();
    }
}
