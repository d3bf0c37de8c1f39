package dev.weir.dsm.catalogue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weir.sql.Migrations;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Connections to the database: a small pool, and transactions that are committed or leave nothing. */
public final class Catalogue implements AutoCloseable {

    private static final long CONNECTION_TIMEOUT_MILLIS = 5_000;

    /** A database that takes a connection and then says nothing fails after this time; the URL's parameters prevail. */
    private static final Map<String, String> TIMEOUTS =
            Map.of("connectTimeout", "10", "loginTimeout", "20", "socketTimeout", "60", "tcpKeepAlive", "true");

    /** What is done in one transaction. */
    @FunctionalInterface
    public interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    private final HikariDataSource pool;
    private final List<Catalogue> separate = new ArrayList<>();

    private Catalogue(HikariDataSource pool) {
        this.pool = pool;
    }

    /** Connects and brings the tables to the newest layout. Throws as {@link Migrations#apply} does. */
    public static Catalogue open(String jdbcUrl, String user, String password, int connections) {
        Migrations.DSM.apply(jdbcUrl, user, password);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setUsername(user);
        config.setPassword(password);
        TIMEOUTS.forEach(config::addDataSourceProperty);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        config.setAutoCommit(false);
        return new Catalogue(pool(config, "dsm", connections));
    }

    /** The same database with connections of its own, for work that must not wait for other work. Closed with this one. */
    public Catalogue separate(String name, int connections) {
        HikariConfig config = new HikariConfig();
        pool.copyStateTo(config);
        Catalogue more = new Catalogue(pool(config, name, connections));
        separate.add(more);
        return more;
    }

    private static HikariDataSource pool(HikariConfig config, String name, int connections) {
        config.setPoolName(name);
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    /** Does the work and commits; rolls back whatever it throws. */
    public <T> T transact(Work<T> work) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            try {
                T result = work.in(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                rollBack(connection, e);
                throw e;
            }
        }
    }

    /** Data exceptions, broken constraints, exceeded limits: a repetition would fail in the same way. */
    public static boolean blamesTheData(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("22") || state.startsWith("23") || state.startsWith("54"));
    }

    private static void rollBack(Connection connection, Throwable why) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            why.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        separate.forEach(Catalogue::close);
        pool.close();
    }
}
