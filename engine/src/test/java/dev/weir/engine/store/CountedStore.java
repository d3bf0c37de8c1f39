package dev.weir.engine.store;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** A store that counts what one event reads and writes, and measures what is written. */
public final class CountedStore extends StoreAround {

    /** Reads and writes since the event began, and of the event that had most. */
    private int entries;

    private int most;
    /** By table: the largest value that was written, in bytes. */
    private final Map<String, Integer> largest = new TreeMap<>();

    public CountedStore(Store store) {
        super(store);
    }

    public void eventBegins() {
        entries = 0;
    }

    /** What was counted so far does not count. */
    public void forget() {
        entries = 0;
        most = 0;
    }

    public int most() {
        return most;
    }

    public Map<String, Integer> largest() {
        return largest;
    }

    @Override
    public <V> V get(Table<V> table, String key) {
        count();
        return super.get(table, key);
    }

    @Override
    public <V> void put(Table<V> table, String key, V value) {
        count();
        largest.merge(table.name(), table.encode(value).length, Math::max);
        super.put(table, key, value);
    }

    @Override
    public void remove(Table<?> table, String key) {
        count();
        super.remove(table, key);
    }

    @Override
    public <V> void forEach(Table<V> table, BiConsumer<String, V> consumer, BiConsumer<String, DamagedValue> damaged) {
        super.forEach(
                table,
                (key, value) -> {
                    count();
                    consumer.accept(key, value);
                },
                damaged);
    }

    private void count() {
        most = Math.max(most, ++entries);
    }
}
