package dev.weir.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL of our own, with its own port and directory and with data that survives its death, which tests may kill. */
public final class PrivatePostgres implements AutoCloseable {

    private static final String USER = "postgres";
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final Path data;
    private final int port = freePort();
    private EmbeddedPostgres server;
    private ProcessHandle postmaster;

    /**
     * Starts it.
     *
     * @param data for its files; kept when it is closed
     * @throws IOException if it does not answer within two minutes
     */
    public PrivatePostgres(Path data) throws IOException {
        this.data = Files.createDirectories(data);
        start();
    }

    private static int freePort() throws IOException {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Starts it, with the data that it had. */
    public void start() throws IOException {
        server = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                .setPGStartupWait(START_LIMIT)
                .setServerConfig("unix_socket_directories", "")
                // The defaults of the library are for data that need not outlive a crash.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        try (Connection there = server.getPostgresDatabase().getConnection()) {
            there.isValid(1);
        } catch (SQLException e) {
            throw new IOException("the private PostgreSQL does not answer", e);
        }
        String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip();
        postmaster = ProcessHandle.of(Long.parseLong(pid))
                .orElseThrow(() -> new IOException("the private PostgreSQL has ended"));
    }

    /** Everything it consists of, the postmaster first. */
    public List<ProcessHandle> processes() {
        List<ProcessHandle> tree = new ArrayList<>(List.of(postmaster));
        tree.addAll(postmaster.descendants().toList());
        return tree;
    }

    /** SIGKILL, to everything it consists of. */
    public void kill() throws IOException {
        List<ProcessHandle> tree = processes();
        tree.forEach(ProcessHandle::destroyForcibly);
        tree.forEach(process -> process.onExit().join());
        // Finds nothing to stop, and gives up its lock on the directory.
        server.close();
    }

    /** Creates an empty database. */
    public ScratchDatabase createDatabase() throws SQLException {
        return ScratchDatabase.createAt("jdbc:postgresql://127.0.0.1:" + port, USER, "");
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
