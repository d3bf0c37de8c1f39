package dev.weir.job.mirror;

import dev.weir.job.options.MirrorOptions;
import dev.weir.job.options.Secrets;
import dev.weir.protocol.Urls;
import dev.weir.sql.DatabaseAway;
import dev.weir.sql.Migrations;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.jdbc.JdbcConnectionOptions;
import org.apache.flink.connector.jdbc.JdbcExecutionOptions;
import org.postgresql.Driver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mirror job's connection to PostgreSQL.
 *
 * @param url a JDBC URL
 * @param password never logged
 */
public record Database(String url, String user, String password, int batchRows, Duration batchDelay)
        implements Serializable {

    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final int RETRIES = 3;
    private static final int CHECK_TIMEOUT_SECONDS = 10;

    /** No migration takes so long; a job that stood still for longer would say nothing. */
    private static final long MIGRATION_MINUTES = 60;

    /**
     * Without these the driver would wait without limit for a host that has disappeared. Parameters in the URL override them. Every
     * statement of the mirror must be faster than the socket timeout: see {@link KeepArchive}.
     */
    private static final Map<String, String> PATIENCE =
            Map.of("connectTimeout", "10", "loginTimeout", "20", "socketTimeout", "60", "tcpKeepAlive", "true");

    public static Database of(Configuration configuration) {
        return new Database(
                configuration.get(MirrorOptions.URL),
                configuration.get(MirrorOptions.USER),
                Secrets.read(configuration, MirrorOptions.PASSWORD_FILE, MirrorOptions.PASSWORD),
                configuration.get(MirrorOptions.BATCH_ROWS),
                configuration.get(MirrorOptions.BATCH_DELAY));
    }

    JdbcConnectionOptions connection() {
        var options = new JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
                .withUrl(url)
                .withDriverName("org.postgresql.Driver")
                .withUsername(user)
                .withPassword(password)
                .withConnectionCheckTimeoutSeconds(CHECK_TIMEOUT_SECONDS);
        PATIENCE.forEach(options::withProperty);
        return options.build();
    }

    /** A connection for work outside the sinks. */
    Connection connect() throws SQLException {
        // On a Flink cluster each job has a class loader of its own, and Java looks for drivers only once.
        var registered = Driver.isRegistered();
        return DriverManager.getConnection(url, connection().getProperties());
    }

    /**
     * Brings the tables to the newest layout; fails after an hour. It can be interrupted, though the wait for a server's answer cannot: Flink ends a TaskManager,
     * with every job on it, when one of its tasks does not end as told.
     */
    void migrate() throws ExecutionException, InterruptedException, TimeoutException {
        FutureTask<Integer> migration = new FutureTask<>(this::migrateWhenFree);
        Thread thread = new Thread(migration, "migrate the mirror");
        thread.setDaemon(true);
        thread.start();
        try {
            var unused = migration.get(MIGRATION_MINUTES, TimeUnit.MINUTES);
        } finally {
            migration.cancel(true);
        }
    }

    /** While a dump uses a table, all readers wait behind each try to change it. */
    private int migrateWhenFree() throws InterruptedException {
        while (true) {
            try {
                return Migrations.WEIR.apply(url, user, password, Duration.ZERO);
            } catch (DatabaseAway e) {
                if (!e.isLocked()) {
                    throw e;
                }
                LOG.warn("The mirror waits for a minute: {}", e.getMessage());
                TimeUnit.MINUTES.sleep(1);
            }
        }
    }

    JdbcExecutionOptions batches() {
        return JdbcExecutionOptions.builder()
                .withBatchSize(batchRows)
                .withBatchIntervalMs(batchDelay.toMillis())
                .withMaxRetries(RETRIES)
                .build();
    }

    /** For the log: the parameters may hold a password. */
    @Override
    public String toString() {
        return "Database[" + Urls.withoutSecrets(url.replaceAll("\\?.*", "")) + ", user " + user + "]";
    }
}
