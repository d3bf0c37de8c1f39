package dev.weir.simulator.world;

import dev.weir.scheduler.Effects;
import dev.weir.scheduler.Event;
import dev.weir.scheduler.store.Store;

/** Where a test can lie to the core, or for it, to see whether the rules notice. By default there is no lie. */
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
