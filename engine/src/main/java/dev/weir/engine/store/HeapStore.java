package dev.weir.engine.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A store in memory, for tests, the simulator and benchmarks. It keeps encoded values, as RocksDB does, so that sizes are
 * honest and a {@link #snapshot} is cheap. Not safe for use by several threads.
 */
public final class HeapStore implements Store {

    private final Map<String, Map<String, byte[]>> tables;
    private final ByteSink sink = new ByteSink(1024);

    public HeapStore() {
        this(new HashMap<>());
    }

    private HeapStore(Map<String, Map<String, byte[]>> tables) {
        this.tables = tables;
    }

    @Override
    public <V> V get(Table<V> table, String key) {
        Map<String, byte[]> entries = tables.get(table.name());
        byte[] bytes = entries == null ? null : entries.get(key);
        return bytes == null ? null : table.decode(bytes);
    }

    @Override
    public <V> void put(Table<V> table, String key, V value) {
        tables.computeIfAbsent(table.name(), name -> new HashMap<>()).put(key, encoded(table, value));
    }

    private <V> byte[] encoded(Table<V> table, V value) {
        sink.clear();
        table.encode(value, sink);
        return sink.toByteArray();
    }

    @Override
    public void remove(Table<?> table, String key) {
        Map<String, byte[]> entries = tables.get(table.name());
        if (entries != null) {
            entries.remove(key);
        }
    }

    @Override
    public <V> void forEach(Table<V> table, BiConsumer<String, V> consumer, BiConsumer<String, DamagedValue> damaged) {
        tables.getOrDefault(table.name(), Map.of()).forEach((key, bytes) -> {
            V value;
            try {
                value = table.decode(bytes);
            } catch (DamagedValue e) {
                damaged.accept(key, e);
                return;
            }
            consumer.accept(key, value);
        });
    }

    /** For tests of damage: replaces the bytes of a value. */
    public void damage(Table<?> table, String key, byte[] bytes) {
        tables.get(table.name()).put(key, bytes);
    }

    /** An independent copy of the present state, as a checkpoint takes it. Costs a copy of the keys, not of the values. */
    public HeapStore snapshot() {
        Map<String, Map<String, byte[]>> copy = new HashMap<>();
        tables.forEach((name, entries) -> copy.put(name, new HashMap<>(entries)));
        return new HeapStore(copy);
    }

    /** Whether another one has the same entries, byte for byte. */
    public boolean isSameAs(HeapStore other) {
        return holdsAllOf(other) && other.holdsAllOf(this);
    }

    private boolean holdsAllOf(HeapStore other) {
        for (Map.Entry<String, Map<String, byte[]>> table : other.tables.entrySet()) {
            Map<String, byte[]> own = tables.getOrDefault(table.getKey(), Map.of());
            for (Map.Entry<String, byte[]> entry : table.getValue().entrySet()) {
                if (!Arrays.equals(entry.getValue(), own.get(entry.getKey()))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Entries of all tables. */
    public long size() {
        return tables.values().stream().mapToLong(Map::size).sum();
    }

    /** Bytes of all keys and values, without the overhead of the map. */
    public long bytes() {
        long sum = 0;
        for (Map<String, byte[]> entries : tables.values()) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                sum += entry.getKey().length() + entry.getValue().length;
            }
        }
        return sum;
    }
}
