package dev.weir.scheduler.options;

import com.google.re2j.Pattern;
import dev.weir.protocol.ErrorType;
import java.util.List;

/**
 * Gives a class to failed attempts that match every part of the rule.
 *
 * @param exitCode null matches any
 * @param type null matches any
 * @param message a part of the error message; null matches any
 */
public record ErrorRule(Integer exitCode, ErrorType type, Pattern message, ErrorClass errorClass) {

    /**
     * Stage-in, stage-out, a missing input, a full disk, a program that cannot be started, and a kill that Weir did not order are
     * {@code system}; all other failures are {@code payload}.
     */
    public static List<ErrorRule> defaults() {
        return List.of(
                ofType(ErrorType.STAGE_IN, ErrorClass.SYSTEM),
                ofType(ErrorType.STAGE_OUT, ErrorClass.SYSTEM),
                ofType(ErrorType.MISSING, ErrorClass.SYSTEM),
                ofType(ErrorType.DISK_FULL, ErrorClass.SYSTEM),
                ofType(ErrorType.EXECUTABLE, ErrorClass.SYSTEM),
                ofType(ErrorType.KILLED, ErrorClass.SYSTEM));
    }

    public static ErrorRule ofType(ErrorType type, ErrorClass errorClass) {
        return new ErrorRule(null, type, null, errorClass);
    }

    public boolean matches(Integer actualExitCode, ErrorType actualType, String actualMessage) {
        return (exitCode == null || exitCode.equals(actualExitCode))
                && (type == null || type == actualType)
                && (message == null
                        || actualMessage != null
                                && message.matcher(actualMessage).find());
    }
}
