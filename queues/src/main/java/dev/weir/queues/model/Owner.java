package dev.weir.queues.model;

/** An owner of items of a queue. */
public final class Owner {

    private final String name;
    /** 1 to 100. */
    private int weight = 1;
    /** Null for the bound of the queue. */
    private Integer maxItems;

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

    /** How many items it has that are not dead. */
    public long items() {
        return items;
    }

    /** Whether weight and bound were set, so that it is kept without items. */
    public boolean isSet() {
        return set;
    }

    void set(int newWeight, Integer newMaxItems) {
        weight = newWeight;
        maxItems = newMaxItems;
        set = true;
    }
}
