package dev.weir.scheduler.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * The effects of the event at hand, in the order in which they were decided.
 *
 * @param <F> effects
 */
public final class Outbox<F> {

    private List<F> effects = new ArrayList<>();

    public void add(F effect) {
        effects.add(effect);
    }

    /** Returns the effects and starts an empty list. */
    List<F> drain() {
        List<F> drained = effects;
        effects = new ArrayList<>();
        return drained;
    }
}
