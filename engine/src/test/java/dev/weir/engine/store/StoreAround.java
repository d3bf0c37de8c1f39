package dev.weir.engine.store;

import java.util.function.BiConsumer;

/** A store that passes everything on to another one: a test overrides what it wants to go wrong. */
public class StoreAround implements Store {

    private final Store store;

    public StoreAround(Store store) {
        this.store = store;
    }

    @Override
    public <V> V get(Table<V> table, String key) {
        return store.get(table, key);
    }

    @Override
    public <V> void put(Table<V> table, String key, V value) {
        store.put(table, key, value);
    }

    @Override
    public void remove(Table<?> table, String key) {
        store.remove(table, key);
    }

    @Override
    public <V> void forEach(Table<V> table, BiConsumer<String, V> consumer, BiConsumer<String, DamagedValue> damaged) {
        store.forEach(table, consumer, damaged);
    }
}
