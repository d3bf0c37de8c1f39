package dev.weir.engine.store;

import java.util.function.BiConsumer;

/**
 * Where one lane's state lives. The scheduler writes only at the end of an event that succeeded, with all its writes in one
 * call sequence on one thread; it scans only to rebuild its index.
 *
 * <p>Values are mutable for the scheduler: a store keeps bytes (or a deep copy), never the reference it was given, and gives
 * a fresh object at each {@link #get}. {@code StoreContract} in this module's test-jar checks an implementation.
 */
public interface Store {

    /** The value, or null when there is none. */
    <V> V get(Table<V> table, String key);

    <V> void put(Table<V> table, String key, V value);

    /** Removes the value; nothing happens when there is none. */
    void remove(Table<?> table, String key);

    /**
     * Every entry in any order; only for rebuilding the index. The table is not changed meanwhile.
     *
     * @param damaged takes the keys of values that are damaged
     */
    <V> void forEach(Table<V> table, BiConsumer<String, V> consumer, BiConsumer<String, DamagedValue> damaged);

    /** Every entry in any order. Throws {@link DamagedValue} for one that is damaged. */
    default <V> void forEach(Table<V> table, BiConsumer<String, V> consumer) {
        forEach(table, consumer, (key, damage) -> {
            throw damage;
        });
    }
}
