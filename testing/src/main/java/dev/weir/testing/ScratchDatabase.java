package dev.weir.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL database for one test, dropped when closed, even with open connections, unless it is a kept one. */
public final class ScratchDatabase implements AutoCloseable {

    private static final int PORT = 5432;
    private static EmbeddedPostgres embedded;

    /** A server: its address without a database, and a user who may create databases. */
    private record Server(String address, String user, String password) {
        String url(String database) {
            return address + "/" + database;
        }
    }

    private final Server server;
    private final String name;
    private final boolean isKept;

    private ScratchDatabase(Server server, String name, boolean isKept) {
        this.server = server;
        this.name = name;
        this.isKept = isKept;
    }

    /** Creates a database on a real server if there is one, otherwise on an embedded one. */
    public static ScratchDatabase create() throws SQLException {
        return create(findServer());
    }

    /** Creates a database on the embedded server, which starts with the first call and ends with the JVM. */
    public static ScratchDatabase createEmbedded() throws SQLException {
        return create(embeddedServer());
    }

    /** Creates a database on a server whose address has no database, as in {@code jdbc:postgresql://127.0.0.1:5432}. */
    static ScratchDatabase createAt(String address, String user, String password) throws SQLException {
        return create(new Server(address, user, password));
    }

    /**
     * The database of this name on the server that {@link #create} finds, which is made if it is not there, and stays when this is closed.
     *
     * @param name of lower-case letters, digits and underscores
     */
    public static ScratchDatabase kept(String name) throws SQLException {
        if (!name.matches("[a-z][a-z0-9_]{0,62}")) {
            throw new IllegalArgumentException(
                    "a database's name must be 1 to 63 of a-z 0-9 _ and begin with a letter, got '" + name + "'");
        }
        ScratchDatabase kept = new ScratchDatabase(findServer(), name, true);
        if (!kept.isThere()) {
            kept.onServer("CREATE DATABASE " + name);
        }
        return kept;
    }

    private boolean isThere() throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url("postgres"), user(), password());
                PreparedStatement find = connection.prepareStatement("SELECT FROM pg_database WHERE datname = ?")) {
            find.setString(1, name);
            return find.executeQuery().next();
        }
    }

    private static ScratchDatabase create(Server server) throws SQLException {
        ScratchDatabase made = new ScratchDatabase(server, Services.uniqueName(), false);
        made.onServer("CREATE DATABASE " + made.name);
        return made;
    }

    private static Server findServer() {
        String given = System.getenv("WEIR_PG_URL");
        if (given != null && !given.isBlank()) {
            return parse(given);
        }
        if (Services.answersLocally(PORT)) {
            return new Server("jdbc:postgresql://127.0.0.1:" + PORT, "postgres", "");
        }
        if (Services.required()) {
            throw Services.missing("PostgreSQL", "WEIR_PG_URL", PORT);
        }
        return embeddedServer();
    }

    /** Reads {@code [jdbc:]postgresql://[user[:password]@]host[:port][/database][?user=…&password=…]}. */
    private static Server parse(String given) {
        URI uri = URI.create(given.startsWith("jdbc:") ? given.substring("jdbc:".length()) : given);
        String user = "postgres";
        String password = "";
        if (uri.getUserInfo() != null) {
            String[] parts = uri.getUserInfo().split(":", 2);
            user = parts[0];
            password = parts.length > 1 ? parts[1] : "";
        }
        for (String pair :
                uri.getQuery() == null ? new String[0] : uri.getQuery().split("&", -1)) {
            user = pair.startsWith("user=") ? pair.substring("user=".length()) : user;
            password = pair.startsWith("password=") ? pair.substring("password=".length()) : password;
        }
        int port = uri.getPort() < 0 ? PORT : uri.getPort();
        return new Server("jdbc:postgresql://" + uri.getHost() + ":" + port, user, password);
    }

    private static synchronized Server embeddedServer() {
        if (embedded == null) {
            try {
                embedded = EmbeddedPostgres.builder().start();
            } catch (IOException e) {
                throw new UncheckedIOException("the embedded PostgreSQL does not start", e);
            }
            Runtime.getRuntime().addShutdownHook(new Thread(ScratchDatabase::stopEmbedded));
        }
        return new Server("jdbc:postgresql://127.0.0.1:" + embedded.getPort(), "postgres", "postgres");
    }

    private static synchronized void stopEmbedded() {
        try {
            embedded.close();
        } catch (IOException e) {
            System.err.println("the embedded PostgreSQL did not stop: " + e);
        }
    }

    public String jdbcUrl() {
        return server.url(name);
    }

    public String user() {
        return server.user();
    }

    public String password() {
        return server.password();
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user(), password());
    }

    /** Runs statements without results. */
    public void run(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** All rows, every column as text, null for NULL. */
    public List<List<String>> rows(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<List<String>> rows = new ArrayList<>();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                    row.add(result.getString(column));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    /** The first column of the only row, as text. */
    public String value(String sql) throws SQLException {
        List<List<String>> rows = rows(sql);
        if (rows.size() != 1) {
            throw new AssertionError(rows.size() + " rows instead of one for: " + sql);
        }
        return rows.get(0).get(0);
    }

    /** Breaks all connections to the database, like a short outage. */
    public void breakConnections() throws SQLException {
        onServer("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");
    }

    private void onServer(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url("postgres"), user(), password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        if (!isKept) {
            onServer("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
        }
    }
}
