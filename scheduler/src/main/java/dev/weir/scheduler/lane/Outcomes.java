package dev.weir.scheduler.lane;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Result;
import dev.weir.scheduler.backlog.Dice;
import dev.weir.scheduler.lane.Reports.AboutJob;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.ErrorClass;
import dev.weir.scheduler.options.ErrorRule;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Order;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.MadeFile;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;

/** What becomes of an attempt, and then of its job: finished, to be tried again, or over. */
final class Outcomes {

    private static final int MOST_DOUBLINGS = 6;

    private final Lane lane;

    Outcomes(Lane lane) {
        this.lane = lane;
    }

    // ---- while it is out

    void armQueued(LiveJob job) {
        long timeout = lane.options.attempts().queuedTimeout().toMillis();
        job.r.deadline = lane.now + (timeout << Math.min(job.r.resends, MOST_DOUBLINGS));
        lane.wall.set(job.wall, job.r.deadline);
    }

    /** The wall timer: sends a queued job again, ends a cool-off, or gives up the place of a ghost. */
    void due(LiveJob job) {
        JobRecord r = job.r;
        switch (r.phase) {
            case QUEUED -> {
                // Without pilots it is not lost, only waiting.
                if (job.pool.pilots > 0) {
                    r.resends++;
                    lane.release.emit(job);
                }
                lane.writes.changed(job);
                armQueued(job);
            }
            case COOLING -> {
                r.phase = Phase.DUE;
                lane.writes.changed(job);
                job.task.backlog.addRetry(job, r.groups);
                lane.mayStart(job.pool);
                lane.rows.taskSoon(job.task);
            }
            case GHOST -> ghostGone(job);
            default -> throw new IllegalStateException("job " + r.uid + " has a timer while " + r.phase);
        }
    }

    /** Its pilot was heard. */
    void renew(LiveJob job) {
        job.r.leaseUntil = lane.record.beatClock + lane.options.pilots().lease().toMillis();
        if (!job.lease.isSet() || job.lease.at != job.r.leaseUntil) {
            lane.leases.set(job.lease, job.r.leaseUntil);
            lane.writes.changed(job);
            lane.beats.needed();
        }
    }

    /** The lease ran out. */
    void lost(LiveJob job) {
        JobRecord r = job.r;
        lane.pilots.lostJob(r);
        r.errorType = null;
        r.exitCode = null;
        r.errorMessage = "pilot " + r.pilot + " was not heard for "
                + lane.options.pilots().lease().toSeconds() + " s";
        leaveWindow(job);
        if (r.order == Order.CANCEL) {
            over(job, JobStatus.CANCELLED);
        } else {
            tryAgain(job, r.order == Order.KILL ? null : ErrorClass.SYSTEM, false);
        }
    }

    /** A released job that our state did not know: it is out with this attempt, and nobody owns it yet. */
    void adopted(LiveJob job, int attempt) {
        JobRecord r = job.r;
        lane.counters.adopted++;
        r.attempt = attempt;
        r.phase = Phase.QUEUED;
        r.queuedAt = lane.now;
        r.rank = job.task.p.rank;
        job.task.p.queued++;
        job.pool.queued++;
        job.groups = lane.groups.resolve(r.groups);
        lane.groups.started(job.groups, lane.now);
        armQueued(job);
        lane.writes.changed(job);
    }

    /** We sent a later attempt than we remember. */
    void adoptAttempt(LiveJob job, int attempt) {
        JobRecord r = job.r;
        if (job.isOut()) {
            leaveWindow(job);
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
        adopted(job, attempt);
    }

    /** A job that failed for good, or whose later attempt we do not remember: whether the report brings it back. */
    boolean revive(TaskEntry task, AboutJob about) {
        JobRecord r = lane.writes.get(Tables.JOB, about.jobUid());
        if (r == null || task.p.stop != Stop.NONE || task.p.closing) {
            return false;
        }
        if (about.attempt() <= r.attempt) {
            // It is over, even if this one finished late: outcomes are final.
            return false;
        }
        LiveJob job = fromFailed(task, r);
        adopted(job, about.attempt());
        lane.reports.live(job, about);
        return true;
    }

    /** Takes a failed job back among the live ones; its phase is for the caller to set. */
    LiveJob fromFailed(TaskEntry task, JobRecord r) {
        if (r.phase == Phase.KILLED) {
            task.p.killed--;
        } else {
            task.p.failed--;
        }
        r.payloadFailures = 0;
        r.systemFailures = 0;
        r.order = Order.NONE;
        r.pilot = null;
        LiveJob job = new LiveJob(lane, r, task, task.pool);
        lane.jobs.put(r.uid, job);
        task.live.add(job);
        lane.writes.changed(task);
        lane.writes.changed(job);
        return job;
    }

    /** The job takes no place in the window and its groups any more. */
    private void leaveWindow(LiveJob job) {
        JobRecord r = job.r;
        if (job.groups != null) {
            lane.groups.ended(job.groups, lane.now);
            job.groups = null;
        }
        lane.wall.clear(job.wall);
        lane.leases.clear(job.lease);
        switch (r.phase) {
            case QUEUED -> {
                job.pool.queued--;
                job.task.p.queued--;
            }
            case STARTING -> {
                job.pool.started--;
                job.task.p.starting--;
            }
            case RUNNING -> {
                job.pool.started--;
                job.task.p.running--;
            }
            case GHOST -> job.pool.ghosts--;
            default -> throw new IllegalStateException("job " + r.uid + " is not out but " + r.phase);
        }
        lane.mayStart(job.pool);
        if (job.task != null) {
            lane.writes.changed(job.task);
        }
    }

    // ---- an attempt has ended

    void ended(LiveJob job, Result result) {
        JobRecord r = job.r;
        boolean wasOut = job.isOut();
        boolean wasDue = r.phase == Phase.DUE;
        if (wasOut) {
            if (r.startedAt > 0 && job.isStarted()) {
                job.pool.handover.jobEnded(lane.now - r.startedAt);
            }
            leaveWindow(job);
        } else {
            lane.wall.clear(job.wall);
            job.task.p.cooling--;
            if (wasDue) {
                job.task.backlog.removeRetry(job, r.groups, lane.now);
            }
            lane.writes.changed(job.task);
        }
        r.pilot = result.pilotId();
        r.exitCode = result.exitCode();
        r.errorType = result.errorType();
        r.errorMessage = result.errorMessage();
        MadeFile log = made(result.attempt(), result.fileLogUrl(), result.fileLogSize(), result.fileLogChecksum());
        MadeFile output = made(result.attempt(), result.fileOutUrl(), result.fileOutSize(), result.fileOutChecksum());
        if (result.status() == Result.Outcome.FINISHED) {
            job.pool.finished++;
            lane.nodes.worked(result.pilotId());
            lane.pilots.ended(result.pilotId(), true);
            r.logs.clear();
            if (log != null) {
                r.logs.add(log);
            }
            r.output = output;
            over(job, JobStatus.FINISHED);
            return;
        }
        job.pool.failed++;
        lane.pilots.ended(result.pilotId(), false);
        if (log != null) {
            r.logs.add(log);
        }
        if (output != null) {
            r.output = output;
        }
        if (r.order == Order.CANCEL) {
            over(job, JobStatus.CANCELLED);
            return;
        }
        ErrorClass errorClass = r.order == Order.KILL ? null : classOf(result);
        if (errorClass == ErrorClass.SYSTEM) {
            lane.nodes.failed(result.pilotId(), job.pool);
        }
        tryAgain(job, errorClass, result.status() == Result.Outcome.KILLED);
    }

    /** The failure of an earlier attempt that we counted as lost: its log belongs to the chain. */
    void lateFailure(LiveJob job, Result result) {
        MadeFile log = made(result.attempt(), result.fileLogUrl(), result.fileLogSize(), result.fileLogChecksum());
        if (log == null || log.attempt() <= job.r.registeredAttempts) {
            return;
        }
        for (MadeFile known : job.r.logs) {
            if (known.attempt() == log.attempt()) {
                return;
            }
        }
        job.r.logs.add(log);
        lane.writes.changed(job);
    }

    private static MadeFile made(int attempt, String url, Long size, String checksum) {
        return url == null || url.isBlank() ? null : new MadeFile(attempt, url, size, checksum);
    }

    private ErrorClass classOf(Result result) {
        if (result.status() != Result.Outcome.FAILED && result.errorType() == null) {
            return classOf(result.exitCode(), ErrorType.KILLED, result.errorMessage());
        }
        return classOf(result.exitCode(), result.errorType(), result.errorMessage());
    }

    private ErrorClass classOf(Integer exitCode, ErrorType type, String message) {
        for (ErrorRule rule : lane.options.attempts().errorRules()) {
            if (rule.matches(exitCode, type, message)) {
                return rule.errorClass();
            }
        }
        return ErrorClass.PAYLOAD;
    }

    /** @param errorClass null: we stopped it ourselves, which uses up nothing */
    private void tryAgain(LiveJob job, ErrorClass errorClass, boolean killed) {
        JobRecord r = job.r;
        TaskEntry task = job.task;
        AttemptOptions options = lane.options.attempts();
        boolean again;
        if (errorClass == null) {
            again = true;
        } else if (errorClass == ErrorClass.PAYLOAD) {
            again = r.payloadFailures < task.spec().retry();
        } else {
            again = errorClass == ErrorClass.SYSTEM && r.systemFailures < options.systemRetries();
        }
        if (!again || task.p.stop != Stop.NONE) {
            over(job, killed ? JobStatus.KILLED : JobStatus.FAILED);
            return;
        }
        if (errorClass == ErrorClass.PAYLOAD) {
            r.payloadFailures++;
            task.p.retries++;
        } else if (errorClass == ErrorClass.SYSTEM) {
            r.systemFailures++;
            task.p.systemRetries++;
        }
        lane.counters.retry(errorClass == null ? "ordered" : errorClass.name().toLowerCase(java.util.Locale.ROOT));
        r.phase = Phase.COOLING;
        r.deadline = lane.now + coolOffMillis(r);
        task.p.cooling++;
        lane.wall.set(job.wall, r.deadline);
        lane.writes.changed(job);
        lane.writes.changed(task);
        lane.rows.job(job, JobStatus.COOLING);
        lane.rows.taskSoon(task);
    }

    private long coolOffMillis(JobRecord r) {
        AttemptOptions options = lane.options.attempts();
        int failures = Math.max(1, r.payloadFailures + r.systemFailures);
        double pause = Math.min(
                options.coolOffMax().toMillis(),
                options.coolOff().toMillis() * Math.pow(options.coolOffFactor(), failures - 1));
        // From uid and attempt, so that a replay draws the same.
        double draw = (Dice.mix(r.uid.hashCode() * 31L + r.attempt + lane.options.seed()) >>> 11) * 0x1p-53;
        return (long) (pause * (1 + options.coolOffJitter() * (2 * draw - 1)));
    }

    // ---- the job is over

    private void over(LiveJob job, JobStatus status) {
        JobRecord r = job.r;
        TaskEntry task = job.task;
        Progress p = task.p;
        if (r.output != null) {
            lane.closure.register(task, r, r.output, true);
        } else if (r.attempt > r.registeredAttempts) {
            // An attempt that had ended the job before, and maybe left an output, stays as it was shown then.
            lane.rows.missingOutput(r, task);
        }
        for (MadeFile log : r.logs) {
            lane.closure.register(task, r, log, false);
        }
        lane.rows.job(job, status);
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
        if (mayBeRetried) {
            lane.stops.cancelIfHopeless(task);
        }
        lane.closure.closeIfDone(task);
    }

    /** The task is cancelled or ends softly: what becomes of one of its jobs. */
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
        boolean queued = r.phase == Phase.QUEUED;
        if (queued) {
            leaveWindow(job);
        } else {
            lane.wall.clear(job.wall);
            job.task.p.cooling--;
            if (r.phase == Phase.DUE) {
                job.task.backlog.removeRetry(job, r.groups, lane.now);
            }
        }
        over(job, JobStatus.CANCELLED);
        if (queued) {
            becomeGhost(job);
        }
    }

    /** Its message is still in the pool's queue. */
    private void becomeGhost(LiveJob job) {
        job.r.phase = Phase.GHOST;
        job.forgotten = false;
        job.task = null;
        job.pool.ghosts++;
        lane.jobs.put(job.r.uid, job);
        armQueued(job);
        lane.writes.changed(job);
    }

    void ghostGone(LiveJob job) {
        leaveWindow(job);
        job.forgotten = true;
        lane.jobs.remove(job.r.uid);
        lane.writes.changed(job);
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
