package dev.weir.cli.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * An embedded PostgreSQL: real server processes, on the loopback address only and with a password. A later start continues with
 * the data in the directory. The processes end with this process, even when it is killed.
 */
public final class EmbeddedDatabase implements AutoCloseable {

    /** The database, and the role that owns it. */
    public static final String NAME = "weir";

    private static final String SUPERUSER = "postgres";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final EmbeddedPostgres server;
    private final ProcessHandle postmaster;
    private final LastWill lastWill;
    private final Secret secret;
    private final Path passwordFile;

    private EmbeddedDatabase(EmbeddedPostgres server, ProcessHandle postmaster, Secret secret, Path passwordFile)
            throws IOException {
        this.server = server;
        this.passwordFile = passwordFile;
        this.postmaster = postmaster;
        this.lastWill = LastWill.interrupt(postmaster.pid());
        this.secret = secret;
    }

    /**
     * Starts the server; the first start in a directory creates the database.
     *
     * @param directory for its data, its password and its unpacked programs; made if absent; for one server at a time
     * @param port to listen on; must be free
     * @throws IOException when it does not start within a minute, with the reason
     */
    public static EmbeddedDatabase start(Path directory, int port) throws IOException {
        Path home = directory.toAbsolutePath();
        Path data = home.resolve("data");
        Path passwordFile = home.resolve("password");
        Secret secret = Secret.kept(NAME, passwordFile);
        Postmaster.stopLeftover(data);
        EmbeddedPostgres server = launch(home, data, port, passwordFile, secret);
        try {
            EmbeddedDatabase database = new EmbeddedDatabase(server, Postmaster.of(data), secret, passwordFile);
            database.createIfAbsent();
            return database;
        } catch (SQLException | IOException e) {
            server.close();
            throw new IOException(
                    "the embedded PostgreSQL in " + data + " has no usable database: " + e.getMessage(), e);
        }
    }

    private static EmbeddedPostgres launch(Path home, Path data, int port, Path passwordFile, Secret secret)
            throws IOException {
        Files.createDirectories(data);
        try {
            return EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setOverrideWorkingDirectory(home.resolve("programs").toFile())
                    .setCleanDataDirectory(false)
                    .setRegisterShutdownHook(false)
                    .setPort(port)
                    .setPGStartupWait(START_LIMIT)
                    // These three are passed to initdb: every connection needs the password from the first moment
                    // on.
                    .setLocaleConfig("locale", "C")
                    .setLocaleConfig("auth", "scram-sha-256")
                    .setLocaleConfig("pwfile", passwordFile.toString())
                    .setConnectConfig("password", secret.password())
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .setServerConfig("unix_socket_directories", "")
                    .setServerConfig("max_connections", "60")
                    // The library's defaults are for tests; this data must survive a crash of the machine.
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .start();
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "the embedded PostgreSQL does not start on 127.0.0.1:" + port + " in " + data + ": "
                            + e.getMessage() + RootHint.text(),
                    e);
        }
    }

    private void createIfAbsent() throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            try (ResultSet known = statement.executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + NAME + "'")) {
                if (known.next()) {
                    return;
                }
            }
            // A crash may have left the role without the database.
            try (ResultSet known = statement.executeQuery("SELECT 1 FROM pg_roles WHERE rolname = '" + NAME + "'")) {
                if (!known.next()) {
                    statement.execute("CREATE ROLE " + NAME + " LOGIN PASSWORD '" + secret.password() + "'");
                }
            }
            statement.execute("CREATE DATABASE " + NAME + " OWNER " + NAME);
        }
    }

    public int port() {
        return server.getPort();
    }

    public String user() {
        return secret.user();
    }

    public String password() {
        return secret.password();
    }

    /** Readable by the owner only; holds the password and nothing else. */
    public Path passwordFile() {
        return passwordFile;
    }

    /** The JDBC URL, without user and password. */
    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/" + NAME;
    }

    /** The URI for psql and other libpq programs, with user and password: not for logs. */
    public String uri() {
        return "postgresql://" + user() + ":" + password() + "@127.0.0.1:" + port() + "/" + NAME;
    }

    /** Stops the server: open transactions are rolled back, committed ones are kept. */
    @Override
    public void close() throws IOException {
        server.close();
        // The server reports its stop a moment before its process ends.
        Postmaster.awaitExit(postmaster);
        lastWill.revoke();
    }
}
