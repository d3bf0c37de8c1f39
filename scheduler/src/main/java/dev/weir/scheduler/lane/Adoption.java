package dev.weir.scheduler.lane;

import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Result;
import dev.weir.scheduler.lane.Reports.AboutJob;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Order;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.LostAttempts.Lost;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;

/** Jobs that come back among the live ones: sent in a time that we do not remember, or failed and to be tried again by command. */
final class Adoption {

    private final Lane lane;

    Adoption(Lane lane) {
        this.lane = lane;
    }

    /**
     * A released job that our state did not know: it is out with this attempt, and nobody owns it yet.
     *
     * @param firstForgotten the first attempt whose end we do not know
     */
    void adopted(LiveJob job, int attempt, int firstForgotten) {
        JobRecord r = job.r;
        r.lost = r.lost.andForgotten(firstForgotten, attempt - 1);
        lane.counters.adopted++;
        r.attempt = attempt;
        r.phase = Phase.QUEUED;
        r.queuedAt = lane.now;
        r.rank = job.task.p.rank;
        job.task.p.queued++;
        job.pool.queued++;
        // When its message was sent we do not know: it tells nothing of others.
        job.firstSentAt = job.pool.newestStarted;
        job.sentAt = job.pool.newestStarted;
        job.groups = lane.groups.resolve(r.groups);
        lane.groups.started(job.groups, lane.now);
        lane.flights.armQueued(job);
        lane.writes.changed(job);
    }

    /** We sent a later attempt than we remember. */
    void adoptAttempt(LiveJob job, int attempt) {
        JobRecord r = job.r;
        int firstForgotten = r.attempt + (r.phase == Phase.QUEUED ? 0 : 1);
        if (job.isStarted()) {
            r.lost = r.lost.and(r.attempt, r.pilot, r.order == Order.KILL);
        }
        if (job.isOut()) {
            lane.flights.land(job);
        } else {
            lane.wall.clear(job.wall);
            job.task.p.cooling--;
            if (r.phase == Phase.DUE) {
                job.task.backlog.removeRetry(job, r.groups, lane.now);
            }
        }
        boolean cancelled = r.order == Order.CANCEL;
        r.pilot = null;
        r.resends = 0;
        r.order = cancelled ? Order.CANCEL : Order.NONE;
        adopted(job, attempt, firstForgotten);
    }

    /**
     * A job that failed for good, although a lost attempt of it finishes after all or we do not remember that we sent a later one: whether the
     * report brings it back.
     */
    boolean revive(TaskEntry task, long position, AboutJob about) {
        JobRecord r = lane.writes.get(Tables.JOB, about.jobUid());
        // Long uids of tasks may begin alike, and so do those of their jobs.
        if (task.p.closing || r == null || !r.taskUid.equals(task.p.uid) || r.position != position) {
            return false;
        }
        if (about.attempt() <= r.attempt) {
            if (about.mayFinish(r)) {
                LiveJob job = amongTheLive(task, r);
                r.phase = Phase.COOLING;
                task.p.cooling++;
                lane.reports.live(job, about);
                return true;
            }
            // Whatever else it tells, the job is over.
            if (about.report() instanceof Result result) {
                Lost lost = r.lost.failed(result);
                if (lost != null) {
                    r.lost = r.lost.without(lost);
                    lane.writes.put(Tables.JOB, r.uid, r);
                }
            }
            return false;
        }
        if (task.p.stop != Stop.NONE) {
            return false;
        }
        LiveJob job = fromFailed(task, r);
        adopted(job, about.attempt(), r.attempt + 1);
        lane.reports.live(job, about);
        return true;
    }

    /** Takes a failed job back among the live ones, with all its budgets; its phase is for the caller to set. */
    LiveJob fromFailed(TaskEntry task, JobRecord r) {
        r.payloadFailures = 0;
        r.systemFailures = 0;
        r.orderedKills = 0;
        return amongTheLive(task, r);
    }

    private LiveJob amongTheLive(TaskEntry task, JobRecord r) {
        if (r.phase == Phase.KILLED) {
            task.p.killed--;
        } else {
            task.p.failed--;
        }
        r.endedAt = 0;
        r.shownOutput = null;
        r.shownLog = null;
        r.order = Order.NONE;
        r.pilot = null;
        LiveJob job = new LiveJob(lane, r, task, task.pool);
        lane.jobs.put(r.uid, job);
        task.live.add(job);
        lane.writes.changed(task);
        lane.writes.changed(job);
        return job;
    }

    /** A failed job gets new attempts. */
    void retryFailed(LiveJob job) {
        JobRecord r = job.r;
        r.phase = Phase.DUE;
        job.task.p.cooling++;
        job.task.backlog.addRetry(job, r.groups);
        lane.rows.job(job, JobStatus.COOLING);
        lane.mayStart(job.pool);
    }
}
