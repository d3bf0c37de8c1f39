package dev.weir.dsm.catalogue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weir.sql.Migrations;
import java.sql.Connection;
import java.sql.SQLException;

/** The database connection: a small pool, and transactions that are committed or leave nothing. */
public final class Catalogue implements AutoCloseable {

    private static final int MAX_CONNECTIONS = 10;
    private static final long CONNECTION_TIMEOUT_MILLIS = 5_000;

    /** What is done in one transaction. */
    @FunctionalInterface
    public interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    private final HikariDataSource pool;

    private Catalogue(HikariDataSource pool) {
        this.pool = pool;
    }

    /** Connects and brings the tables to the newest layout. Throws as {@link Migrations#apply} does. */
    public static Catalogue open(String jdbcUrl, String user, String password) {
        Migrations.DSM.apply(jdbcUrl, user, password);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(MAX_CONNECTIONS);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        config.setAutoCommit(false);
        config.setPoolName("dsm");
        return new Catalogue(new HikariDataSource(config));
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

    private static void rollBack(Connection connection, Throwable why) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            why.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
