package dev.weir.cli.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What PostgreSQL's {@code postmaster.pid} says about the server of a data directory. */
final class Postmaster {

    private static final Logger LOG = LoggerFactory.getLogger(Postmaster.class);
    private static final long STOP_LIMIT_SECONDS = 30;

    private Postmaster() {}

    /** The running server of a data directory. */
    static ProcessHandle of(Path data) throws IOException {
        long pid = pid(data);
        return ProcessHandle.of(pid)
                .orElseThrow(() -> new IOException("PostgreSQL process " + pid + " of " + data + " has ended"));
    }

    private static long pid(Path data) throws IOException {
        return Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
    }

    /**
     * Stops the server that a killed process of ours may have left, and takes away the file that would keep a new one from
     * starting. The caller owns the data directory.
     */
    static void stopLeftover(Path data) throws IOException {
        Path file = data.resolve("postmaster.pid");
        if (!Files.exists(file)) {
            return;
        }
        Optional<ProcessHandle> left = ProcessHandle.of(pid(data)).filter(Postmaster::isPostgres);
        if (left.isPresent()) {
            LOG.warn(
                    "stopping PostgreSQL process {}, which an earlier run left in {}",
                    left.get().pid(),
                    data);
            stop(left.get(), data);
        }
        // Either the server has removed it, or it died without, and its number may belong to somebody else by now.
        Files.deleteIfExists(file);
    }

    private static boolean isPostgres(ProcessHandle process) {
        return process.isAlive()
                && process.info()
                        .command()
                        .map(name -> name.endsWith("/postgres"))
                        .orElse(false);
    }

    private static void stop(ProcessHandle server, Path data) throws IOException {
        Signal.send("INT", server.pid());
        if (!awaitExit(server)) {
            throw new IOException("PostgreSQL process " + server.pid() + " of an earlier run still uses " + data
                    + " after " + STOP_LIMIT_SECONDS + " s; stop it with: kill -QUIT " + server.pid());
        }
    }

    /** Waits, at most half a minute, until it has ended; false when it has not. */
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
