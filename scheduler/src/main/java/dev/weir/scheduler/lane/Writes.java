package dev.weir.scheduler.lane;

import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.store.Store;
import dev.weir.scheduler.store.Table;
import java.util.ArrayList;
import java.util.HashMap;
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

    private static final int KEPT_SIZE = 32;

    private final Store store;
    private final List<Pending> pending = new ArrayList<>();
    private final List<TaskEntry> tasks = new ArrayList<>();
    private final List<LiveJob> jobs = new ArrayList<>();
    private final List<PilotEntry> pilots = new ArrayList<>();
    private boolean lane;

    Writes(Store store) {
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

    @SuppressWarnings("unchecked")
    <V> V get(Table<V> table, String key) {
        Object value = of(table).get(key);
        if (value != null) {
            return value == REMOVED ? null : (V) value;
        }
        return store.get(table, key);
    }

    /** The record of a job that is over, also when it ended in this very event and is not in the store yet; null for none. */
    JobRecord job(String uid) {
        JobRecord stored = get(Tables.JOB, uid);
        for (int i = 0; stored == null && i < jobs.size(); i++) {
            LiveJob job = jobs.get(i);
            stored = !job.forgotten && job.r.uid.equals(uid) ? job.r : null;
        }
        return stored;
    }

    <V> void put(Table<V> table, String key, V value) {
        of(table).put(key, value);
    }

    void remove(Table<?> table, String key) {
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
            from.recount(task);
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
                    // A map that was large once would cost its whole capacity at every later event.
                    own.values = new HashMap<>();
                }
            }
        }
    }
}
