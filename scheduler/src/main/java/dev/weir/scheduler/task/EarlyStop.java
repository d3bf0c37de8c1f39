package dev.weir.scheduler.task;

import dev.weir.protocol.TaskState;
import dev.weir.scheduler.job.Completion;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.WaitingFiles;
import dev.weir.scheduler.state.JobRecord.Order;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import java.util.List;

/** Tasks that end before all their files were processed: cancelled, closed softly, or failed. */
public final class EarlyStop {

    /** Jobs that one event stops: the next ones follow with the next tick. */
    private static final int JOBS_AT_ONCE = 1_000;

    private static final int CHUNKS_AT_ONCE = 1_000;

    private final Lane lane;
    private final TaskEvents events;
    private final Admission admission;
    private final WaitingFiles files;
    private final Completion completion;

    public EarlyStop(Lane lane, TaskEvents events, Admission admission, WaitingFiles files, Completion completion) {
        this.lane = lane;
        this.events = events;
        this.admission = admission;
        this.files = files;
        this.completion = completion;
    }

    /** Waiting files become Cancelled, and pilots are ordered to stop. */
    public void cancel(OpenTask task, String reason) {
        stop(task, Stop.CANCEL, reason);
    }

    /** Soft finish: what runs ends, nothing else starts. */
    public void close(OpenTask task, String reason) {
        stop(task, Stop.CLOSE, reason);
    }

    /** At the end of an event: the dataset's answers contradict each other, or more jobs have failed than finished, system failures aside. */
    public void settle(OpenTask task) {
        if (task.failure != null) {
            // Running jobs end; the last event of the task reports the failure.
            stop(task, Stop.FAIL, task.failure);
        }
        Progress p = task.progress;
        long bad = p.failed + p.killed - p.failedBySystem;
        if (bad >= lane.options.attempts().autoCancelFrom()
                && bad > p.finished
                && p.stop == Stop.NONE
                && task.spec().autoCancel()) {
            String why = "cancelled by auto_cancel, as " + bad + " jobs failed and " + p.finished + " finished";
            String cause = p.errors.text();
            cancel(task, cause == null ? why : why + "; " + cause);
        }
    }

    private void stop(OpenTask task, Stop how, String reason) {
        Progress p = task.progress;
        // What failed has stopped already: a close adds nothing to it and must not make it end well.
        boolean stopped = p.stop == Stop.FAIL && how == Stop.CLOSE;
        if (p.closing || p.stop == Stop.CANCEL || p.stop == how || stopped) {
            return;
        }
        p.stop = how;
        p.stopReason = reason;
        dropWaiting(task);
        // Before its jobs end: with the last one the task may close.
        if (how == Stop.CANCEL) {
            events.announce(task, TaskState.CANCELLED, reason);
        }
        step(task);
        lane.changed(task);
        lane.agenda.fill(task.pool);
    }

    /**
     * Stops live jobs of a task that ends early, all that are not started and for a cancelled task the others too, and removes its dropped
     * chunks.
     */
    public void step(OpenTask task) {
        boolean cancel = task.progress.stop == Stop.CANCEL;
        List<LiveJob> jobs =
                task.live.first(JOBS_AT_ONCE, job -> !job.isStarted() || cancel && job.record.order != Order.CANCEL);
        for (LiveJob job : jobs) {
            completion.stop(job, cancel);
        }
        boolean isClean = files.forget(task, CHUNKS_AT_ONCE);
        if (jobs.size() == JOBS_AT_ONCE || !isClean) {
            lane.timers.set(task.stopTimer, lane.now());
        }
    }

    /** All files that were not released are cancelled, and no page is read any more. */
    private void dropWaiting(OpenTask task) {
        Progress p = task.progress;
        files.drop(task);
        p.pageAsked = false;
        p.pageTrouble = null;
        lane.timers.clear(task.pageTimer);
        admission.readingEnded(task);
        if (p.jobs == Progress.UNKNOWN) {
            p.jobs = Math.max(p.known, p.released);
        }
        p.cancelled += p.jobs - p.released;
        p.released = p.jobs;
        admission.leave(task);
    }

    /** DSM knows no such dataset: the task has no jobs, and nothing of it is left to close. */
    public void reject(OpenTask task, String reason) {
        Progress p = task.progress;
        p.stop = Stop.FAIL;
        p.stopReason = reason;
        p.jobs = 0;
        task.rejected = true;
        dropWaiting(task);
    }
}
