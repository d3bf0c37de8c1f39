package dev.weir.chaos.judge;

import java.util.List;

/**
 * An item that a queue accepted, and what came of it.
 *
 * @param pushedOnce whether its push was answered at once: it can have been pushed only once
 * @param leases that workers had of it, the earliest first
 * @param state in the queue at the end: {@code dead}, or {@code gone} when the queue knows no such item
 */
public record SeenItem(String key, boolean pushedOnce, List<SeenLease> leases, String state) {

    public static final String DEAD = "dead";
    public static final String GONE = "gone";

    public SeenItem {
        leases = List.copyOf(leases);
    }
}
