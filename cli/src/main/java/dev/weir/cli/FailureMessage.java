package dev.weir.cli;

import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Prints why a command failed in a line; the stack trace only for those who set {@code WEIR_TRACE}. */
final class FailureMessage implements IExecutionExceptionHandler {

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        String reason = reason(failure);
        command.getErr().println("weir " + command.getCommandName() + ": " + reason);
        if (System.getenv("WEIR_TRACE") != null) {
            failure.printStackTrace(command.getErr());
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /** The first message down the causes: some libraries throw without one. */
    private static String reason(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                return cause.getMessage();
            }
        }
        return failure.getClass().getName();
    }
}
