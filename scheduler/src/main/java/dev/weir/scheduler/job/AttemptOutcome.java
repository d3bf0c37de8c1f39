package dev.weir.scheduler.job;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Result;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.ErrorClass;
import dev.weir.scheduler.options.ErrorRule;
import dev.weir.scheduler.pilot.NodeHealth;
import dev.weir.scheduler.pilot.PilotRegistry;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Order;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.LostAttempts.Lost;
import dev.weir.scheduler.state.MadeFile;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import java.time.Duration;
import java.util.Locale;

/** What becomes of an attempt that has ended, and with it of its job: finished, to be tried again, or over. */
public final class AttemptOutcome {

    /** A pilot that says it ran longer is not believed. */
    private static final int LONGEST_DAYS = 30;
    /** Of a job that fails and fails again the newest logs are kept. */
    private static final int MOST_LOGS = 16;
    /** What their URLs may have together, in characters; the newest log is always kept. */
    private static final int LOG_URLS = Limits.MAX_FILE_URL_BYTES;

    private final Lane lane;
    private final InFlight inFlight;
    private final Completion completion;
    private final PilotRegistry pilots;
    private final NodeHealth nodes;
    private final TaskFailures failures;

    public AttemptOutcome(Lane lane, InFlight inFlight, Completion completion, PilotRegistry pilots, NodeHealth nodes) {
        this.lane = lane;
        this.inFlight = inFlight;
        this.completion = completion;
        this.pilots = pilots;
        this.nodes = nodes;
        failures = new TaskFailures(lane);
    }

    /** A pilot has reported the end of an attempt that counts. */
    void ended(LiveJob job, Result result) {
        JobRecord r = job.record;
        Pool pool = job.pool();
        boolean finished = result.status() == Result.Outcome.FINISHED;
        if (job.isOut()) {
            if (job.isStarted() && r.startedAt > 0) {
                pool.estimator.jobEnded(lane.now() - r.startedAt, ranMillis(result));
            }
            inFlight.land(job, true);
        } else {
            inFlight.stopCooling(job);
        }
        r.pilot = result.pilotId();
        r.exitCode = result.exitCode();
        ErrorType before = r.errorType;
        if (finished || !r.isOverdue()) {
            r.errorType = typeOf(result);
            r.errorMessage = result.errorMessage();
        } else {
            r.errorType = ErrorType.TIMEOUT;
        }
        pilots.ended(result.pilotId(), finished);
        if (finished) {
            pool.finished++;
            nodes.worked(result.pilotId());
            failures.finished(job.task);
            r.logs.clear();
            keep(log(result), r);
            r.output = output(result);
            completion.end(job, JobStatus.FINISHED);
            return;
        }
        pool.failed++;
        boolean stoppedByUs = r.isUnwanted();
        if (!stoppedByUs || job.task.progress.stop != Stop.NONE) {
            keep(log(result), r);
            r.output = output(result) == null ? r.output : output(result);
        }
        if (r.order == Order.CANCEL) {
            completion.end(job, JobStatus.CANCELLED);
            return;
        }
        // Pilots report "cancelled" only after a notice: it was ordered in a time that a restore has forgotten.
        boolean ordered = stoppedByUs || result.status() == Result.Outcome.CANCELLED && !r.isOverdue();
        ErrorClass errorClass = ordered ? null : r.isOverdue() ? ErrorClass.SYSTEM : classOf(job, result, before);
        // An input that is missing says nothing about the node, nor does the end of a pilot that was told to end.
        boolean leaves = result.status() == Result.Outcome.KILLED && pilots.isDraining(result.pilotId());
        if (errorClass == ErrorClass.SYSTEM && r.errorType != ErrorType.MISSING && !leaves) {
            nodes.failed(result.pilotId(), pool);
        }
        if (!ordered) {
            failures.failed(job);
        }
        tryAgain(job, errorClass, result.status() == Result.Outcome.KILLED);
    }

    /** By the clock of the pilot, which may differ from Weir's; 0 when missing or out of range. */
    private static long ranMillis(Result result) {
        if (result.startedAt() == null || result.endedAt() == null) {
            return 0;
        }
        Duration ran = Duration.between(result.startedAt(), result.endedAt());
        return ran.isNegative() || ran.toDays() > LONGEST_DAYS ? 0 : ran.toMillis();
    }

    private static MadeFile output(Result result) {
        return made(result.attempt(), result.fileOutUrl(), result.fileOutSize(), result.fileOutChecksum());
    }

    private static MadeFile log(Result result) {
        return made(result.attempt(), result.fileLogUrl(), result.fileLogSize(), result.fileLogChecksum());
    }

    private static MadeFile made(int attempt, String url, Long size, String checksum) {
        return url == null || url.isBlank() ? null : new MadeFile(attempt, url, size, checksum);
    }

    private static void keep(MadeFile log, JobRecord r) {
        if (log != null) {
            r.logs.add(log);
            int length = 0;
            for (MadeFile one : r.logs) {
                length += one.url().length();
            }
            while (r.logs.size() > MOST_LOGS || r.logs.size() > 1 && length > LOG_URLS) {
                length -= r.logs.remove(0).url().length();
            }
        }
    }

    /** The lease of its pilot has run out. That is a failure of the pilot's node. */
    public void lost(LiveJob job) {
        JobRecord r = job.record;
        pilots.ended(r.pilot, false);
        nodes.failed(r.pilot, job.pool());
        r.lost = r.lost.and(r.attempt, r.pilot, r.isUnwanted());
        r.exitCode = null;
        if (r.isOverdue()) {
            r.errorType = ErrorType.TIMEOUT;
        } else {
            r.errorType = ErrorType.LOST;
            r.errorMessage = "pilot " + r.pilot + " was not heard for "
                    + lane.options.pilots().lease().toSeconds() + " s";
        }
        inFlight.land(job, false);
        if (r.order == Order.CANCEL) {
            completion.end(job, JobStatus.CANCELLED);
            return;
        }
        boolean unwanted = r.isUnwanted();
        if (!unwanted) {
            failures.lost(job);
        }
        tryAgain(job, unwanted ? null : ErrorClass.SYSTEM, false);
    }

    /**
     * The failure of an earlier attempt that we counted as lost: its log belongs to the job's logs, and its output to the job while no
     * later attempt left any.
     */
    void lateFailure(LiveJob job, Result result) {
        JobRecord r = job.record;
        Lost lost = r.lost.failed(result);
        if (lost == null) {
            return;
        }
        r.lost = r.lost.without(lost);
        lane.changed(job);
        if (lost.stopped() || result.attempt() <= r.registeredAttempts) {
            return;
        }
        MadeFile output = output(result);
        if (output != null && (r.output == null || r.output.attempt() < output.attempt())) {
            r.output = output;
        }
        keep(log(result), r);
    }

    /** @param before how the attempt before has failed; null for none, or when it is not known */
    private ErrorClass classOf(LiveJob job, Result result, ErrorType before) {
        ErrorClass byRule = classByRule(result);
        boolean isMissingAgain = result.errorType() == ErrorType.EXECUTABLE && before == ErrorType.EXECUTABLE;
        boolean blamesTask = isMissingAgain && failures.programIsMissing(job);
        return byRule == ErrorClass.SYSTEM && blamesTask ? ErrorClass.PAYLOAD : byRule;
    }

    private ErrorClass classByRule(Result result) {
        ErrorType type = typeOf(result);
        for (ErrorRule rule : lane.options.attempts().errorRules()) {
            if (rule.matches(result.exitCode(), type, result.errorMessage())) {
                return rule.errorClass();
            }
        }
        return ErrorClass.PAYLOAD;
    }

    /** Every failure has one: by it people find the job. */
    private static ErrorType typeOf(Result result) {
        if (result.errorType() != null || result.status() == Result.Outcome.FINISHED) {
            return result.errorType();
        }
        return result.status() == Result.Outcome.FAILED ? ErrorType.UNKNOWN : ErrorType.KILLED;
    }

    private static String newestLog(JobRecord r) {
        MadeFile log = r.logs.isEmpty() ? null : r.logs.get(r.logs.size() - 1);
        return log == null || log.attempt() != r.attempt ? null : log.url();
    }

    /** @param errorClass null: we stopped it ourselves, which uses up nothing */
    private void tryAgain(LiveJob job, ErrorClass errorClass, boolean killed) {
        JobRecord r = job.record;
        Progress p = job.task.progress;
        AttemptOptions options = lane.options.attempts();
        JobStatus how = killed ? JobStatus.KILLED : JobStatus.FAILED;
        job.endedAttempt = new LiveJob.EndedAttempt(how, newestLog(r));
        if (errorClass == ErrorClass.SYSTEM) {
            r.systemFailingSince = r.systemFailingSince == 0 ? lane.now() : r.systemFailingSince;
        } else if (errorClass != null) {
            r.systemFailingSince = 0;
        }
        boolean again = errorClass == null
                || errorClass == ErrorClass.PAYLOAD
                        && r.payloadFailures < job.task.spec().retry()
                || errorClass == ErrorClass.SYSTEM && failures.mayGoOn(job);
        if (!again || p.stop != Stop.NONE) {
            completion.end(job, how);
            return;
        }
        if (errorClass == ErrorClass.PAYLOAD) {
            r.payloadFailures++;
            p.retries++;
        } else if (errorClass == ErrorClass.SYSTEM) {
            r.systemFailures++;
            p.systemRetries++;
        } else {
            r.orderedKills++;
        }
        lane.counters.retry(errorClass == null ? "ordered" : errorClass.name().toLowerCase(Locale.ROOT));
        r.phase = Phase.COOLING;
        r.deadline = lane.now() + RetryPause.millis(r, options, lane.options.seed(), failures.isProbe(job));
        p.cooling++;
        lane.timers.set(job.timer, r.deadline);
        lane.changed(job);
        lane.changed(job.task);
    }
}
