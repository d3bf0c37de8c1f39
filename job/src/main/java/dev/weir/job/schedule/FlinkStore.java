package dev.weir.job.schedule;

import dev.weir.scheduler.store.Store;
import dev.weir.scheduler.store.Table;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * The scheduler's tables as keyed state: one map from strings to bytes each. Flink never looks into a value, so tables evolve by
 * the core's own versions. Works on the key that is current when it is called; one thread.
 *
 * <p>A failure of the state backend is a {@link StateFailure}: it says nothing about the event at hand and must fail the job, which
 * then restores its last checkpoint.
 */
final class FlinkStore implements Store {

    private final Map<String, MapState<String, byte[]>> tables = new HashMap<>();

    FlinkStore(FunctionInitializationContext context, Collection<Table<?>> all) {
        for (Table<?> table : all) {
            tables.put(
                    table.name(),
                    context.getKeyedStateStore()
                            .getMapState(new MapStateDescriptor<>(
                                    table.name(), StringSerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE)));
        }
    }

    @Override
    public <V> V get(Table<V> table, String key) {
        try {
            byte[] bytes = state(table).get(key);
            return bytes == null ? null : table.decode(bytes);
        } catch (Exception e) {
            throw new StateFailure("cannot read " + key + " of " + table, e);
        }
    }

    @Override
    public <V> void put(Table<V> table, String key, V value) {
        try {
            state(table).put(key, table.encode(value));
        } catch (Exception e) {
            throw new StateFailure("cannot write " + key + " of " + table, e);
        }
    }

    @Override
    public void remove(Table<?> table, String key) {
        try {
            state(table).remove(key);
        } catch (Exception e) {
            throw new StateFailure("cannot remove " + key + " of " + table, e);
        }
    }

    @Override
    public <V> void forEach(Table<V> table, BiConsumer<String, V> consumer) {
        try {
            for (Map.Entry<String, byte[]> entry : state(table).entries()) {
                consumer.accept(entry.getKey(), table.decode(entry.getValue()));
            }
        } catch (Exception e) {
            throw new StateFailure("cannot scan " + table, e);
        }
    }

    private MapState<String, byte[]> state(Table<?> table) {
        MapState<String, byte[]> state = tables.get(table.name());
        if (state == null) {
            throw new IllegalArgumentException(
                    table + " is not among the tables that the scheduler named at the start");
        }
        return state;
    }

    /** The state backend failed, not the event. */
    static final class StateFailure extends FlinkRuntimeException {
        StateFailure(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
