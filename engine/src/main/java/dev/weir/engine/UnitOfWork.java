package dev.weir.engine;

import dev.weir.engine.store.Store;
import dev.weir.engine.store.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one event writes: its own reads see it, and it reaches the store at the end of the event or never.
 *
 * <p>{@linkplain Entity Entities} are changed in memory in place; here they are only noted. (After an event that fails, memory is
 * built from the store again.)
 */
public final class UnitOfWork {

    private static final Object REMOVED = new Object();
    /** A map that was larger once would cost its whole capacity at every later event. */
    private static final int KEPT_SIZE = 32;

    private final Store store;
    private final List<Pending> pending = new ArrayList<>();
    private final List<Entity> changed = new ArrayList<>();

    UnitOfWork(Store store) {
        this.store = store;
    }

    /** What is to be written to one table. */
    private static final class Pending {
        final Table<?> table;
        Map<String, Object> values = new HashMap<>();

        Pending(Table<?> table) {
            this.table = table;
        }
    }

    /** The value as this event has left it so far; null when there is none. */
    @SuppressWarnings("unchecked")
    public <V> V get(Table<V> table, String key) {
        Map<String, Object> values = of(table);
        Object value = values.isEmpty() ? null : values.get(key);
        if (value != null) {
            return value == REMOVED ? null : (V) value;
        }
        return store.get(table, key);
    }

    /** The value is encoded at the end of the event: changes to it until then count. */
    public <V> void put(Table<V> table, String key, V value) {
        of(table).put(key, value);
    }

    public void remove(Table<?> table, String key) {
        of(table).put(key, REMOVED);
    }

    private Map<String, Object> of(Table<?> table) {
        for (int i = 0; i < pending.size(); i++) {
            if (pending.get(i).table == table) {
                return pending.get(i).values;
            }
        }
        Pending own = new Pending(table);
        pending.add(own);
        return own.values;
    }

    /** The entity is to be saved at the end of the event. */
    public void changed(Entity entity) {
        if (!entity.markChanged(true)) {
            changed.add(entity);
        }
    }

    /** The entities that this event has changed so far, each once. */
    public List<Entity> changed() {
        return changed;
    }

    /** Entities first: what was put or removed by key wins. */
    @SuppressWarnings("unchecked")
    void commit() {
        for (int i = 0; i < changed.size(); i++) {
            Entity entity = changed.get(i);
            entity.markChanged(false);
            entity.save(store);
        }
        changed.clear();
        for (int i = 0; i < pending.size(); i++) {
            Pending own = pending.get(i);
            if (!own.values.isEmpty()) {
                for (Map.Entry<String, Object> entry : own.values.entrySet()) {
                    if (entry.getValue() == REMOVED) {
                        store.remove(own.table, entry.getKey());
                    } else {
                        store.put((Table<Object>) own.table, entry.getKey(), entry.getValue());
                    }
                }
                if (own.values.size() <= KEPT_SIZE) {
                    own.values.clear();
                } else {
                    own.values = new HashMap<>();
                }
            }
        }
    }
}
