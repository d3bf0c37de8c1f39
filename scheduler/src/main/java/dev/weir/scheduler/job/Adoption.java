package dev.weir.scheduler.job;

import dev.weir.engine.Refused;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.model.WaitingFiles;
import dev.weir.scheduler.state.AdoptedPosition;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Order;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.LostAttempts.Lost;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.state.WaitingFile;
import java.util.List;

/**
 * Jobs that come back among the live ones: sent in a time that a restore has forgotten, or failed for good and to be tried again. A
 * report about an attempt that we do not remember proves that we sent it.
 */
public final class Adoption {

    private final Lane lane;
    private final WaitingFiles files;
    private final InFlight inFlight;
    private final Dispatch dispatch;
    private final FailedJobs failedJobs;

    public Adoption(Lane lane, WaitingFiles files, InFlight inFlight, Dispatch dispatch, FailedJobs failedJobs) {
        this.lane = lane;
        this.files = files;
        this.inFlight = inFlight;
        this.dispatch = dispatch;
        this.failedJobs = failedJobs;
    }

    /** Throws {@link Refused} unless the report is about the job of a file that was read. */
    void check(OpenTask task, long position, JobReport report) {
        WaitingFile file = files.file(task, position);
        String uid = task.progress.uid;
        if (!Hash.jobUid(uid, position, file.url()).equals(report.jobUid())) {
            throw new Refused(
                    "job_uid",
                    "task '" + uid + "' has another job at position " + position + " than '" + report.jobUid() + "'");
        }
    }

    /** Takes a file that was read and not released as released. */
    LiveJob adoptFile(OpenTask task, long position, JobReport report) {
        WaitingFile file = files.file(task, position);
        String uid = task.progress.uid;
        boolean indexed = task.progress.indexed;
        List<String> groups = indexed ? file.groups() : task.spec().groups();
        task.backlog.forget(groups, lane.now());
        LiveJob job = dispatch.begin(task, position, groups);
        if (!indexed) {
            task.adopted.add(position);
            lane.work.put(Tables.ADOPTED, Tables.key(uid, position), new AdoptedPosition(uid, position, true));
        }
        adopt(job, report.attempt(), 1);
        files.released(task, position);
        return job;
    }

    /** @param firstForgotten the first attempt of which we do not know the end */
    private void adopt(LiveJob job, int attempt, int firstForgotten) {
        JobRecord r = job.record;
        Pool pool = job.pool();
        r.lost = r.lost.andForgotten(firstForgotten, attempt - 1);
        r.attempt = attempt;
        lane.counters.adopted++;
        // When its message was sent we do not know, so it says nothing about the messages of other jobs.
        job.firstSentAt = pool.newestStarted;
        job.sentAt = pool.newestStarted;
        job.groups = lane.groups.resolve(r.groups);
        lane.groups.started(job.groups, lane.now());
        inFlight.queue(job);
    }

    /** We sent a later attempt than we remember. */
    void adoptAttempt(LiveJob job, int attempt) {
        JobRecord r = job.record;
        int firstForgotten = r.attempt + (r.phase == Phase.QUEUED ? 0 : 1);
        if (job.isStarted()) {
            r.lost = r.lost.and(r.attempt, r.pilot, r.isUnwanted());
        }
        if (job.isOut()) {
            inFlight.land(job, false);
        } else {
            inFlight.stopCooling(job);
        }
        r.order = r.order == Order.CANCEL ? Order.CANCEL : Order.NONE;
        r.pilot = null;
        r.resends = 0;
        adopt(job, attempt, firstForgotten);
    }

    /**
     * A report about a job that is over. It brings the job back if it has failed for good, and a lost attempt of it finishes after all
     * or we do not remember that we sent a later one. Returns the job; null when it stays as it is.
     */
    LiveJob revive(OpenTask task, long position, JobReport report) {
        JobRecord r = failedJobs.record(report.jobUid());
        // Long uids of tasks may begin alike, and so do those of their jobs.
        if (task.progress.closing || r == null || !r.taskUid.equals(task.progress.uid) || r.position != position) {
            return null;
        }
        report.checkAttempt(r.attempt);
        if (report.attempt() > r.attempt) {
            if (task.progress.stop != Stop.NONE) {
                return null;
            }
            LiveJob job = bringBack(task, r);
            forgetFailures(r);
            adopt(job, report.attempt(), r.attempt + 1);
            return job;
        }
        if (report.mayFinish(r)) {
            LiveJob job = bringBack(task, r);
            r.phase = Phase.COOLING;
            task.progress.cooling++;
            return job;
        }
        Lost lost = report.isResult() ? r.lost.failed(report.result()) : null;
        if (lost != null) {
            // The job is over, but this attempt cannot finish it any more.
            r.lost = r.lost.without(lost);
            failedJobs.put(r);
        }
        return null;
    }

    /** A job that failed for good gets new attempts, with all its budgets. */
    public void retryFailed(OpenTask task, String jobUid) {
        JobRecord r = lane.jobs.containsKey(jobUid) ? null : failedJobs.record(jobUid);
        if (r != null) {
            LiveJob job = bringBack(task, r);
            forgetFailures(r);
            r.phase = Phase.DUE;
            task.progress.cooling++;
            task.backlog.addRetry(job, r.groups);
            lane.agenda.fill(task.pool);
        }
    }

    private static void forgetFailures(JobRecord r) {
        r.payloadFailures = 0;
        r.systemFailures = 0;
        r.systemFailingSince = 0;
        r.missingSince = 0;
        r.orderedKills = 0;
    }

    /** Takes a failed job back among the live ones. */
    private LiveJob bringBack(OpenTask task, JobRecord r) {
        if (r.phase == Phase.KILLED) {
            task.progress.killed--;
        } else {
            task.progress.failed--;
        }
        task.progress.failedBySystem -= r.systemFailingSince > 0 ? 1 : 0;
        r.endedAt = 0;
        r.shownOutput = null;
        r.shownLog = null;
        r.order = Order.NONE;
        r.pilot = null;
        LiveJob job = new LiveJob(r, task, lane.now());
        failedJobs.backToLive(r);
        lane.jobs.put(r.uid, job);
        task.begun(job);
        lane.changed(task);
        lane.changed(job);
        return job;
    }
}
