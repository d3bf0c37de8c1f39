package dev.weir.pilot.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A program as it runs: started without a shell, printing into the log. */
final class Program {

    /** How it ended. */
    enum End {
        BY_ITSELF,
        TIMED_OUT,
        STOPPED,
        /** Because of {@link Ended#failure}. */
        FAILED
    }

    /**
     * What is left to say when it has ended.
     *
     * @param exitCode 128 + n when signal n ended it
     * @param strays processes that outlived the program and had to be ended
     * @param immortal processes that could not be ended
     * @param failure why its output cannot be whole, whatever it thinks itself; null when nothing is known
     */
    record Ended(End end, int exitCode, int strays, Set<ProcessHandle> immortal, AttemptFailure failure) {}

    /** Looks now and then at what a program does to the machine. */
    interface Watch {
        /** Why it must end; null while it may go on. */
        AttemptFailure look();
    }

    /** Between two looks. */
    static final Duration LOOK = Duration.ofSeconds(1);

    /** For writing what a dead program's pipe still holds. */
    private static final Duration LAST_WRITES = Duration.ofMinutes(1);

    /** For what a dead program's pipe still holds. */
    private static final Duration LAST_OUTPUT = Duration.ofSeconds(5);

    private final Process process;
    private final ProcessTree tree;
    private final Thread pump;
    private final InputStream printed;

    /** Null when standard output goes into the log. */
    private final CapturedOutput output;

    private Program(Process process, ProcessTree tree, InputStream printed, CapturedOutput output, BoundedLog log) {
        this.process = process;
        this.tree = tree;
        this.printed = printed;
        this.output = output;
        this.pump = new Thread(() -> pump(printed, log), "pilot-log");
        pump.setDaemon(true);
        pump.start();
    }

    /** Starts it with nothing on its standard input, and the file that its standard output goes to; the rest is as below. */
    static Program start(
            List<String> command,
            Path directory,
            Map<String, String> environment,
            Path stdout,
            long maxBytes,
            BoundedLog log,
            String mark)
            throws IOException {
        OutputStream output = stdout == null ? null : Files.newOutputStream(stdout, StandardOpenOption.CREATE_NEW);
        return start(command, directory, environment, Path.of("/dev/null"), output, maxBytes, log, mark);
    }

    /**
     * Starts it.
     *
     * @param directory where it runs; beside it are two pipes for a moment
     * @param stdin a file that it reads on its standard input
     * @param stdout where its standard output goes, closed in the end; null for the log, where its standard error goes in any case
     * @param maxBytes of standard output
     * @param mark unique to the attempt
     */
    static Program start(
            List<String> command,
            Path directory,
            Map<String, String> environment,
            Path stdin,
            OutputStream stdout,
            long maxBytes,
            BoundedLog log,
            String mark)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectInput(stdin.toFile());
        // The pilot's own settings hold passwords, which a job must not see.
        builder.environment().keySet().removeIf(name -> name.startsWith("WEIR_"));
        builder.environment().putAll(environment);
        builder.environment().put(ProcessTree.MARK, mark);
        Process process = null;
        NamedPipe outPipe = stdout == null ? null : NamedPipe.create(directory.resolveSibling("stdout-" + mark));
        NamedPipe logPipe = NamedPipe.create(directory.resolveSibling("stderr-" + mark));
        try (outPipe;
                logPipe) {
            if (outPipe != null) {
                builder.redirectOutput(outPipe.writer());
            }
            if (logPipe != null && stdout == null) {
                builder.redirectOutput(logPipe.writer());
            } else if (logPipe != null) {
                builder.redirectError(logPipe.writer());
            }
            process = builder.redirectErrorStream(stdout == null).start();
            ProcessTree tree = new ProcessTree(process.toHandle(), mark);
            if (stdout == null) {
                return new Program(process, tree, reader(logPipe, process.getInputStream()), null, log);
            }
            CapturedOutput output = new CapturedOutput(reader(outPipe, process.getInputStream()), stdout, maxBytes);
            return new Program(process, tree, reader(logPipe, process.getErrorStream()), output, log);
        } catch (IOException | RuntimeException | Error e) {
            // A system without room for one more thread: the program runs, and nobody would look after it.
            new ProcessTree(process == null ? null : process.toHandle(), mark).end(Duration.ZERO);
            if (stdout != null) {
                stdout.close();
            }
            reader(outPipe, InputStream.nullInputStream()).close();
            reader(logPipe, InputStream.nullInputStream()).close();
            throw e;
        }
    }

    private static InputStream reader(NamedPipe pipe, InputStream otherwise) {
        return pipe == null ? otherwise : pipe.reader();
    }

    /** Memory of all its processes, in bytes; for the thread that waits for its end. */
    long memory() {
        return MemoryUse.of(tree.seen());
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /**
     * Waits for its end, or makes one; when this returns, no process of it is left but those in {@link Ended#immortal}.
     *
     * @param file that it writes as its output itself; null when its standard output is that
     */
    Ended await(Duration timeout, Duration grace, StopSignal stop, Watch watch, Path file) {
        AttemptFailure failure = null;
        End end;
        try {
            end = firstEnd(timeout, stop, watch);
        } catch (AttemptFailure e) {
            failure = e;
            end = End.FAILED;
        } catch (InterruptedException e) {
            stop.request(StopSignal.Cause.SHUTDOWN, "the pilot was interrupted");
            end = End.STOPPED;
            Thread.currentThread().interrupt();
        }
        ProgramOutput written = output == null ? new OutputFile(file) : output;
        Strays.Gone left = end == End.BY_ITSELF
                ? new Strays(tree, written, grace, exitCode()).end(stop, watch)
                : new Strays.Gone(0, tree.end(grace), null);
        finishLog();
        if (end == End.BY_ITSELF) {
            failure = output == null ? null : output.await(LAST_WRITES);
            failure = failure == null ? watch.look() : failure;
            failure = failure == null ? left.failure() : failure;
        } else if (end == End.TIMED_OUT && output != null) {
            output.await(LAST_OUTPUT); // What there is of it is uploaded.
        }
        return new Ended(end, exitCode(), left.ended(), left.immortal(), failure);
    }

    private End firstEnd(Duration timeout, StopSignal stop, Watch watch) throws AttemptFailure, InterruptedException {
        CompletableFuture<AttemptFailure> unwritten = output == null ? new CompletableFuture<>() : output.failed();
        CompletableFuture<Object> any = CompletableFuture.anyOf(process.onExit(), stop.future(), unwritten);
        long until = System.nanoTime() + timeout.toNanos();
        while (true) {
            long left = until - System.nanoTime();
            if (left <= 0) {
                return End.TIMED_OUT;
            }
            try {
                Object first = any.get(Math.min(left, LOOK.toNanos()), TimeUnit.NANOSECONDS);
                if (first instanceof AttemptFailure failure) {
                    throw failure;
                }
                return process.isAlive() ? End.STOPPED : End.BY_ITSELF;
            } catch (TimeoutException e) {
                AttemptFailure failure = watch.look();
                if (failure != null) {
                    throw failure;
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("waiting for a process cannot fail", e);
            }
        }
    }

    /** Ends it when no thread can wait for it. */
    void end(Duration grace) {
        tree.end(grace);
    }

    private int exitCode() {
        return process.isAlive() ? -1 : process.exitValue();
    }

    private void finishLog() {
        boolean interrupted = Thread.interrupted();
        try {
            pump.join(LAST_OUTPUT.toMillis());
            if (pump.isAlive()) { // A process that is not known as the program's keeps the pipe open.
                printed.close();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (IOException e) {
            // The pipe is gone already, which is all that was wanted.
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pump(InputStream from, BoundedLog log) {
        byte[] buffer = new byte[8192];
        try (from) {
            for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                log.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // Closed meanwhile: the program has ended, and its output with it.
        }
    }
}
