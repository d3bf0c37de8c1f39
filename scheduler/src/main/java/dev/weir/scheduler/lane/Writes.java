package dev.weir.scheduler.lane;

import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.store.Store;
import dev.weir.scheduler.store.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The unit of work of one event: what it writes is seen by its own reads and reaches the store at its end, or never.
 *
 * <p>Tasks, jobs that are out and pilots live in memory as well and are changed there in place; here they only note that they must
 * be written. (When an event fails, memory is rebuilt from the store.)
 */
final class Writes {

    private static final Object REMOVED = new Object();

    private final Store store;
    private final Map<Table<?>, Map<String, Object>> pending = new IdentityHashMap<>();
    private final List<TaskEntry> tasks = new ArrayList<>();
    private final List<LiveJob> jobs = new ArrayList<>();
    private final List<PilotEntry> pilots = new ArrayList<>();
    private boolean lane;

    Writes(Store store) {
        this.store = store;
    }

    @SuppressWarnings("unchecked")
    <V> V get(Table<V> table, String key) {
        Map<String, Object> own = pending.get(table);
        Object value = own == null ? null : own.get(key);
        if (value != null) {
            return value == REMOVED ? null : (V) value;
        }
        return store.get(table, key);
    }

    <V> void put(Table<V> table, String key, V value) {
        own(table).put(key, value);
    }

    void remove(Table<?> table, String key) {
        own(table).put(key, REMOVED);
    }

    private Map<String, Object> own(Table<?> table) {
        Map<String, Object> own = pending.get(table);
        if (own == null) {
            own = new HashMap<>();
            pending.put(table, own);
        }
        return own;
    }

    void changed(TaskEntry task) {
        if (!task.dirty) {
            task.dirty = true;
            tasks.add(task);
        }
    }

    void changed(LiveJob job) {
        if (!job.dirty) {
            job.dirty = true;
            jobs.add(job);
        }
    }

    void changed(PilotEntry pilot) {
        if (!pilot.dirty) {
            pilot.dirty = true;
            pilots.add(pilot);
        }
    }

    void laneChanged() {
        lane = true;
    }

    @SuppressWarnings("unchecked")
    void commit(Lane from) {
        if (lane) {
            store.put(Tables.LANE, "", from.record);
            lane = false;
        }
        for (TaskEntry task : tasks) {
            task.dirty = false;
            Progress progress = task.p;
            if (task.gone) {
                store.remove(Tables.PROGRESS, progress.uid);
            } else {
                store.put(Tables.PROGRESS, progress.uid, progress);
            }
        }
        tasks.clear();
        for (LiveJob job : jobs) {
            job.dirty = false;
            JobRecord record = job.r;
            if (job.forgotten) {
                store.remove(Tables.JOB, record.uid);
            } else {
                store.put(Tables.JOB, record.uid, record);
            }
        }
        jobs.clear();
        for (PilotEntry pilot : pilots) {
            pilot.dirty = false;
            PilotRecord record = pilot.r;
            if (pilot.gone) {
                store.remove(Tables.PILOT, record.id);
            } else {
                store.put(Tables.PILOT, record.id, record);
            }
        }
        pilots.clear();
        for (Map.Entry<Table<?>, Map<String, Object>> table : pending.entrySet()) {
            if (!table.getValue().isEmpty()) {
                for (Map.Entry<String, Object> entry : table.getValue().entrySet()) {
                    if (entry.getValue() == REMOVED) {
                        store.remove(table.getKey(), entry.getKey());
                    } else {
                        store.put((Table<Object>) table.getKey(), entry.getKey(), entry.getValue());
                    }
                }
                table.getValue().clear();
            }
        }
    }
}
