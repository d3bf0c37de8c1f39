package dev.weir.scheduler.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * The effects of the event at hand, in the order in which they were decided.
 *
 * @param <F> effects
 */
public final class Outbox<F> {

    /** Most events have fewer. */
    private static final int CAPACITY = 16;

    private List<F> effects = new ArrayList<>(CAPACITY);

    public void add(F effect) {
        effects.add(effect);
    }

    /** Returns the effects and starts an empty list. */
    List<F> drain() {
        List<F> drained = effects;
        effects = new ArrayList<>(CAPACITY);
        return drained;
    }
}
