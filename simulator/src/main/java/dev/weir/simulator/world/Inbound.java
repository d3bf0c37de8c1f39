package dev.weir.simulator.world;

import dev.weir.protocol.PageRequest;
import dev.weir.scheduler.api.Event;

/** A message on its way to Weir, or a page request that Weir's reader takes from its own queue. */
sealed interface Inbound {

    /** For the core at once. */
    record Message(Event event) implements Inbound {}

    /** For the reader of datasets, whose answer goes to the core. */
    record PageAsk(PageRequest request) implements Inbound {}
}
