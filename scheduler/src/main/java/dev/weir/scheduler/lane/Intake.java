package dev.weir.scheduler.lane;

import dev.weir.protocol.Json;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.rank.Ranker;
import dev.weir.scheduler.rank.Rankers;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Tables;
import java.time.Instant;
import java.util.List;

/** Tasks come in. */
final class Intake {

    private final Lane lane;

    Intake(Lane lane) {
        this.lane = lane;
    }

    void arrived(Task task) {
        long hash = contentHash(task);
        if (isKnown(task, hash)) {
            lane.counters.ignored("task");
            return;
        }
        PoolEntry pool = lane.pools.get(task.poolName());
        if (pool == null) {
            throw new Refused(
                    task.pool() == null ? "device_type" : "pool",
                    "there is no pool '" + task.poolName() + "'"
                            + (task.pool() == null ? " for device_type " + task.deviceType() : "")
                            + "; there are " + String.join(", ", lane.pools.keySet()));
        }
        if (task.ranker() != null && Rankers.named(task.ranker()) == null) {
            throw new Refused("ranker", "there is no ranker '" + task.ranker() + "'; there are " + Rankers.names());
        }
        String writer = lane.writes.get(Tables.OUTPUT, task.datOutUid());
        if (writer != null) {
            throw new Refused(
                    "dat_out_uid", "dataset '" + task.datOutUid() + "' is written by task '" + writer + "' already");
        }
        String closer = lane.memory.closerOf(task.datOutUid());
        if (closer != null) {
            throw new Refused(
                    "dat_out_uid",
                    "dataset '" + task.datOutUid() + "' was closed by task '" + closer + "'; write into a new one");
        }
        if (lane.tasks.size() >= lane.options.admission().maxOpenTasks()) {
            throw new Refused(
                    null,
                    "there are " + lane.tasks.size() + " open tasks, no more are taken; send this one again later");
        }
        accept(task, hash, pool);
    }

    private boolean isKnown(Task task, long hash) {
        TaskEntry open = lane.tasks.get(task.uid());
        String closed = open == null ? lane.memory.closedTask(task.uid()) : null;
        if (open == null && closed == null) {
            return false;
        }
        boolean same = open != null ? open.p.contentHash == hash : closed.equals(Long.toHexString(hash));
        if (!same) {
            throw new Refused(
                    "uid",
                    "a task with uid '" + task.uid() + "' and other contents is " + (open != null ? "here" : "closed")
                            + " already");
        }
        return true;
    }

    private void accept(Task task, long hash, PoolEntry pool) {
        Progress p = new Progress();
        p.uid = task.uid();
        p.contentHash = hash;
        p.pool = pool.name;
        p.arrival = lane.record.arrivals++;
        lane.writes.laneChanged();
        p.acceptedAt = lane.now;
        p.lastReleasedAt = lane.now;
        p.base = task.rank();
        p.rank = task.rank();
        p.indexed = task.mode() == Mode.MAP
                && (task.order() != Order.SEQUENTIAL
                        || !lane.options.limits().rules().isEmpty());
        TaskEntry entry = new TaskEntry(lane, p, pool);
        Task kept = withoutTargets(task);
        entry.specIs(kept);
        p.chunkLeft = lane.release.chunkFiles(entry);
        lane.reading.makeBacklog(entry);
        lane.tasks.put(p.uid, entry);
        lane.writes.put(Tables.TASK, p.uid, kept);
        lane.writes.put(Tables.OUTPUT, task.datOutUid(), p.uid);
        lane.writes.changed(entry);
        announce(entry, TaskState.ACCEPTED, null);
        lane.claims.taskCame(entry);
        lane.slots.enqueue(entry);
        if (!task.targets().isEmpty()) {
            lane.reading.given(entry, task.targets());
        }
        lane.rows.task(entry);
        lane.commands.taskCame(entry);
        lane.closure.closeIfDone(entry);
    }

    /** Tells the world that the task's state has changed. */
    void announce(TaskEntry task, TaskState state, String reason) {
        Progress p = task.p;
        String id = p.uid + "/" + ++p.events + "/" + state.wireName();
        lane.effects.event(new TaskEvent(id, p.uid, state, p.counts(), Instant.ofEpochMilli(lane.now), reason));
        lane.writes.changed(task);
    }

    private static Task withoutTargets(Task t) {
        return t.targets().isEmpty()
                ? t
                : new Task(
                        t.uid(),
                        t.executable(),
                        t.args(),
                        t.rank(),
                        t.deviceType(),
                        t.mode(),
                        t.retry(),
                        t.datInUid(),
                        t.datOutUid(),
                        t.datStorUrl(),
                        t.datOutUrl(),
                        t.datStorId(),
                        t.owner(),
                        t.order(),
                        t.groups(),
                        List.of(),
                        t.ranker(),
                        t.chunkFiles(),
                        t.demoteAfterS(),
                        t.autoCancel(),
                        t.filesPerJob(),
                        t.timeoutS(),
                        t.pool());
    }

    private static long contentHash(Task task) {
        return Hash.of(Json.write(task));
    }

    Ranker ranker(TaskEntry task) {
        String name = task.spec().ranker();
        Ranker ranker = Rankers.named(name == null ? lane.options.rank().ranker() : name);
        // One that has gone since the task was accepted must not stop it.
        return ranker == null ? Rankers.named(dev.weir.scheduler.options.RankOptions.FIXED) : ranker;
    }
}
