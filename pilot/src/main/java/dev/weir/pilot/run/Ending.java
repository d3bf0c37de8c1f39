package dev.weir.pilot.run;

import dev.weir.pilot.run.StopSignal.Cause;
import dev.weir.pilot.run.StopSignal.Stop;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Result;
import dev.weir.protocol.Result.Outcome;
import java.time.Instant;

/** How an attempt ended, before it is reported. The error is null when it finished. */
record Ending(Outcome outcome, ErrorType error, String message, boolean isStopped) {

    static Ending finished() {
        return new Ending(Outcome.FINISHED, null, null, false);
    }

    static Ending failed(ErrorType error, String message) {
        return new Ending(Outcome.FAILED, error, message, false);
    }

    /** By something other than Weir. */
    static Ending killed(String message) {
        return new Ending(Outcome.KILLED, ErrorType.KILLED, message, false);
    }

    static Ending of(AttemptFailure failure) {
        return failed(failure.type(), failure.getMessage());
    }

    static Ending of(Stop stop) {
        Outcome outcome = stop.cause() == Cause.CANCEL ? Outcome.CANCELLED : Outcome.KILLED;
        return new Ending(outcome, ErrorType.KILLED, stop.reason(), true);
    }

    /** The same, with a word on what went wrong beside it. */
    Ending and(Throwable also) {
        return new Ending(outcome, error, message + "; besides, " + Reasons.of(also), isStopped);
    }

    boolean isFinished() {
        return outcome == Outcome.FINISHED;
    }

    /** For the end of the log. */
    String sentence(Integer exitCode) {
        String code = exitCode == null ? "" : " (exit code " + exitCode + ")";
        return outcome.name().toLowerCase(java.util.Locale.ROOT) + code + (message == null ? "" : ": " + message);
    }

    Result toResult(AttemptRecord record, Integer exitCode, Upload upload) {
        Instant now = Instant.now();
        return new Result(
                record.pilotId(),
                record.pool(),
                now,
                record.jobUid(),
                record.attempt(),
                record.route(),
                outcome,
                exitCode,
                error,
                message,
                upload.output().url(),
                upload.output().size(),
                upload.output().checksum(),
                upload.log().url(),
                upload.log().size(),
                upload.log().checksum(),
                record.startedAt(),
                now);
    }
}
