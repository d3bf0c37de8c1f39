package dev.weir.simulator.world;

import dev.weir.scheduler.Scheduler;

/** Holds a core's memory against its state. */
@FunctionalInterface
interface Verifier {

    Verifier NONE = core -> {};

    /** Throws {@link IllegalStateException} with what differs. */
    void verify(Scheduler core);
}
