package dev.weir.simulator.world;

import dev.weir.scheduler.Effects;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.store.Store;

/** Where a test can lie to the core, or for it, to see whether the ledger notices. By default nobody does. */
public interface Tamper {

    Tamper NONE = new Tamper() {};

    default Store store(Store honest) {
        return honest;
    }

    default Effects effects(Effects honest) {
        return honest;
    }

    default Event event(Event honest) {
        return honest;
    }

    default long now(long honestMillis) {
        return honestMillis;
    }
}
