package dev.weir.job.lane;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.DamagedValue;
import dev.weir.engine.store.Store;
import dev.weir.engine.store.StoreFailure;
import dev.weir.engine.store.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;

/**
 * One lane's tables as keyed state: a map from strings to bytes each. Flink never looks into a value, so tables evolve by the
 * core's own versions.
 *
 * <p>Writes are gathered: what is written again and again (how far a task has come), or written and soon removed (a short job, an item that is
 * leased for a moment), costs the state backend one write, or none. Reads see what was gathered. When much was gathered, what has not changed
 * since the time before reaches the backend ({@link #spill}); before each snapshot every lane must be {@linkplain #flush flushed}.
 *
 * <p>All calls must be made on the thread of the operator, while its current key is the lane. A failure of the state backend is a
 * {@link StateFailure}: it says nothing about the event at hand and must fail the job, which then restores its last checkpoint.
 */
final class FlinkStore implements Store {

    /** Entries to gather until the older ones are written, which takes some milliseconds. */
    private static final int MOST_ENTRIES = 4_096;

    private static final long MOST_BYTES = 4 << 20;

    /** Instead of a value: the entry is to be removed. */
    private static final byte[] REMOVED = {};

    private final Map<String, Gathered> tables = new HashMap<>();
    private final List<Gathered> inOrder = new ArrayList<>();
    private final ByteSink sink = new ByteSink(1024);
    /** Since the last spill. */
    private int entries;

    private long bytes;

    /** One table: its state, and what is to be written to it. */
    private static final class Gathered {
        final MapState<String, byte[]> state;
        /** Since the last spill. */
        Map<String, byte[]> changes = new HashMap<>();
        /** Before it, and not changed since. */
        Map<String, byte[]> older = new HashMap<>();

        Gathered(MapState<String, byte[]> state) {
            this.state = state;
        }
    }

    /** @param states of all tables, by name, as {@link #states} gives them */
    FlinkStore(Map<String, MapState<String, byte[]>> states) {
        states.forEach((name, state) -> {
            Gathered table = new Gathered(state);
            tables.put(name, table);
            inOrder.add(table);
        });
    }

    /** Registers the state of each table; the stores of all lanes share it, because each works on the key of its lane. */
    static Map<String, MapState<String, byte[]>> states(KeyedStateStore keyed, Collection<Table<?>> all) {
        Map<String, MapState<String, byte[]>> states = new HashMap<>();
        for (Table<?> table : all) {
            states.put(table.name(), keyed.getMapState(KeyedTables.descriptor(table)));
        }
        return states;
    }

    @Override
    public <V> V get(Table<V> table, String key) {
        Gathered of = of(table);
        byte[] value = of.changes.get(key);
        if (value == null) {
            value = of.older.get(key);
        }
        if (value == REMOVED) {
            return null;
        }
        byte[] stored;
        try {
            stored = value == null ? of.state.get(key) : value;
        } catch (Exception e) {
            throw new StateFailure("cannot read " + key + " of " + table, e);
        }
        return stored == null ? null : table.decode(stored);
    }

    @Override
    public <V> void put(Table<V> table, String key, V value) {
        sink.clear();
        try {
            table.encode(value, sink);
        } catch (RuntimeException | StackOverflowError e) {
            // Other writes of the same event are gathered already: it can't be rejected as if nothing had happened.
            throw new StateFailure("cannot encode " + key + " of " + table, e);
        }
        change(table, key, sink.toByteArray());
    }

    @Override
    public void remove(Table<?> table, String key) {
        change(table, key, REMOVED);
    }

    private void change(Table<?> table, String key, byte[] value) {
        Gathered of = of(table);
        byte[] before = of.changes.put(key, value);
        bytes += value.length;
        if (before == null) {
            of.older.remove(key);
            entries++;
            bytes += key.length();
        } else {
            bytes -= before.length;
        }
    }

    @Override
    public <V> void forEach(Table<V> table, BiConsumer<String, V> consumer, BiConsumer<String, DamagedValue> damaged) {
        flush();
        try {
            for (Map.Entry<String, byte[]> entry : of(table).state.entries()) {
                V value;
                try {
                    value = table.decode(entry.getValue());
                } catch (DamagedValue e) {
                    damaged.accept(entry.getKey(), e);
                    continue;
                }
                consumer.accept(entry.getKey(), value);
            }
        } catch (DamagedValue | StoreFailure e) {
            throw e;
        } catch (Exception e) {
            throw new StateFailure("cannot scan " + table, e);
        }
    }

    /** Whether so much was gathered that it is time to {@link #spill}. */
    boolean isFull() {
        return entries >= MOST_ENTRIES || bytes >= MOST_BYTES;
    }

    /** Whether nothing is gathered. */
    boolean isFlushed() {
        return inOrder.stream().allMatch(table -> table.changes.isEmpty() && table.older.isEmpty());
    }

    /** Writes what was gathered before the last spill and has not changed since. */
    void spill() {
        for (Gathered table : inOrder) {
            write(table, table.older);
            Map<String, byte[]> written = table.older;
            table.older = table.changes;
            table.changes = written;
        }
        entries = 0;
        bytes = 0;
    }

    /** Writes all that was gathered. */
    void flush() {
        spill();
        for (Gathered table : inOrder) {
            write(table, table.older);
        }
    }

    private static void write(Gathered table, Map<String, byte[]> changes) {
        if (changes.isEmpty()) {
            return;
        }
        Map<String, byte[]> puts = new HashMap<>();
        try {
            for (Map.Entry<String, byte[]> change : changes.entrySet()) {
                if (change.getValue() == REMOVED) {
                    table.state.remove(change.getKey());
                } else {
                    puts.put(change.getKey(), change.getValue());
                }
            }
            // All at once: RocksDB takes a batch for much less than its entries one by one.
            table.state.putAll(puts);
        } catch (Exception e) {
            throw new StateFailure("cannot write " + changes.size() + " changes", e);
        }
        changes.clear();
    }

    private Gathered of(Table<?> table) {
        Gathered of = tables.get(table.name());
        if (of == null) {
            throw new IllegalArgumentException(table + " is not among the tables that the core named at the start");
        }
        return of;
    }

    /** The state backend failed, not the event. */
    static final class StateFailure extends StoreFailure {
        StateFailure(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
