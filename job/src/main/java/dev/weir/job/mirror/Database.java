package dev.weir.job.mirror;

import dev.weir.job.options.MirrorOptions;
import dev.weir.job.options.Secrets;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.jdbc.JdbcConnectionOptions;
import org.apache.flink.connector.jdbc.JdbcExecutionOptions;

/**
 * How the mirror job reaches PostgreSQL.
 *
 * @param url a JDBC URL
 * @param password never logged
 */
public record Database(String url, String user, String password, int batchRows, Duration batchDelay)
        implements Serializable {

    private static final int RETRIES = 3;
    private static final int CHECK_TIMEOUT_SECONDS = 10;

    public static Database of(Configuration configuration) {
        return new Database(
                configuration.get(MirrorOptions.URL),
                configuration.get(MirrorOptions.USER),
                Secrets.read(configuration, MirrorOptions.PASSWORD_FILE, MirrorOptions.PASSWORD),
                configuration.get(MirrorOptions.BATCH_ROWS),
                configuration.get(MirrorOptions.BATCH_DELAY));
    }

    JdbcConnectionOptions connection() {
        return new JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
                .withUrl(url)
                .withDriverName("org.postgresql.Driver")
                .withUsername(user)
                .withPassword(password)
                .withConnectionCheckTimeoutSeconds(CHECK_TIMEOUT_SECONDS)
                .build();
    }

    JdbcExecutionOptions batches() {
        return JdbcExecutionOptions.builder()
                .withBatchSize(batchRows)
                .withBatchIntervalMs(batchDelay.toMillis())
                .withMaxRetries(RETRIES)
                .build();
    }

    @Override
    public String toString() {
        return "Database[" + url + ", user " + user + "]";
    }
}
