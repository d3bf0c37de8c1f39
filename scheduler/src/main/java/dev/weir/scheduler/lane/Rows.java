package dev.weir.scheduler.lane;

import dev.weir.protocol.FileRow;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskRow;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.MadeFile;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import java.time.Instant;

/** What readers of the mirror see. */
final class Rows {

    private final Lane lane;
    private final boolean enabled;
    private long lastMillis;
    private Instant lastInstant;

    Rows(Lane lane) {
        this.lane = lane;
        enabled = lane.options.mirror().enabled();
    }

    /** Null for 0. Most rows of an event tell its own time, and those of a second few others. */
    private Instant instant(long millis) {
        if (millis == 0) {
            return null;
        }
        if (lastInstant == null || millis != lastMillis) {
            lastMillis = millis;
            lastInstant = Instant.ofEpochMilli(millis);
        }
        return lastInstant;
    }

    void job(LiveJob job, JobStatus status) {
        if (!enabled) {
            return;
        }
        JobRecord r = job.r;
        boolean ended = status.isTerminal() || status == JobStatus.COOLING;
        job(
                r,
                status,
                r.output == null ? null : r.output.url(),
                r.logs.isEmpty() ? null : r.logs.get(r.logs.size() - 1).url(),
                ended ? lane.now : 0);
        lane.writes.changed(job);
    }

    /** Shows a failed job as it ended. */
    void jobAgain(JobRecord r) {
        if (enabled) {
            JobStatus status = r.phase == JobRecord.Phase.KILLED ? JobStatus.KILLED : JobStatus.FAILED;
            job(r, status, r.shownOutput, r.shownLog, r.endedAt);
        }
    }

    private void job(JobRecord r, JobStatus status, String output, String log, long endedAt) {
        r.version = lane.nextVersion(r.version);
        lane.effects.row(new JobRow(
                r.uid,
                r.taskUid,
                r.position,
                status,
                r.attempt,
                r.payloadFailures,
                r.systemFailures,
                r.pool,
                r.rank,
                r.pilot,
                r.inputUrl,
                output,
                log,
                r.exitCode,
                r.errorType,
                r.errorMessage,
                instant(r.queuedAt),
                instant(r.startedAt),
                instant(endedAt),
                r.version,
                false));
    }

    /** When its counts have changed: now or soon, together with later changes. */
    void taskSoon(TaskEntry task) {
        if (enabled && !task.gone) {
            showAt(task, lane.now + lane.options.mirror().taskInterval().toMillis());
        }
    }

    /** While the task waits for a slot its rank and its place change without any event. */
    void showAgeing(TaskEntry task) {
        if (enabled && task.waiting) {
            showAt(task, lane.now + lane.slots.showAgainMillis(task.pool));
        }
    }

    private void showAt(TaskEntry task, long at) {
        if (!task.rowTimer.isSet() || task.rowTimer.at > at) {
            lane.wall.set(task.rowTimer, at);
        }
    }

    void task(TaskEntry task) {
        if (enabled && !task.gone) {
            lane.wall.clear(task.rowTimer);
            row(task, state(task.p), null);
            showAgeing(task);
        }
    }

    void closed(TaskEntry task, TaskState last) {
        if (enabled) {
            row(task, last, Instant.ofEpochMilli(lane.now));
        }
    }

    static TaskState state(Progress p) {
        if (p.stop == Stop.CANCEL) {
            return TaskState.CANCELLED;
        }
        if (p.paused) {
            return TaskState.PAUSED;
        }
        return p.slot || p.everActive ? TaskState.ACTIVE : TaskState.ACCEPTED;
    }

    private void row(TaskEntry task, TaskState state, Instant closedAt) {
        Progress p = task.p;
        Task spec = task.spec();
        p.version = lane.nextVersion(p.version);
        Why why = closedAt == null ? Why.of(lane, task) : null;
        lane.effects.row(new TaskRow(
                p.uid,
                state,
                task.waiting || task.reading ? lane.slots.agedRank(task) : p.rank,
                p.base,
                task.weight(),
                p.pool,
                spec.deviceType(),
                spec.mode(),
                spec.order(),
                spec.executable(),
                spec.args(),
                spec.retry(),
                spec.datInUid(),
                spec.datOutUid(),
                spec.datStorUrl(),
                spec.datOutUrl(),
                spec.owner(),
                p.counts(),
                why == null ? null : why.word(),
                why == null ? null : why.sentence(lane, task),
                p.stop == Stop.CANCEL,
                p.stopReason,
                Instant.ofEpochMilli(p.acceptedAt),
                closedAt,
                p.version,
                false));
        lane.writes.changed(task);
    }

    void pilot(PilotEntry pilot) {
        if (!enabled || pilot.r.pool == null) {
            return;
        }
        PilotRecord r = pilot.r;
        r.version = lane.nextVersion(r.version);
        long aside = r.use == PilotRecord.Use.NORMAL ? lane.nodes.setAsideUntil(pilot.nodeName()) : 0;
        lane.effects.row(new PilotRow(
                r.id,
                r.pool,
                r.device,
                r.host,
                r.cores,
                r.memory,
                r.state,
                r.jobUid,
                r.finished,
                r.failed,
                Instant.ofEpochMilli(r.lastSeenAt),
                instant(aside > lane.now ? aside : 0),
                r.version,
                false));
        lane.writes.changed(pilot);
    }

    void file(TaskEntry task, JobRecord job, MadeFile file, String id, String path, boolean output) {
        if (enabled) {
            lane.effects.row(new FileRow(
                    id,
                    job.taskUid,
                    job.uid,
                    file.attempt(),
                    task.spec().datOutUid(),
                    output ? FileRow.Kind.OUTPUT : FileRow.Kind.LOG,
                    FileRow.Status.FINISHED,
                    path,
                    task.spec().storageId(),
                    file.size(),
                    file.checksum(),
                    instant(lane.now),
                    // One that was missing may come in the same millisecond.
                    lane.now * 1000 + 1,
                    false));
        }
    }

    /** A job that is over without an output (seed 002, table 9: a failed file). */
    void missingOutput(JobRecord job, TaskEntry task) {
        if (enabled) {
            lane.effects.row(new FileRow(
                    job.uid + "/" + job.attempt + "/out",
                    job.taskUid,
                    job.uid,
                    job.attempt,
                    task.spec().datOutUid(),
                    FileRow.Kind.OUTPUT,
                    FileRow.Status.FAILED,
                    null,
                    null,
                    null,
                    null,
                    null,
                    lane.now * 1000,
                    false));
        }
    }
}
