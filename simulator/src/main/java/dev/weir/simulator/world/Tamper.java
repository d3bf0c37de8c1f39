package dev.weir.simulator.world;

import dev.weir.engine.store.Store;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import java.util.List;

/** Where a test can lie to the core, or for it, to see whether the rules notice. By default there is no lie. */
public interface Tamper {

    Tamper NONE = new Tamper() {};

    default Store store(Store honest) {
        return honest;
    }

    default List<Effect> effects(List<Effect> honest) {
        return honest;
    }

    default Event event(Event honest) {
        return honest;
    }

    default long now(long honestMillis) {
        return honestMillis;
    }
}
