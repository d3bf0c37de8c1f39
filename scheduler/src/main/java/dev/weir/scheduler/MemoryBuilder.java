package dev.weir.scheduler;

import dev.weir.engine.store.DamagedValue;
import dev.weir.engine.store.Store;
import dev.weir.engine.store.Table;
import dev.weir.protocol.Mode;
import dev.weir.scheduler.model.ChunkRef;
import dev.weir.scheduler.model.GivenPriority;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.model.WaitingFiles;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.NodeRecord;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.PoolRecord;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.state.WaitingCommand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** Builds the memory of a lane from its store: after a restore, and after an event that failed. Sorted, so that it is repeatable. */
final class MemoryBuilder {

    private static final Set<Table<?>> OF_TASKS = Set.of(
            Tables.CHUNK, Tables.RELEASED, Tables.PRIORITY, Tables.ADOPTED, Tables.JOB, Tables.RETRYING, Tables.ASIDE);

    private final Lane lane;
    private final Store store;
    private final Parts parts;
    private final WaitingFiles files;
    private final Map<OpenTask.Damage, String> damages = new LinkedHashMap<>();

    MemoryBuilder(Lane lane, Store store, Parts parts) {
        this.lane = lane;
        this.store = store;
        this.parts = parts;
        files = parts.files;
    }

    void run() {
        each(Tables.POOL, this::pool);
        each(Tables.GROUP, (key, group) -> lane.groups.restore(key, group, lane.now()));
        List<NodeRecord> nodes = new ArrayList<>();
        each(Tables.NODE, (key, node) -> nodes.add(node));
        nodes.sort(Comparator.comparingLong(NodeRecord::setAsideUntil).thenComparing(NodeRecord::node));
        nodes.forEach(parts.nodes::restore);
        List<OpenTask> tasks = tasks();
        restoreAside();
        ofTasks();
        chunks(tasks);
        jobs();
        List<PilotRecord> pilots = new ArrayList<>();
        each(Tables.PILOT, (id, record) -> {
            pilots.add(record);
            parts.rows.began(record.version);
        });
        pilots.sort(Comparator.comparingLong((PilotRecord pilot) -> Math.max(pilot.lastSeenAt, pilot.useCommandAt))
                .thenComparing(pilot -> pilot.id));
        pilots.forEach(parts.pilots::restore);
        setDamagedAside();
        tasks.forEach(this::resume);
        lane.suspect = null;
        lane.groups.forgetUnused(lane.now());
        List<WaitingCommand> waiting = new ArrayList<>();
        each(Tables.WAITING, (key, command) -> waiting.add(command));
        waiting.sort(Comparator.comparingLong(WaitingCommand::until)
                .thenComparing(command -> command.command().id()));
        waiting.forEach(parts.earlyCommands::restore);
        tasks.forEach(parts.rows::assumeShown);
        lane.agenda.forgetRows();
        lane.pools.values().forEach(lane.agenda::fill);
    }

    private <V> void each(Table<V> table, BiConsumer<String, V> consumer) {
        lane.suspect = null;
        store.forEach(table, consumer, (key, damage) -> damaged(table, key, damage));
        lane.suspect = null;
    }

    private void damaged(Table<?> table, String key, DamagedValue damage) {
        if (table == Tables.PROGRESS) {
            if (lane.unreadable.put(key, damage.getMessage()) == null) {
                lane.counters.problem("unreadable task", "task '" + key + "' is left out: " + damage.getMessage());
            }
        } else if (OF_TASKS.contains(table)) {
            damages.put(new OpenTask.Damage(table, key), damage.getMessage());
        } else {
            dropDamaged(table, key, damage.getMessage());
        }
    }

    private void dropDamaged(Table<?> table, String key, String reason) {
        lane.counters.problem("damaged value", "dropped '" + key + "' of " + table + ": " + reason);
        lane.work.remove(table, key);
    }

    /** Once all that is sound has been read. */
    private void setDamagedAside() {
        damages.forEach((damage, reason) -> {
            String uid = taskOf(damage);
            OpenTask task = lane.tasks.get(uid);
            if (task != null) {
                parts.setAside.damaged(task, damage.table(), damage.key(), reason);
            } else if (!lane.unreadable.containsKey(uid)) {
                dropDamaged(damage.table(), damage.key(), reason);
            }
        });
    }

    private String taskOf(OpenTask.Damage damage) {
        if (damage.table() == Tables.RETRYING || damage.table() == Tables.ASIDE) {
            return damage.key();
        }
        if (damage.table() != Tables.JOB) {
            return Tables.taskOf(damage.key());
        }
        // The uid of a job begins with that of its task, or with a part of it.
        String start = damage.key();
        for (int i = 0; i < 2; i++) {
            start = start.substring(0, Math.max(0, start.lastIndexOf('.')));
        }
        for (String uid : lane.tasks.keySet()) {
            if (!lane.tasks.containsKey(start) && uid.startsWith(start)) {
                return uid;
            }
        }
        return start;
    }

    private void restoreAside() {
        each(Tables.ASIDE, (uid, reason) -> {
            OpenTask task = lane.tasks.get(uid);
            if (task != null) {
                task.aside = reason;
            }
        });
    }

    private void pool(String name, PoolRecord record) {
        Pool pool = lane.pools.get(name);
        if (pool != null) {
            pool.record = record;
        }
    }

    private List<OpenTask> tasks() {
        List<OpenTask> tasks = new ArrayList<>();
        each(Tables.PROGRESS, (uid, progress) -> {
            if (lane.unreadable.containsKey(uid)) {
                return;
            }
            Pool pool = lane.pools.get(progress.pool);
            if (pool == null) {
                throw new IllegalStateException("task " + uid + " belongs to pool " + progress.pool
                        + ", which is not configured any more; configure it until its tasks have closed");
            }
            tasks.add(new OpenTask(lane, progress, pool));
        });
        tasks.sort(Comparator.comparingLong(OpenTask::arrival));
        for (OpenTask task : tasks) {
            lane.suspect = task;
            lane.tasks.put(task.progress.uid, task);
            task.makeBacklog();
            task.hasSlot(task.progress.slot);
            if (task.progress.storageWorkedAt > lane.now()) {
                // A clock that was ahead does not show that the storage is there today.
                task.progress.storageWorkedAt = lane.now();
                lane.work.changed(task);
            }
        }
        return tasks;
    }

    private void ofTasks() {
        each(Tables.ADOPTED, (key, adopted) -> {
            OpenTask task = lane.tasks.get(adopted.taskUid());
            if (lane.unreadable.containsKey(adopted.taskUid())) {
                return;
            }
            if (task != null && adopted.isAdopted()) {
                task.adopted.add(adopted.position());
            } else {
                lane.work.remove(Tables.ADOPTED, key);
            }
        });
        each(Tables.RELEASED, (key, bits) -> {
            OpenTask task = lane.tasks.get(Tables.taskOf(key));
            if (task != null) {
                task.released.restore(Tables.numberOf(key), bits);
            }
        });
        each(Tables.RETRYING, (uid, yes) -> {
            OpenTask task = lane.tasks.get(uid);
            if (task != null) {
                lane.timers.set(task.retryTimer, lane.now());
            }
        });
        each(Tables.PRIORITY, (key, priority) -> {
            OpenTask task = lane.tasks.get(Tables.taskOf(key));
            if (task != null) {
                task.given.put(Tables.numberOf(key), GivenPriority.parse(priority));
            }
        });
    }

    private void chunks(List<OpenTask> tasks) {
        each(Tables.CHUNK, (key, chunk) -> {
            OpenTask task = lane.tasks.get(Tables.taskOf(key));
            if (task != null) {
                long first = Tables.numberOf(key);
                lane.suspect = task;
                Progress p = task.progress;
                boolean merge = task.spec().mode() == Mode.MERGE;
                // A Merge group that is not complete yet, or that was released and waits for its job's end, is not
                // waiting.
                if (!merge || first < p.known && first >= p.cursor) {
                    long since = Math.min(chunk.readAtMillis(), lane.now());
                    task.chunks.add(new ChunkRef(first, merge ? 1 : chunk.count(), since));
                }
            }
        });
        for (OpenTask task : tasks) {
            lane.suspect = task;
            task.chunks.sort();
            if (task.progress.stop != Stop.NONE) {
                // Its files were dropped, and its chunks wait for the cleaning up.
                continue;
            }
            for (ChunkRef ref : task.chunks.chunks()) {
                files.index(task, ref, task.progress.indexed ? files.chunk(task, ref) : null);
            }
        }
    }

    private void jobs() {
        List<JobRecord> records = new ArrayList<>();
        each(Tables.JOB, (uid, record) -> {
            boolean isOver = record.phase == Phase.FAILED || record.phase == Phase.KILLED;
            if (!isOver && !lane.unreadable.containsKey(record.taskUid)) {
                records.add(record);
            }
        });
        records.sort(Comparator.comparingLong((JobRecord r) -> r.deadline)
                .thenComparingLong(r -> r.queuedAt)
                .thenComparing(r -> r.uid));
        for (JobRecord r : records) {
            OpenTask task = r.phase == Phase.GHOST ? null : lane.tasks.get(r.taskUid);
            if (task == null) {
                // An older version has written it; it must not stop all others.
                lane.counters.ignored("job without a task");
                lane.work.remove(Tables.JOB, r.uid);
            } else {
                job(r, task);
            }
        }
    }

    private void job(JobRecord r, OpenTask task) {
        lane.suspect = task;
        // Its end needs it.
        task.spec();
        LiveJob job = new LiveJob(r, task, lane.now());
        job.assumeShown();
        parts.rows.began(r.version);
        parts.inFlight.setBack(job);
        lane.jobs.put(r.uid, job);
        task.begun(job);
        if (job.isStarted()) {
            job.pool().started++;
            parts.pilots.started(job);
            lane.leaseClock.set(job.lease, Lane.JOB_LEASES, r.leaseUntil);
        } else if (r.phase == Phase.DUE) {
            task.backlog.addRetry(job, r.groups);
        } else {
            job.pool().queued += r.phase == Phase.QUEUED ? 1 : 0;
            lane.timers.set(job.timer, r.deadline);
        }
        if (job.isOut()) {
            job.groups = lane.groups.resolve(r.groups);
            lane.groups.counted(job.groups);
        }
    }

    private void resume(OpenTask task) {
        lane.suspect = task;
        Progress p = task.progress;
        if (p.closing) {
            lane.timers.set(task.closeTimer, lane.now());
            return;
        }
        if (p.pageAsked && p.stop == Stop.NONE) {
            parts.reading.setBack(task);
            lane.timers.set(task.pageTimer, p.pageDeadline);
            if (!task.isLoaded() && p.pageTrouble == null) {
                task.reading = true;
                parts.admission.setKey(task);
                task.pool.reading++;
            }
        }
        if (p.keptUntil > 0) {
            // Commands that were sent while we were away come first.
            if (p.keptUntil < lane.messagesComeUntil()) {
                p.keptUntil = lane.messagesComeUntil();
                lane.work.changed(task);
            }
            lane.timers.set(task.closeTimer, p.keptUntil);
        }
        if (p.stop != Stop.NONE) {
            lane.timers.set(task.stopTimer, lane.now());
        }
        task.readinessChanged();
        parts.admission.enqueue(task);
        lane.agenda.settle(task);
    }
}
