package dev.weir.pilot.run;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A job's program as it runs: started without a shell, with nothing on its standard input, printing into the log. */
final class Program {

    /** How it ended. */
    enum End {
        BY_ITSELF,
        TIMED_OUT,
        STOPPED
    }

    /**
     * What is left to say when it has ended.
     *
     * @param exitCode 128 + n when signal n ended it
     * @param strays processes that outlived the program and had to be ended
     * @param immortal processes that could not be ended
     */
    record Ended(End end, int exitCode, int strays, Set<ProcessHandle> immortal) {}

    /** For what a dead program's pipe still holds. */
    private static final Duration LAST_OUTPUT = Duration.ofSeconds(5);

    private final Process process;
    private final ProcessTree tree;
    private final Thread pump;
    private final InputStream printed;

    private Program(Process process, ProcessTree tree, InputStream printed, BoundedLog log) {
        this.process = process;
        this.tree = tree;
        this.printed = printed;
        this.pump = new Thread(() -> pump(printed, log), "pilot-log");
        pump.setDaemon(true);
        pump.start();
    }

    /**
     * Starts it.
     *
     * @param stdout where its standard output goes; null for the log, where its standard error goes in any case
     * @param mark unique to the attempt
     */
    static Program start(
            List<String> command,
            Path directory,
            Map<String, String> environment,
            Path stdout,
            BoundedLog log,
            String mark)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectInput(new File("/dev/null"));
        // The pilot's own settings hold passwords, which a job must not see.
        builder.environment().keySet().removeIf(name -> name.startsWith("WEIR_"));
        builder.environment().putAll(environment);
        builder.environment().put(ProcessTree.MARK, mark);
        if (stdout == null) {
            builder.redirectErrorStream(true);
        } else {
            builder.redirectOutput(stdout.toFile());
        }
        Process process = builder.start();
        InputStream printed = stdout == null ? process.getInputStream() : process.getErrorStream();
        return new Program(process, new ProcessTree(process.toHandle(), mark), printed, log);
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Waits for its end, or makes one; when this returns, no process of it is left but those in {@link Ended#immortal}. */
    Ended await(Duration timeout, Duration grace, StopSignal stop) {
        End end = End.BY_ITSELF;
        try {
            CompletableFuture.anyOf(process.onExit(), stop.future()).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (process.isAlive()) {
                end = End.STOPPED;
            }
        } catch (TimeoutException e) {
            end = End.TIMED_OUT;
        } catch (InterruptedException e) {
            stop.request(StopSignal.Cause.SHUTDOWN, "the pilot was interrupted");
            end = End.STOPPED;
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("waiting for a process cannot fail", e);
        }
        // A look at all processes costs a millisecond or two, so one must do when nothing is left.
        Set<ProcessHandle> strays = end == End.BY_ITSELF ? tree.living() : Set.of();
        boolean isOver = end == End.BY_ITSELF && strays.isEmpty();
        Set<ProcessHandle> immortal = isOver ? Set.of() : tree.end(grace);
        finishLog();
        return new Ended(end, exitCode(), strays.size(), immortal);
    }

    /** Ends it when nobody can wait for it. */
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
            if (pump.isAlive()) {
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
