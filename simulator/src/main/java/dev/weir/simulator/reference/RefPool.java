package dev.weir.simulator.reference;

import dev.weir.scheduler.options.PoolOptions;
import java.util.ArrayDeque;
import java.util.Deque;

/** One pool of the reference. */
final class RefPool {

    /** What a command has made of it. */
    enum Use {
        NORMAL,
        /** Nothing fresh starts, but what was begun is tried again. */
        DRAINING,
        PAUSED
    }

    final String name;
    final PoolOptions options;
    final Policy policy;
    Use use = Use.NORMAL;
    long usedAt;
    /** DSM did not give the page that was waited for last. */
    boolean dsmIsSilent;
    /** When the messages of jobs that ended while they were queued no longer take a place; the oldest first. */
    final Deque<Long> staleMessages = new ArrayDeque<>();

    RefPool(String name, PoolOptions options) {
        this.name = name;
        this.options = options;
        policy = Policy.named(options.policy());
    }

    void forgetStaleMessages(long now) {
        while (!staleMessages.isEmpty() && staleMessages.peek() <= now) {
            staleMessages.poll();
        }
    }
}
