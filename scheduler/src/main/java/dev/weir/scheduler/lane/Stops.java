package dev.weir.scheduler.lane;

import dev.weir.protocol.Notice;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.lane.Reports.AboutJob;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;

/** Tasks that end before all their files were processed: cancelled, closed softly, failed, rejected. */
final class Stops {

    private final Lane lane;

    Stops(Lane lane) {
        this.lane = lane;
    }

    void cancel(TaskEntry task, String reason) {
        stop(task, Stop.CANCEL, reason, TaskState.CANCELLED);
    }

    /** Soft finish: what runs ends, nothing else starts. */
    void close(TaskEntry task, String reason) {
        stop(task, Stop.CLOSE, reason, null);
    }

    /** DSM contradicts itself. What runs ends; the end of the task tells that it failed. */
    void fail(TaskEntry task, String reason) {
        stop(task, Stop.FAIL, reason, null);
    }

    private void stop(TaskEntry task, Stop how, String reason, TaskState announced) {
        Progress p = task.p;
        // What failed has stopped already: a close adds nothing to it and must not make it end well.
        boolean stopped = p.stop == Stop.FAIL && how == Stop.CLOSE;
        if (p.closing || p.stop == Stop.CANCEL || p.stop == how || stopped) {
            return;
        }
        p.stop = how;
        p.stopReason = reason;
        lane.slots.leaveQueue(task);
        for (AboutJob claimed : lane.claims.dropWaiting(task)) {
            lane.counters.stale("job cancelled");
            if (!claimed.isResult()) {
                lane.effects.notice(
                        claimed.pilotId(),
                        new Notice(Notice.Kind.CANCEL, claimed.jobUid(), claimed.attempt(), "the task was stopped"));
            }
        }
        lane.reading.drop(task);
        if (p.jobs == Progress.UNKNOWN) {
            p.jobs = Math.max(p.known, p.released);
        }
        p.cancelled += p.jobs - p.released;
        p.released = p.jobs;
        lane.slots.giveBack(task);
        // Before its jobs end: with the last one the task may close.
        if (announced != null) {
            lane.intake.announce(task, announced, reason);
        }
        for (LiveJob job : task.live.jobs()) {
            lane.endings.stop(job, how == Stop.CANCEL);
        }
        lane.writes.changed(task);
        lane.mayStart(task.pool);
        lane.rows.task(task);
        lane.closure.closeIfDone(task);
    }

    /** There is no such dataset: the task goes as if it had never come, but is remembered. */
    void reject(TaskEntry task, String reason) {
        Progress p = task.p;
        p.stop = Stop.FAIL;
        p.stopReason = reason;
        p.jobs = 0;
        lane.slots.leaveQueue(task);
        lane.claims.dropWaiting(task);
        lane.reading.drop(task);
        lane.closure.rejected(task, reason);
    }

    /** More failed than finished, from so many on (seed 002: errors exceed processed files). */
    void cancelIfHopeless(TaskEntry task) {
        Progress p = task.p;
        long bad = p.failed + p.killed;
        if (p.stop == Stop.NONE
                && task.spec().autoCancel()
                && bad >= lane.options.attempts().autoCancelFrom()
                && bad > p.finished) {
            cancel(task, bad + " jobs failed and " + p.finished + " finished");
        }
    }
}
