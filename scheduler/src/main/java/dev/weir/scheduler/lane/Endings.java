package dev.weir.scheduler.lane;

import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Mode;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Order;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.LostAttempts;
import dev.weir.scheduler.state.MadeFile;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Tables;

/** A job is over, because of its last attempt or because its task stops. */
final class Endings {

    private final Lane lane;

    Endings(Lane lane) {
        this.lane = lane;
    }

    /** And the last one closes its task. */
    void over(LiveJob job, JobStatus status) {
        TaskEntry task = job.task;
        ended(job, status);
        lane.closure.closeIfDone(task);
    }

    private void ended(LiveJob job, JobStatus status) {
        JobRecord r = job.r;
        TaskEntry task = job.task;
        Progress p = task.p;
        if (r.output != null) {
            lane.closure.register(task, r, r.output, true);
            r.lost = LostAttempts.NONE;
        } else if (r.attempt > r.registeredAttempts) {
            // An attempt that had ended the job before, and maybe left an output, stays as it was shown then.
            lane.rows.missingOutput(r, task);
        }
        for (MadeFile log : r.logs) {
            lane.closure.register(task, r, log, false);
        }
        lane.rows.job(job, status);
        r.shownOutput = r.output == null ? null : r.output.url();
        r.shownLog = r.logs.isEmpty() ? null : r.logs.get(r.logs.size() - 1).url();
        r.output = null;
        r.logs.clear();
        r.registeredAttempts = r.attempt;
        lane.jobs.remove(r.uid);
        task.live.remove(job);
        switch (status) {
            case FINISHED -> p.finished++;
            case FAILED -> p.failed++;
            case KILLED -> p.killed++;
            default -> p.cancelled++;
        }
        boolean mayBeRetried = status == JobStatus.FAILED || status == JobStatus.KILLED;
        if (mayBeRetried) {
            r.endedAt = lane.now;
            r.phase = status == JobStatus.FAILED ? Phase.FAILED : Phase.KILLED;
            lane.closure.failed(task, r);
        } else {
            job.forgotten = true;
            if (task.spec().mode() == Mode.MERGE) {
                lane.writes.remove(Tables.CHUNK, Tables.key(p.uid, r.position));
            }
        }
        lane.writes.changed(job);
        lane.writes.changed(task);
        lane.rows.taskSoon(task);
        if (job.stillQueued > 0) {
            // Before the task closes, which removes the records of its jobs but of those that hold a place.
            r.attempt = job.stillQueued;
            lane.flights.becomeGhost(job);
        }
        if (mayBeRetried) {
            lane.stops.cancelIfHopeless(task);
        }
    }

    /** The task is cancelled or ends softly: what becomes of one of its jobs. The task does not close yet. */
    void stop(LiveJob job, boolean cancel) {
        JobRecord r = job.r;
        if (job.isStarted()) {
            if (cancel) {
                r.order = Order.CANCEL;
                lane.writes.changed(job);
                lane.reports.remind(job);
            }
            return;
        }
        if (r.phase == Phase.QUEUED) {
            job.stillQueued = r.attempt;
            lane.flights.land(job);
        } else {
            lane.wall.clear(job.wall);
            job.task.p.cooling--;
            if (r.phase == Phase.DUE) {
                job.task.backlog.removeRetry(job, r.groups, lane.now);
            }
        }
        ended(job, JobStatus.CANCELLED);
    }
}
