package dev.weir.queues.api;

import java.util.Map;

/**
 * Makes the priority of an item from its facts. The same arguments must always give the same priority: it is asked again when facts come,
 * and after a restart. Found by {@link java.util.ServiceLoader}; called by one thread.
 */
public interface Ranker {

    /** By which settings of queues name it: letters, digits, dots, dashes and underscores. */
    String name();

    /**
     * The priority of an item that was not pushed with priority 1.
     *
     * @param given as the push gave it, 2 to 1,000,000
     * @param facts of the item and of its owner, at most 32; those of the item win
     * @param weights by fact, as the queue has them
     * @return less is better; Weir takes 2 for less than that, and 1,000,000 for more
     */
    long priority(int given, Map<String, Double> facts, Map<String, Double> weights);
}
