package dev.weir.scheduler.lane;

import dev.weir.protocol.Mode;
import dev.weir.scheduler.state.Claim;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.LaneRecord;
import dev.weir.scheduler.state.NodeRecord;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.PoolRecord;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.state.WaitingCommand;
import dev.weir.scheduler.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Builds the index in memory from the store: after a restore, and after an event that failed. Sorted, so that it is repeatable. */
final class Rebuild {

    private final Lane lane;
    private final Store store;

    Rebuild(Lane lane, Store store) {
        this.lane = lane;
        this.store = store;
    }

    void run() {
        LaneRecord record = store.get(Tables.LANE, "");
        lane.record = record == null ? new LaneRecord() : record;
        lane.beats.heal();
        store.forEach(Tables.POOL, this::pool);
        store.forEach(Tables.GROUP, lane.groups::restore);
        List<NodeRecord> nodes = new ArrayList<>();
        store.forEach(Tables.NODE, (key, node) -> nodes.add(node));
        nodes.sort(Comparator.comparingLong(NodeRecord::setAsideUntil).thenComparing(NodeRecord::node));
        nodes.forEach(lane.nodes::restore);
        List<TaskEntry> tasks = tasks();
        claims();
        store.forEach(Tables.RELEASED, (key, bits) -> {
            int slash = key.lastIndexOf('/');
            TaskEntry task = lane.tasks.get(key.substring(0, slash));
            if (task != null) {
                task.restoreBits(Long.parseLong(key.substring(slash + 1)), bits);
            }
        });
        store.forEach(Tables.PRIORITY, (key, priority) -> {
            int slash = key.lastIndexOf('/');
            TaskEntry task = lane.tasks.get(key.substring(0, slash));
            if (task != null) {
                task.givenPriorities.put(Long.parseLong(key.substring(slash + 1)), GivenPriority.parse(priority));
            }
        });
        chunks(tasks);
        jobs();
        pilots();
        tasks.forEach(this::resume);
        lane.groups.forgetUnused(lane.now);
        List<WaitingCommand> waiting = new ArrayList<>();
        store.forEach(Tables.WAITING, (key, command) -> waiting.add(command));
        waiting.sort(Comparator.comparingLong(WaitingCommand::until)
                .thenComparing(command -> command.command().id()));
        waiting.forEach(lane.commands::hold);
        lane.beats.neededIfAnyLease();
        for (PoolEntry pool : lane.pools.values()) {
            pool.startedAt = lane.now;
            lane.mayStart(pool);
        }
    }

    private void pool(String name, PoolRecord record) {
        PoolEntry pool = lane.pools.get(name);
        if (pool != null) {
            pool.record = record;
        }
    }

    private List<TaskEntry> tasks() {
        List<TaskEntry> tasks = new ArrayList<>();
        store.forEach(Tables.PROGRESS, (uid, progress) -> {
            PoolEntry pool = lane.pools.get(progress.pool);
            if (pool == null) {
                throw new IllegalStateException("task " + uid + " belongs to pool " + progress.pool
                        + ", which is not configured any more; configure it until its tasks have closed");
            }
            tasks.add(new TaskEntry(lane, progress, pool));
        });
        tasks.sort(Comparator.comparingLong(TaskEntry::arrival));
        for (TaskEntry task : tasks) {
            lane.tasks.put(task.p.uid, task);
            lane.reading.makeBacklog(task);
        }
        return tasks;
    }

    private void claims() {
        List<Claim> homeless = new ArrayList<>();
        store.forEach(Tables.CLAIM, (key, claim) -> {
            TaskEntry task = lane.tasks.get(claim.taskUid());
            if (task != null) {
                lane.claims.hold(task, claim);
            } else if (claim.report() != null) {
                homeless.add(claim);
            }
        });
        homeless.sort(Comparator.comparingLong(Claim::since)
                .thenComparing(Claim::taskUid)
                .thenComparingLong(Claim::position));
        homeless.forEach(lane.claims::hold);
    }

    private void chunks(List<TaskEntry> tasks) {
        store.forEach(Tables.CHUNK, (key, chunk) -> {
            int slash = key.lastIndexOf('/');
            TaskEntry task = lane.tasks.get(key.substring(0, slash));
            if (task != null) {
                long first = Long.parseLong(key.substring(slash + 1));
                boolean merge = task.spec().mode() == Mode.MERGE;
                // A Merge group that is not complete yet, or that was released and waits for its job's end, is not
                // waiting.
                if (!merge || first < task.p.known && first >= task.p.cursor) {
                    task.chunks.add(new ChunkMeta(first, merge ? 1 : chunk.count(), chunk.readAtMillis()));
                }
            }
        });
        for (TaskEntry task : tasks) {
            task.chunks.sort();
            for (ChunkMeta meta : task.chunks.chunks()) {
                lane.reading.index(task, meta, task.p.indexed ? lane.reading.chunk(task, meta) : null);
            }
        }
    }

    private void jobs() {
        List<JobRecord> records = new ArrayList<>();
        store.forEach(Tables.JOB, (uid, record) -> {
            if (record.phase != Phase.FAILED && record.phase != Phase.KILLED) {
                records.add(record);
            }
        });
        records.sort(Comparator.comparingLong((JobRecord r) -> r.deadline)
                .thenComparingLong(r -> r.queuedAt)
                .thenComparing(r -> r.uid));
        for (JobRecord r : records) {
            TaskEntry task = r.phase == Phase.GHOST ? null : lane.tasks.get(r.taskUid);
            PoolEntry pool = lane.pools.get(r.pool);
            if (pool == null) {
                // A cancelled job whose task has closed, so that its pool may be gone: it holds no place any more.
                lane.writes.remove(Tables.JOB, r.uid);
                continue;
            }
            if (task == null && r.phase != Phase.GHOST) {
                // No right state has it, but one that an older version has written; it must not stop all others.
                lane.counters.ignored("job without a task");
                lane.writes.remove(Tables.JOB, r.uid);
                continue;
            }
            LiveJob job = new LiveJob(lane, r, task, pool);
            lane.jobs.put(r.uid, job);
            if (task != null) {
                task.live.add(job);
            }
            switch (r.phase) {
                case GHOST -> job.pool.ghosts++;
                case QUEUED -> job.pool.queued++;
                case STARTING, RUNNING -> job.pool.started++;
                case DUE -> task.backlog.addRetry(job, r.groups);
                default -> {
                    // cooling: only its timer
                }
            }
            if (job.isStarted()) {
                lane.pilots.started(job);
                lane.leases.set(job.lease, r.leaseUntil);
            } else if (r.phase != Phase.DUE) {
                lane.wall.set(job.wall, r.deadline);
            }
            if (job.isStarted() || r.phase == Phase.QUEUED) {
                job.groups = lane.groups.resolve(r.groups);
                lane.groups.counted(job.groups);
            }
        }
    }

    private void pilots() {
        List<PilotRecord> pilots = new ArrayList<>();
        store.forEach(Tables.PILOT, (id, record) -> pilots.add(record));
        pilots.sort(Comparator.comparingLong((PilotRecord pilot) -> Math.max(pilot.lastSeenAt, pilot.useCommandAt))
                .thenComparing(pilot -> pilot.id));
        pilots.forEach(lane.pilots::restore);
    }

    private void resume(TaskEntry task) {
        lane.recount(task);
        Progress p = task.p;
        if (p.closing) {
            lane.wall.set(task.closeTimer, lane.now);
            return;
        }
        if (p.slot) {
            task.pool.active++;
        }
        if (p.pageAsked && p.stop == Stop.NONE) {
            lane.wall.set(task.pageTimer, p.pageDeadline);
            if (p.total == Progress.UNKNOWN && p.pageTrouble == null) {
                task.reading = true;
                lane.slots.setKey(task);
                task.pool.reading++;
            }
        }
        task.readinessChanged();
        lane.slots.enqueue(task);
        if (p.slot || p.live() > 0) {
            lane.rows.taskSoon(task);
        }
    }
}
