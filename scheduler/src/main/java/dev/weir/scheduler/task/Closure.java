package dev.weir.scheduler.task;

import dev.weir.protocol.Registration;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskState;
import dev.weir.protocol.Texts;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.job.CheckList;
import dev.weir.scheduler.job.FailedJobs;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.Seen;
import dev.weir.scheduler.model.WaitingFiles;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.Names;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;
import java.time.Instant;
import java.util.List;

/**
 * When every job of a task is over, its dataset closes once, with the names of all files that were registered (On-Line Filter, 2.3). A
 * long check-list leaves in parts, with pauses between them: what leaves waits for the next checkpoint, and beyond some tens of
 * megabytes it would hold back everything else. Then what the task has left in state is removed, a bounded amount to a tick.
 */
public final class Closure {

    /** So many of the longest names ({@link dev.weir.protocol.Limits#MAX_NAME_BYTES}) fit in a message. */
    private static final int NAMES_TO_A_PART = 1000;

    private static final int PIECES_TO_A_PART = NAMES_TO_A_PART / Names.PIECE;
    /** How fast the check-lists of all tasks of a lane leave together: 2 MB in a second, 4 MB between two checkpoints. */
    private static final int BYTES_PER_MILLI = 2_000;
    /** Quotes and a comma. */
    private static final int BYTES_AROUND_A_NAME = 3;
    /** What one step removes of each kind: failed jobs, chunks, and records of single files. */
    private static final int REMOVED_AT_ONCE = 1_000;

    private final Lane lane;
    private final TaskEvents events;
    private final Admission admission;
    private final WaitingFiles files;
    private final CheckList checkList;
    private final FailedJobs failedJobs;
    /** When the parts that have left have had their time, in milliseconds since 1970. */
    private long nextPartAt;

    public Closure(
            Lane lane,
            TaskEvents events,
            Admission admission,
            WaitingFiles files,
            CheckList checkList,
            FailedJobs failedJobs) {
        this.lane = lane;
        this.events = events;
        this.admission = admission;
        this.files = files;
        this.checkList = checkList;
        this.failedJobs = failedJobs;
    }

    /** At the end of an event: begins to close the task if all of it is over. */
    public void settle(OpenTask task) {
        Progress p = task.progress;
        if (p.closing || task.gone) {
            return;
        }
        boolean isOver = p.exhausted() && p.live() == 0 && !task.retryTimer.isSet();
        if (!isOver) {
            forgetWait(task);
            return;
        }
        // Of a rejected task there are no reports that a command could wait for.
        if (waitForRetries(task) || task.commandWaits && !task.rejected) {
            return;
        }
        admission.leave(task);
        if (task.rejected) {
            // Its dataset was never there: nothing is to be closed.
            end(task, TaskState.REJECTED);
            return;
        }
        p.closing = true;
        lane.changed(task);
        step(task);
    }

    /** Keeps a task that is over open while its failed jobs may be tried again by command. Returns whether that time lasts. */
    private boolean waitForRetries(OpenTask task) {
        Progress p = task.progress;
        if (p.stop != Stop.NONE || p.failed + p.killed == 0) {
            return false;
        }
        long longest = longestWait(task);
        if (p.keptUntil == 0 && longest > lane.now()) {
            p.keptUntil = longest;
            if (task.spec().keepOpenS() != null) {
                events.announce(
                        task,
                        p.paused ? TaskState.PAUSED : TaskState.ACTIVE,
                        (p.failed + p.killed) + " jobs have failed, all others are over; the dataset stays open until "
                                + Instant.ofEpochMilli(longest) + " for retry_failed");
            }
            lane.changed(task);
            lane.agenda.show(task);
        }
        // A clock that was ahead when the last job ended keeps nothing open for longer.
        if (p.keptUntil > longest) {
            p.keptUntil = longest;
            lane.changed(task);
        }
        if (lane.now() >= p.keptUntil) {
            return false;
        }
        lane.timers.set(task.closeTimer, p.keptUntil);
        task.leaveTexts();
        return true;
    }

    /**
     * Until when the task stays open at most if its last job ends now, in milliseconds since 1970. One from before a start stays open for a
     * minute after that: commands to try failed jobs again may have been sent, or answered and forgotten, before it.
     */
    private long longestWait(OpenTask task) {
        Integer seconds = task.spec().keepOpenS();
        long own = seconds == null ? 0 : lane.now() + seconds * 1000L;
        return task.progress.acceptedAt < lane.builtAt() ? Math.max(own, lane.messagesComeUntil()) : own;
    }

    /** Jobs were given new attempts: when they are over, the time begins again. */
    private void forgetWait(OpenTask task) {
        Progress p = task.progress;
        if (p.keptUntil != 0) {
            p.keptUntil = 0;
            lane.timers.clear(task.closeTimer);
            lane.changed(task);
            lane.agenda.show(task);
        }
    }

    /** The time of a task that was kept open has passed; or one part of the check-list leaves, or then some of the cleaning up. */
    public void step(OpenTask task) {
        Progress p = task.progress;
        if (!p.closing) {
            lane.agenda.settle(task);
            return;
        }
        int parts = (int) Math.max(1, (p.registered + NAMES_TO_A_PART - 1) / NAMES_TO_A_PART);
        if (p.closingPart < parts) {
            sendPart(task, ++p.closingPart, parts);
        }
        lane.changed(task);
        boolean allSent = p.closingPart == parts;
        if (allSent && isClean(task)) {
            end(task, p.stop == Stop.FAIL ? TaskState.FAILED : TaskState.CLOSED);
        } else {
            lane.timers.set(task.closeTimer, allSent ? lane.now() : nextPartAt);
        }
    }

    private void sendPart(OpenTask task, int part, int parts) {
        Progress p = task.progress;
        long from = (long) (part - 1) * PIECES_TO_A_PART;
        long to = Math.min(Names.pieces(p.registered), from + PIECES_TO_A_PART);
        List<String> names = checkList.take(task, from, to);
        long bytes = 0;
        for (String name : names) {
            bytes += Texts.jsonBytes(name) + BYTES_AROUND_A_NAME;
        }
        nextPartAt = Math.max(nextPartAt, lane.now()) + bytes / BYTES_PER_MILLI;
        lane.effects.add(new Effect.Register(
                new Registration.Close(p.uid + "/close/" + part, task.spec().datOutUid(), names, part, parts)));
    }

    /** Removes what the task has left in state, a bounded amount at a time. Returns whether nothing is left. */
    private boolean isClean(OpenTask task) {
        List<String> uids = failedJobs.take(task, REMOVED_AT_ONCE);
        uids.forEach(uid -> forgetJob(task, uid));
        return uids.size() < REMOVED_AT_ONCE
                && files.forget(task, REMOVED_AT_ONCE)
                && files.forgetSingle(task, REMOVED_AT_ONCE);
    }

    private void forgetJob(OpenTask task, String uid) {
        JobRecord job = failedJobs.record(uid);
        // The mirror may show a job at work that was tried again by command, before we were restored to before that. It
        // keeps its end, which is shown again, once, if it is from before the restore.
        boolean mayBeShown = job != null && task.progress.acceptedAt < lane.builtAt();
        if (mayBeShown && job.endedAt > 0 && job.endedAt < lane.builtAt()) {
            lane.agenda.showEnded(job);
        }
        failedJobs.forget(task, uid, job);
    }

    /** The task is no more. */
    private void end(OpenTask task, TaskState last) {
        Progress p = task.progress;
        Task spec = task.spec();
        // Its last rows still need it at the end of the event, when it is not in state any more.
        task.specIs(spec);
        String dataset = spec.datOutUid();
        events.announce(task, last, p.stopReason);
        lane.timers.clear(task.closeTimer);
        lane.timers.clear(task.stopTimer);
        lane.timers.clear(task.pageTimer);
        lane.timers.clear(task.rowTimer);
        task.gone = true;
        task.closedAs = last;
        lane.changed(task);
        lane.work.remove(Tables.TASK, p.uid);
        lane.work.remove(Tables.OUTPUT, dataset);
        lane.tasks.remove(p.uid);
        lane.seen.taskClosed(p.uid, new Seen.ClosedTask(p.contentHash, last == TaskState.REJECTED));
        if (last != TaskState.REJECTED) {
            lane.seen.datasetClosed(dataset, p.uid);
        }
        lane.agenda.fill(task.pool);
    }
}
