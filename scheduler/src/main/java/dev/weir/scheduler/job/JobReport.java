package dev.weir.scheduler.job;

import dev.weir.engine.Refused;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.scheduler.state.JobRecord;

/**
 * What a pilot reports about an attempt of a job.
 *
 * @param result null unless the kind is {@link Kind#RESULT}
 * @param heartbeat null unless the kind is {@link Kind#ALIVE}
 */
record JobReport(
        Kind kind,
        String pilotId,
        String pool,
        String jobUid,
        int attempt,
        String route,
        Result result,
        Heartbeat heartbeat) {

    /** How many attempts of a job we may have sent since what we remember; a report about a later one makes no sense. */
    private static final int MOST_FORGOTTEN_ATTEMPTS = 1000;

    /** What it reports about the attempt. */
    enum Kind {
        STARTING,
        RUNNING,
        ALIVE,
        RESULT
    }

    /** The report must be about a job. */
    static JobReport of(Report report) {
        if (report instanceof Status s) {
            Kind kind = s.status() == Status.Phase.STARTING ? Kind.STARTING : Kind.RUNNING;
            return new JobReport(kind, s.pilotId(), s.pool(), s.jobUid(), s.attempt(), s.route(), null, null);
        }
        if (report instanceof Result r) {
            return new JobReport(Kind.RESULT, r.pilotId(), r.pool(), r.jobUid(), r.attempt(), r.route(), r, null);
        }
        Heartbeat h = (Heartbeat) report;
        return new JobReport(Kind.ALIVE, h.pilotId(), h.pool(), h.jobUid(), h.attempt(), h.route(), null, h);
    }

    /**
     * Throws {@link Refused} if the job can have had no such attempt.
     *
     * @param remembered the last attempt that we know of; 0 for none
     */
    void checkAttempt(int remembered) {
        if (attempt - remembered > MOST_FORGOTTEN_ATTEMPTS) {
            throw new Refused(
                    "attempt",
                    "attempt " + attempt + " of job '" + jobUid + "' makes no sense: of that job "
                            + (remembered == 0 ? "no attempt" : "attempt " + remembered) + " is known here");
        }
    }

    boolean isResult() {
        return kind == Kind.RESULT;
    }

    boolean isFinished() {
        return isResult() && result.status() == Result.Outcome.FINISHED;
    }

    /** Whether it ends a job that was over after this attempt: the end of the attempt was not heard, and no output is registered. */
    boolean mayFinish(JobRecord job) {
        return isFinished() && job.lost.has(attempt);
    }
}
