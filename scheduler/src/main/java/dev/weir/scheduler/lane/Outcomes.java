package dev.weir.scheduler.lane;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Result;
import dev.weir.scheduler.backlog.Dice;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.ErrorClass;
import dev.weir.scheduler.options.ErrorRule;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Order;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.LostAttempts.Lost;
import dev.weir.scheduler.state.MadeFile;
import dev.weir.scheduler.state.Progress.Stop;
import java.time.Duration;

/** What becomes of an attempt that has ended, and with it of its job: finished, to be tried again, or over. */
final class Outcomes {

    /** How long a job waits that we had stopped because its pilot may not have it: this, twice this, and so on. */
    private static final long STOPPED_PAUSE_MILLIS = 1_000;

    private static final long LONGEST_STOPPED_PAUSE_MILLIS = 300_000;

    /** A pilot that says it ran longer is not believed. */
    private static final int LONGEST_DAYS = 30;

    private final Lane lane;

    Outcomes(Lane lane) {
        this.lane = lane;
    }

    /** By the pilot's own clock, so that it need not agree with ours; 0 when not told, or senseless. */
    private static long ranMillis(Result result) {
        if (result.startedAt() == null || result.endedAt() == null) {
            return 0;
        }
        Duration ran = Duration.between(result.startedAt(), result.endedAt());
        return ran.isNegative() || ran.toDays() > LONGEST_DAYS ? 0 : ran.toMillis();
    }

    void ended(LiveJob job, Result result) {
        JobRecord r = job.r;
        boolean wasOut = job.isOut();
        boolean wasDue = r.phase == Phase.DUE;
        if (wasOut) {
            if (r.startedAt > 0 && job.isStarted()) {
                job.pool.handover.jobEnded(lane.now - r.startedAt, ranMillis(result));
            }
            lane.flights.land(job);
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
            lane.endings.over(job, JobStatus.FINISHED);
            return;
        }
        job.pool.failed++;
        lane.pilots.ended(result.pilotId(), false);
        boolean stoppedByUs = r.order == Order.KILL && job.task.p.stop == Stop.NONE;
        if (log != null && !stoppedByUs) {
            r.logs.add(log);
        }
        if (output != null && !stoppedByUs) {
            r.output = output;
        }
        if (r.order == Order.CANCEL) {
            lane.endings.over(job, JobStatus.CANCELLED);
            return;
        }
        // Pilots say so after a notice only: we ordered it in a time that a restore has forgotten.
        boolean orderedBefore = result.status() == Result.Outcome.CANCELLED;
        ErrorClass errorClass = r.order == Order.KILL || orderedBefore ? null : classOf(result);
        if (errorClass == ErrorClass.SYSTEM) {
            lane.nodes.failed(result.pilotId(), job.pool);
        }
        tryAgain(job, errorClass, result.status() == Result.Outcome.KILLED);
    }

    /** The lease ran out. */
    void lost(LiveJob job) {
        JobRecord r = job.r;
        lane.pilots.lostJob(r);
        r.lost = r.lost.and(r.attempt, r.pilot, r.order == Order.KILL);
        r.errorType = null;
        r.exitCode = null;
        r.errorMessage = "pilot " + r.pilot + " was not heard for "
                + lane.options.pilots().lease().toSeconds() + " s";
        lane.flights.land(job);
        if (r.order == Order.CANCEL) {
            lane.endings.over(job, JobStatus.CANCELLED);
        } else {
            tryAgain(job, r.order == Order.KILL ? null : ErrorClass.SYSTEM, false);
        }
    }

    /** The failure of an earlier attempt that we counted as lost: its log belongs to the chain, and so does its output while no later one left any. */
    void lateFailure(LiveJob job, Result result) {
        JobRecord r = job.r;
        Lost lost = r.lost.failed(result);
        if (lost == null) {
            return;
        }
        r.lost = r.lost.without(lost);
        lane.writes.changed(job);
        if (lost.stopped() || result.attempt() <= r.registeredAttempts) {
            return;
        }
        MadeFile output = made(result.attempt(), result.fileOutUrl(), result.fileOutSize(), result.fileOutChecksum());
        if (output != null && (r.output == null || r.output.attempt() < output.attempt())) {
            r.output = output;
        }
        MadeFile log = made(result.attempt(), result.fileLogUrl(), result.fileLogSize(), result.fileLogChecksum());
        if (log != null) {
            r.logs.add(log);
        }
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
            lane.endings.over(job, killed ? JobStatus.KILLED : JobStatus.FAILED);
            return;
        }
        if (errorClass == ErrorClass.PAYLOAD) {
            r.payloadFailures++;
            task.p.retries++;
        } else if (errorClass == ErrorClass.SYSTEM) {
            r.systemFailures++;
            task.p.systemRetries++;
        } else {
            r.orderedKills++;
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
        double longest = options.coolOffMax().toMillis();
        double pause =
                Math.min(longest, options.coolOff().toMillis() * Math.pow(options.coolOffFactor(), failures - 1));
        if (r.orderedKills > 0) {
            // However short the cool-off of failures: a pilot that takes again and again what it may not have must not
            // turn in a circle.
            double stopped = STOPPED_PAUSE_MILLIS * Math.pow(2, r.orderedKills - 1);
            pause = Math.max(pause, Math.min(LONGEST_STOPPED_PAUSE_MILLIS, stopped));
            longest = Math.max(longest, LONGEST_STOPPED_PAUSE_MILLIS);
        }
        // From uid and attempt, so that a replay draws the same.
        double draw = (Dice.mix(r.uid.hashCode() * 31L + r.attempt + lane.options.seed()) >>> 11) * 0x1p-53;
        double least = pause * (1 - options.coolOffJitter());
        double most = Math.min(longest, pause * (1 + options.coolOffJitter()));
        return (long) (least + draw * (most - least));
    }
}
