package dev.weir.simulator.reference;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Result;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.ErrorClass;
import dev.weir.scheduler.options.ErrorRule;

/** What the end of an attempt says about its cause. */
final class Causes {

    private Causes() {}

    static boolean isStaging(Result result) {
        return result.errorType() == ErrorType.STAGE_IN
                || result.errorType() == ErrorType.STAGE_OUT
                || result.errorType() == ErrorType.MISSING;
    }

    /** Whether the attempt had its input. */
    static boolean hasRead(Result result) {
        return result.errorType() == ErrorType.EXIT
                || result.errorType() == ErrorType.TIMEOUT
                || result.errorType() == ErrorType.OOM;
    }

    /**
     * @param job a program that cannot be started is the fault of a node, unless its task has run nothing and the job fails so again
     * @param before how its attempt before has failed
     */
    static ErrorClass errorClass(Result result, RefJob job, ErrorType before, AttemptOptions options) {
        ErrorClass byRule = errorClass(result, options);
        boolean isOwnFault = result.errorType() == ErrorType.EXECUTABLE
                && before == ErrorType.EXECUTABLE
                && byRule == ErrorClass.SYSTEM
                && job.systemFailures > 0
                && job.task.storageWorkedAt == 0
                && job.task.count(RefJob.Phase.RUNNING) == (job.phase == RefJob.Phase.RUNNING ? 1 : 0);
        return isOwnFault ? ErrorClass.PAYLOAD : byRule;
    }

    private static ErrorClass errorClass(Result result, AttemptOptions options) {
        boolean untold = result.status() != Result.Outcome.FAILED && result.errorType() == null;
        ErrorType type = untold ? ErrorType.KILLED : result.errorType();
        for (ErrorRule rule : options.errorRules()) {
            if (rule.matches(result.exitCode(), type, result.errorMessage())) {
                return rule.errorClass();
            }
        }
        return ErrorClass.PAYLOAD;
    }
}
