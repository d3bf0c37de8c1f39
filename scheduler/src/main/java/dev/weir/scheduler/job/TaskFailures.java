package dev.weir.scheduler.job;

import dev.weir.protocol.ErrorType;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.RecentErrors;

/**
 * How the attempts of a task end, one after the other. A row of failures in stage-in and stage-out says that its storage is away. What Weir
 * stopped, and attempts whose pilots were lost, say nothing about it.
 */
final class TaskFailures {

    /** However far apart they are: two pilots that are lost a day apart are no lasting fault. */
    private static final int LEAST_FURTHER_ATTEMPTS = 3;

    private final Lane lane;

    TaskFailures(Lane lane) {
        this.lane = lane;
    }

    void finished(OpenTask task) {
        task.progress.errors = RecentErrors.NONE;
        storageWorks(task.progress);
        task.progress.storageWorkedAt = lane.now();
    }

    /** An attempt has its input. That does not show that an output can be stored. */
    static void inputWasRead(Progress p) {
        if (!outputsFail(p)) {
            storageWorks(p);
        }
    }

    private static void storageWorks(Progress p) {
        p.stagingFailures = 0;
        p.probeFrom = 0;
    }

    /** The pilot has reported it; the record has the error. */
    void failed(LiveJob job) {
        Progress p = job.task.progress;
        JobRecord r = job.record;
        remember(job);
        if (isStaging(r)) {
            p.stagingFailures++;
        } else if (!r.isOverdue() && hasRead(r)) {
            inputWasRead(p);
            p.storageWorkedAt = lane.now();
        }
        long missingSince = r.missingSince == 0 ? lane.now() : r.missingSince;
        r.missingSince = isMissing(r) ? missingSince : 0;
    }

    /** Whether the failed attempt has not found its input or its program. */
    private static boolean isMissing(JobRecord r) {
        return r.errorType == ErrorType.MISSING || r.errorType == ErrorType.EXECUTABLE;
    }

    /** Whether outputs cannot be stored now. Then nothing finishes, so what fails by itself says nothing about the whole task. */
    static boolean outputsFail(Progress p) {
        return p.errors.isMostly(ErrorType.STAGE_OUT);
    }

    /** Whether the failed attempt had its input. */
    private static boolean hasRead(JobRecord r) {
        return r.errorType == ErrorType.EXIT || r.errorType == ErrorType.TIMEOUT || r.errorType == ErrorType.OOM;
    }

    private static boolean isStaging(JobRecord r) {
        return r.errorType == ErrorType.STAGE_IN
                || r.errorType == ErrorType.STAGE_OUT
                || r.errorType == ErrorType.MISSING;
    }

    /** Its pilot was not heard, or did not obey. */
    void lost(LiveJob job) {
        remember(job);
    }

    private static void remember(LiveJob job) {
        Progress p = job.task.progress;
        p.errors = p.errors.and(job.record.errorType, job.record.errorMessage);
    }

    /**
     * Whether a program that could not be started twice in a row is the task's fault. At first it may be that of one node, which would fail
     * job after job; and a program that runs for the task, or has run for it before, is there, but not at this node.
     */
    boolean programIsMissing(LiveJob job) {
        Progress p = job.task.progress;
        return job.record.systemFailures > 0 && p.storageWorkedAt == 0 && p.running == 0;
    }

    /**
     * Whether a job of which an attempt has failed by the system's fault is tried again. A missing input may come a little late, and a
     * program may be missing at some nodes; and when nothing of the task ran since, all nodes or the storage may be without it.
     */
    boolean mayGoOn(LiveJob job) {
        JobRecord r = job.record;
        AttemptOptions options = lane.options.attempts();
        long failing = lane.now() - r.systemFailingSince;
        boolean isGone = isMissing(r)
                && job.task.progress.storageWorkedAt > r.missingSince
                && lane.now() - r.missingSince >= options.missingRetryTime().toMillis();
        long lasts = options.systemRetryTime().toMillis();
        return !isGone && (failing < lasts || lasts > 0 && r.systemFailures < LEAST_FURTHER_ATTEMPTS);
    }

    /** Whether a failed job shows, once it is tried again, whether its task's storage is back. */
    boolean isProbe(LiveJob job) {
        return job.task.isStorageAway() && isStaging(job.record);
    }
}
