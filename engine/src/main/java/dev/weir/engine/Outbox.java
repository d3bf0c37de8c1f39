package dev.weir.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * The effects of the event at hand, in the order in which they were decided.
 *
 * @param <F> effects
 */
public final class Outbox<F> {

    private final List<F> effects = new ArrayList<>();

    public void add(F effect) {
        effects.add(effect);
    }

    /** Returns the effects in a list of exactly their size, and starts anew. */
    List<F> drain() {
        List<F> drained = new ArrayList<>(effects);
        effects.clear();
        return drained;
    }
}
