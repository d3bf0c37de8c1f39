package dev.weir.scheduler.task;

import dev.weir.engine.Refused;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Json;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.job.Hash;
import dev.weir.scheduler.job.TaskRank;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.model.Seen;
import dev.weir.scheduler.rank.Rankers;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Tables;
import java.util.List;

/** Tasks come in. */
public final class Intake {

    private final Lane lane;
    private final TaskEvents events;
    private final Admission admission;
    private final DatasetReading reading;
    private final TaskRank ranks;

    public Intake(Lane lane, TaskEvents events, Admission admission, DatasetReading reading, TaskRank ranks) {
        this.lane = lane;
        this.events = events;
        this.admission = admission;
        this.reading = reading;
        this.ranks = ranks;
    }

    /** Takes a task in. Returns it; null when it was here before. */
    public OpenTask arrived(Task task) {
        long hash = Hash.of(task.content());
        if (isKnown(task, hash)) {
            lane.counters.ignored("task");
            return null;
        }
        return accept(task, hash, checked(task));
    }

    /** WFMS hears that a task is rejected, unless its uid belongs to another one. */
    private Pool checked(Task task) {
        try {
            return check(task);
        } catch (Refused refused) {
            events.rejected(task.uid(), refused.getMessage());
            throw refused;
        }
    }

    private boolean isKnown(Task task, long hash) {
        if (lane.unreadable.containsKey(task.uid())) {
            throw new Refused(
                    "uid", "the state of task '" + task.uid() + "' cannot be read: " + lane.unreadable.get(task.uid()));
        }
        OpenTask open = lane.tasks.get(task.uid());
        Seen.ClosedTask closed = open == null ? lane.seen.closedTask(task.uid()) : null;
        if (open == null && closed == null) {
            return false;
        }
        if (closed != null && closed.wasRejected()) {
            // Its end may still be on the way to WFMS, so nothing more can be announced under this uid.
            throw new Refused(
                    "uid",
                    "task '" + task.uid()
                            + "' was accepted and then rejected, for the reason in its event and on its row;"
                            + " send it again with a new uid");
        }
        long before = open != null ? open.progress.contentHash : closed.contentHash();
        // An earlier version has hashed the storage as well.
        if (before != hash && before != Hash.of(Json.write(task))) {
            throw new Refused(
                    "uid",
                    "a task with uid '" + task.uid() + "' and other contents is " + (open != null ? "here" : "closed")
                            + " already");
        }
        return true;
    }

    /** Throws {@link Refused} when the task cannot be taken. Returns its pool. */
    private Pool check(Task task) {
        Pool pool = lane.pools.get(task.poolName());
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
        String writer = lane.work.get(Tables.OUTPUT, task.datOutUid());
        if (writer != null) {
            throw new Refused(
                    "dat_out_uid", "dataset '" + task.datOutUid() + "' is written by task '" + writer + "' already");
        }
        String closer = lane.seen.closerOf(task.datOutUid());
        if (closer != null) {
            throw new Refused(
                    "dat_out_uid",
                    "dataset '" + task.datOutUid() + "' was closed by task '" + closer + "'; write into a new one");
        }
        String crowd = reading.crowd(task, choosesFiles(task), task.targets());
        if (crowd != null) {
            throw new Refused("targets", crowd + "; send this task again later");
        }
        if (lane.tasks.size() >= mostOpen()) {
            throw new Refused(
                    null,
                    "there are " + lane.tasks.size() + " open tasks, no more are taken; send this one again later");
        }
        return pool;
    }

    /** After a crash a task that had been accepted may come again before the reports do that had made room for it: it has a tenth more. */
    private int mostOpen() {
        int most = lane.options.admission().maxOpenTasks();
        return lane.isCatchingUp() ? most + most / 10 : most;
    }

    /** Whether any of its files may be next. */
    private boolean choosesFiles(Task task) {
        return task.mode() == Mode.MAP
                && (task.order() != Order.SEQUENTIAL
                        || !lane.options.limits().rules().isEmpty());
    }

    private OpenTask accept(Task task, long hash, Pool pool) {
        Progress p = new Progress();
        p.uid = task.uid();
        p.contentHash = hash;
        p.pool = pool.name;
        p.arrival = lane.nextArrival();
        p.events = lane.seen.eventsOfRejected(p.uid);
        p.acceptedAt = lane.now();
        p.lastReleasedAt = lane.now();
        p.base = task.rank();
        p.rank = task.rank();
        p.indexed = choosesFiles(task);
        OpenTask open = new OpenTask(lane, p, pool);
        List<FileInfo> targets = task.targets();
        Task kept = targets.isEmpty() ? task : task.withoutTargets();
        open.specIs(kept);
        p.chunkLeft = ranks.chunkFiles(open);
        open.makeBacklog();
        lane.tasks.put(p.uid, open);
        lane.work.put(Tables.TASK, p.uid, kept);
        lane.work.put(Tables.OUTPUT, task.datOutUid(), p.uid);
        events.announce(open, TaskState.ACCEPTED, null);
        admission.enqueue(open);
        if (!targets.isEmpty()) {
            reading.given(open, targets);
        }
        return open;
    }
}
