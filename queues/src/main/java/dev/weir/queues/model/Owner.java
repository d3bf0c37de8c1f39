package dev.weir.queues.model;

import java.util.Map;

/** An owner of items of a queue. */
public final class Owner {

    private final String name;
    /** 1 to 100. */
    private int weight = 1;
    /** Null for the bound of the queue. */
    private Integer maxItems;

    private Map<String, Double> facts = Map.of();
    private boolean set;
    /** Its items that are not dead. */
    long items;

    Owner(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    public int weight() {
        return weight;
    }

    public Integer maxItems() {
        return maxItems;
    }

    /** From which priorities of its items are made. */
    public Map<String, Double> facts() {
        return facts;
    }

    /** How many items it has that are not dead. */
    public long items() {
        return items;
    }

    /** Whether weight, bound or facts were set, so that it is kept without items. */
    public boolean isSet() {
        return set;
    }

    void set(int newWeight, Integer newMaxItems, Map<String, Double> newFacts) {
        weight = newWeight;
        maxItems = newMaxItems;
        facts = newFacts;
        set = true;
    }

    void unset() {
        set(1, null, Map.of());
        set = false;
    }
}
