package dev.weir.cli.embedded;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server of a data directory, according to PostgreSQL's {@code postmaster.pid}. */
final class Postmaster {

    private static final Logger LOG = LoggerFactory.getLogger(Postmaster.class);
    private static final long STOP_LIMIT_SECONDS = 30;

    private Postmaster() {}

    /** The running server of a data directory. */
    static ProcessHandle of(Path data) throws IOException {
        return process(data).orElseThrow(() -> new IOException("the PostgreSQL process of " + data + " has ended"));
    }

    /** The process named in the file; empty if it has ended or the file is incomplete. */
    private static Optional<ProcessHandle> process(Path data) throws IOException {
        List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
        String pid = lines.isEmpty() ? "" : lines.get(0).strip();
        return pid.matches("\\d{1,18}") ? ProcessHandle.of(Long.parseLong(pid)) : Optional.empty();
    }

    /**
     * Stops a server that a killed Weir may have left, and removes the file that would prevent a new start.
     * The caller owns the data directory.
     */
    static void stopLeftover(Path data) throws IOException {
        Path file = data.resolve("postmaster.pid");
        if (!Files.exists(file)) {
            return;
        }
        ProcessHandle left = process(data).orElse(null);
        if (left != null && isServerOf(left, data)) {
            LOG.warn("Stopping PostgreSQL process {}, which an earlier run left in {}", left.pid(), data);
            stop(left, data);
        }
        // The server has either removed it, or died without doing so, and its pid may be in use by another process.
        Files.deleteIfExists(file);
    }

    /** The pid may belong to another server now, which must not be stopped: this server's working directory is its data directory. */
    private static boolean isServerOf(ProcessHandle process, Path data) throws IOException {
        boolean postgres = process.isAlive()
                && process.info()
                        .command()
                        .map(name -> name.endsWith("/postgres"))
                        .orElse(false);
        Path directory = Path.of("/proc", String.valueOf(process.pid()), "cwd");
        try {
            // Without /proc, only the name of the process can be compared.
            return postgres
                    && (!Files.isSymbolicLink(directory)
                            || Files.readSymbolicLink(directory).equals(data.toRealPath()));
        } catch (AccessDeniedException e) {
            // The process of another user, so not this server.
            return false;
        }
    }

    private static void stop(ProcessHandle server, Path data) throws IOException {
        Signal.send("INT", server.pid());
        if (!awaitExit(server)) {
            throw new IOException("PostgreSQL process " + server.pid() + " of an earlier run still uses " + data
                    + " after " + STOP_LIMIT_SECONDS + " s; stop it with: kill -QUIT " + server.pid());
        }
    }

    /** Waits, at most half a minute, until the process has ended; false if it has not. */
    static boolean awaitExit(ProcessHandle server) throws IOException {
        try {
            server.onExit().get(STOP_LIMIT_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while PostgreSQL process " + server.pid() + " stops", e);
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }
}
