package dev.weir.simulator.reference;

import dev.weir.scheduler.options.PoolOptions;

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

    RefPool(String name, PoolOptions options) {
        this.name = name;
        this.options = options;
        policy = Policy.named(options.policy());
    }
}
