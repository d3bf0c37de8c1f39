package dev.weir.scheduler.view;

import dev.weir.engine.Entity;
import dev.weir.protocol.AttemptRow;
import dev.weir.protocol.FileRow;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskRow;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.model.KnownPilot;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.MadeFile;
import dev.weir.scheduler.state.NodeRecord;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import java.time.Instant;
import java.util.List;

/**
 * Derives the rows of the mirror from what an event has changed, at its end. A job has a row when its status or attempt is another one
 * than was shown, an attempt when it ends and the job has not finished with it, a pilot whenever its record changed, a registered file always. A task has one at once when its state changes; when
 * only counts or the reason for waiting do, within {@code mirror.task-interval}.
 */
public final class MirrorRows {

    private static final long AGEING_ROW_EVERY_MILLIS = 10;
    private static final long SHOWN_BEHIND_MICROS = 60_000_000;
    /** Of a task of which something has finished; single failures are no news. */
    private static final int FAILURES_TO_SHOW = 3;

    private final Lane lane;
    private final GroupRows groups;
    private final boolean enabled;
    private final boolean isStart;
    private long lastMillis;
    private Instant lastInstant;

    public MirrorRows(Lane lane, GroupRows groups) {
        this.lane = lane;
        this.groups = groups;
        enabled = lane.options.mirror().enabled();
        isStart = lane.counters.newestVersion == 0;
    }

    /** Adds the rows of what this event has changed. */
    public void project() {
        if (enabled) {
            List<Entity> changed = lane.work.changed();
            for (int i = 0; i < changed.size(); i++) {
                if (changed.get(i) instanceof LiveJob job) {
                    lane.suspect = job.task;
                    ofTask(job.task, () -> job(job));
                    lane.suspect = null;
                } else if (changed.get(i) instanceof KnownPilot pilot) {
                    pilot(pilot);
                }
            }
            for (JobRecord ended : lane.agenda.endedJobsToShow()) {
                row(ended, endedStatus(ended), ended.endedAt);
            }
            tasks();
            groups.project();
        }
        lane.agenda.forgetRows();
        lane.agenda.endedJobsToShow().clear();
    }

    private void tasks() {
        List<OpenTask> toShow = lane.agenda.tasksToShow();
        for (int i = 0; i < toShow.size(); i++) {
            OpenTask task = toShow.get(i);
            lane.suspect = task;
            lane.agenda.shown(task);
            if (task.gone) {
                task(task, task.closedAs, instant(lane.now()));
            } else if (!task.rowDue && headline(task) == task.shown) {
                showWithin(task, lane.options.mirror().taskInterval().toMillis());
            } else {
                ofTask(task, () -> show(task));
            }
            lane.suspect = null;
        }
        toShow.clear();
    }

    /** If the scheduler failed at a task, the row may be what it fails at. */
    private static void ofTask(OpenTask task, Runnable makeRow) {
        try {
            makeRow.run();
        } catch (RuntimeException e) {
            if (task.aside == null) {
                throw e;
            }
        }
    }

    /** A hash of what of a task's row is shown at once. */
    private static long headline(OpenTask task) {
        Progress p = task.progress;
        long hash = state(p).ordinal() * 31L + (p.stop == Stop.NONE ? 0 : 1);
        hash = hash * 31 + Double.doubleToLongBits(p.base);
        hash = hash * 31 + p.total;
        hash = hash * 31 + (task.aside == null ? 0 : task.aside.hashCode());
        hash = hash * 31 + (p.pageTrouble == null ? 0 : p.pageTrouble.hashCode());
        return hash == 0 ? 1 : hash;
    }

    /** After a restore: a row had this version, also if the clock was ahead then. Others that were shown behind it have no record. */
    public void began(long version) {
        boolean wasAhead = isStart && version > lane.now() * 1000;
        lane.counters.newestVersion =
                Math.max(lane.counters.newestVersion, wasAhead ? version + SHOWN_BEHIND_MICROS : version);
    }

    /** After a restore: the task's row is as its record says. What has changed since it was shown last is shown in time. */
    public void assumeShown(OpenTask task) {
        began(task.progress.version);
        task.shown = headline(task);
        if (enabled && task.waiting) {
            showAgeing(task);
        } else if (enabled
                && (task.progress.slot
                        || task.progress.live() > 0
                        || task.progress.paused
                        || task.progress.keptUntil > 0
                        || task.aside != null)) {
            showWithin(task, lane.options.mirror().taskInterval().toMillis());
        }
    }

    /** The timer of a task's row is due: the row is shown at the end of the event. */
    public void due(OpenTask task) {
        task.rowDue = true;
        lane.agenda.show(task);
    }

    private void show(OpenTask task) {
        lane.timers.clear(task.rowTimer);
        task.rowDue = false;
        task.shown = headline(task);
        task(task, state(task.progress), null);
        if (task.waiting) {
            showAgeing(task);
        }
    }

    /** Its rank and its place change without any event; all waiting tasks together make no more than a hundred rows a second. */
    private void showAgeing(OpenTask task) {
        long perRank = lane.options.admission().waitPerRank().toMillis();
        long apart = Math.max(
                lane.options.mirror().taskInterval().toMillis(), task.pool.waiting.size() * AGEING_ROW_EVERY_MILLIS);
        showWithin(task, Math.max(perRank, apart));
    }

    private void showWithin(OpenTask task, long millis) {
        long at = lane.now() + millis;
        if (!task.rowTimer.isSet() || task.rowTimer.at() > at) {
            lane.timers.set(task.rowTimer, at);
        }
    }

    /** The state that readers see of a task that is open. */
    static TaskState state(Progress p) {
        if (p.stop == Stop.CANCEL) {
            return TaskState.CANCELLED;
        }
        if (p.paused) {
            return TaskState.PAUSED;
        }
        return p.slot || p.everActive ? TaskState.ACTIVE : TaskState.ACCEPTED;
    }

    private void task(OpenTask task, TaskState state, Instant closedAt) {
        Progress p = task.progress;
        dev.weir.protocol.Task spec = task.spec();
        p.version = lane.nextVersion(p.version);
        lane.work.changed(task);
        WaitReason why = closedAt == null ? WaitReason.of(task) : null;
        add(new TaskRow(
                p.uid,
                state,
                task.waiting || task.reading ? task.agedRank() : p.rank,
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
                why == null ? null : why.sentence(task, lane.now()),
                p.stop == Stop.CANCEL,
                reason(p),
                Instant.ofEpochMilli(p.acceptedAt),
                closedAt,
                p.version,
                false));
    }

    /** Why it ends, or what keeps its jobs from finishing. */
    private static String reason(Progress p) {
        boolean failsOften = p.finished == 0 || p.errors.count() >= FAILURES_TO_SHOW;
        return p.stopReason == null && failsOften ? p.errors.text() : p.stopReason;
    }

    private void job(LiveJob job) {
        files(job);
        JobStatus status = job.status();
        JobRecord r = job.record;
        if (job.endedAttempt != null) {
            attempt(r, job.endedAttempt);
            job.endedAttempt = null;
        }
        if (status != job.shownStatus || r.attempt != job.shownAttempt) {
            job.shownStatus = status;
            job.shownAttempt = r.attempt;
            row(r, status, status.isTerminal() || status == JobStatus.COOLING ? lane.now() : 0);
        }
    }

    private void attempt(JobRecord r, LiveJob.EndedAttempt ended) {
        r.version = lane.nextVersion(r.version);
        add(new AttemptRow(
                r.uid,
                r.attempt,
                r.taskUid,
                ended.status(),
                r.pilot,
                ended.logUrl(),
                r.exitCode,
                r.errorType,
                r.errorMessage,
                instant(r.queuedAt),
                instant(r.startedAt),
                instant(lane.now()),
                r.version,
                false));
    }

    private static JobStatus endedStatus(JobRecord ended) {
        return ended.phase == JobRecord.Phase.KILLED ? JobStatus.KILLED : JobStatus.FAILED;
    }

    private void row(JobRecord r, JobStatus status, long endedAt) {
        r.version = lane.nextVersion(r.version);
        boolean over = status.isTerminal();
        String output = r.output == null ? null : r.output.url();
        String log = r.logs.isEmpty() ? null : r.logs.get(r.logs.size() - 1).url();
        add(new JobRow(
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
                over ? r.shownOutput : output,
                over ? r.shownLog : log,
                r.exitCode,
                r.errorType,
                r.errorMessage,
                instant(r.queuedAt),
                instant(r.startedAt),
                instant(endedAt),
                r.version,
                false));
    }

    /** The files that were registered of a job in this event; or that it ended without an output (a failed file, On-Line Filter table 9). */
    private void files(LiveJob job) {
        JobRecord r = job.record;
        String dataset = job.task.spec().datOutUid();
        // A file that was missing may come in the same millisecond, or after the clock has gone back: its version is
        // larger.
        List<LiveJob.Registered> registered = job.takeRegistered();
        for (int i = 0; i < registered.size(); i++) {
            LiveJob.Registered one = registered.get(i);
            MadeFile file = one.file();
            add(new FileRow(
                    one.id(),
                    r.taskUid,
                    r.uid,
                    file.attempt(),
                    dataset,
                    one.isOutput() ? FileRow.Kind.OUTPUT : FileRow.Kind.LOG,
                    FileRow.Status.FINISHED,
                    one.path(),
                    job.task.spec().storageId(),
                    file.size(),
                    file.checksum(),
                    instant(lane.now()),
                    lane.nextVersion(0),
                    false));
        }
        if (job.lacksOutput) {
            job.lacksOutput = false;
            add(new FileRow(
                    r.uid + "/" + r.attempt + "/out",
                    r.taskUid,
                    r.uid,
                    r.attempt,
                    dataset,
                    FileRow.Kind.OUTPUT,
                    FileRow.Status.FAILED,
                    null,
                    null,
                    null,
                    null,
                    null,
                    lane.nextVersion(0),
                    false));
        }
    }

    private void pilot(KnownPilot pilot) {
        PilotRecord r = pilot.record;
        r.version = lane.nextVersion(r.version);
        NodeRecord failing = pilot.node == null ? null : pilot.node.failing;
        boolean isAside = r.use == PilotRecord.Use.NORMAL && failing != null && failing.setAsideUntil() > lane.now();
        add(new PilotRow(
                r.id,
                r.pool,
                r.pool == null ? null : r.device,
                r.host,
                r.cores,
                r.memory,
                r.gpus,
                state(pilot),
                r.jobUid,
                r.finished,
                r.failed,
                instant(r.lastSeenAt),
                isAside ? instant(failing.setAsideUntil()) : null,
                keptOut(r.use),
                r.version,
                false));
    }

    /** Null for one that was not heard, or is forgotten: there is only an order about it. */
    private static PilotRow.State state(KnownPilot pilot) {
        PilotRecord r = pilot.record;
        if (r.pool == null) {
            return null;
        } else if (r.state != null) {
            return PilotRow.State.of(r.state);
        }
        return pilot.hasEnded ? PilotRow.State.ENDED : PilotRow.State.LOST;
    }

    private static PilotRow.KeptOut keptOut(PilotRecord.Use use) {
        return switch (use) {
            case NORMAL -> null;
            case DRAIN -> PilotRow.KeptOut.DRAINED;
            case EXCLUDE -> PilotRow.KeptOut.EXCLUDED;
        };
    }

    private void add(Row row) {
        lane.effects.add(new Effect.ShowRow(row));
    }

    /** Null for 0. Most rows of an event have its own time. */
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
}
