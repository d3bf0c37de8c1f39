package dev.weir.cli;

import dev.weir.cli.console.Output;
import dev.weir.cli.console.Printable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Prints the reason of a failed command, and the stack trace only if {@code WEIR_TRACE} is set. Text of others may be in both. */
final class FailureMessage implements IExecutionExceptionHandler {

    private static final Map<Class<? extends FileSystemException>, String> WORDS = Map.of(
            FileAlreadyExistsException.class, "this is a file, but a directory is required",
            AccessDeniedException.class, "access denied; check the permissions",
            NoSuchFileException.class, "no such file or directory",
            NotDirectoryException.class, "not a directory");

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof Output.ReaderGone) {
            return Output.ReaderGone.EXIT_CODE;
        }
        String reason = reason(failure);
        command.getErr().println(Printable.lines(command.getCommandSpec().qualifiedName(" ") + ": " + reason));
        if (System.getenv("WEIR_TRACE") != null) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace, true));
            command.getErr().print(Printable.lines(trace.toString()));
            command.getErr().flush();
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /** The first message along the causes: some libraries throw exceptions without one. */
    private static String reason(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof FileSystemException file && file.getReason() == null) {
                // The message of this exception is only the path.
                return file.getMessage() + ": "
                        + WORDS.getOrDefault(file.getClass(), file.getClass().getSimpleName());
            }
            if (cause.getMessage() != null) {
                return cause.getMessage();
            }
        }
        return failure.getClass().getName();
    }
}
