package dev.weir.pilot.run;

import dev.weir.protocol.ErrorType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Writes what a program prints on standard output to its output, up to a number of bytes. It goes through the pilot, because a
 * program may ignore that a write failed, and end well with half of its output.
 */
final class CapturedOutput implements ProgramOutput {

    /** At the end of the message about an output that is too long. */
    static final String PILOTS_OPTION = " (see --max-output)";

    private static final int BUFFER_BYTES = 64 << 10;

    private final InputStream printed;
    private final OutputStream output;
    private final long maxBytes;
    private final CompletableFuture<AttemptFailure> failed = new CompletableFuture<>();
    private final CompletableFuture<AttemptFailure> ended = new CompletableFuture<>();

    /** Begins; closes both streams in the end. */
    CapturedOutput(InputStream printed, OutputStream output, long maxBytes) {
        this.printed = printed;
        this.output = output;
        this.maxBytes = maxBytes;
        Thread thread = new Thread(this::run, "pilot-output");
        thread.setDaemon(true);
        thread.start();
    }

    /** Completes as soon as something is missing, and not when all is well. */
    CompletableFuture<AttemptFailure> failed() {
        return failed;
    }

    /** Its end is seen when the last process has closed it, whichever that is. */
    @Override
    public boolean isOpenIn(Collection<ProcessHandle> processes) {
        return !ended.isDone();
    }

    /** Nothing follows an end that was seen. */
    @Override
    public Object state() {
        return ended.isDone();
    }

    /**
     * Waits for the end of all that was printed; the program has ended.
     *
     * @return why the output is not whole; null when it is
     */
    AttemptFailure await(Duration longest) {
        try {
            return ended.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            close();
            return new AttemptFailure(ErrorType.STAGE_OUT, "standard output has no end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new AttemptFailure(ErrorType.STAGE_OUT, "the pilot was interrupted while it wrote the output", e);
        }
    }

    /** A process that is not known as the program's keeps the pipe open, and would keep a thread and the deleted output. */
    private void close() {
        try {
            printed.close();
        } catch (IOException e) {
            // The pipe is gone already, which is all that was wanted.
        }
    }

    private void run() {
        AttemptFailure failure = null;
        try (printed;
                output) {
            failure = copy();
        } catch (IOException | RuntimeException | Error e) {
            failure = notWritten(e);
        }
        if (failure != null) {
            failed.complete(failure);
        }
        ended.complete(failure);
    }

    private AttemptFailure copy() throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long total = 0;
        for (int read = printed.read(buffer); read >= 0; read = printed.read(buffer)) {
            total += read;
            if (total > maxBytes) {
                return tooLong(maxBytes);
            }
            output.write(buffer, 0, read);
        }
        return null;
    }

    static AttemptFailure tooLong(long maxBytes) {
        return new AttemptFailure(ErrorType.EXIT, "the output is longer than " + maxBytes + " bytes" + PILOTS_OPTION);
    }

    private static AttemptFailure notWritten(Throwable e) {
        ErrorType type = DiskFull.isCause(e) ? ErrorType.DISK_FULL : ErrorType.STAGE_OUT;
        return new AttemptFailure(type, "standard output could not be written: " + Reasons.of(e), e);
    }
}
