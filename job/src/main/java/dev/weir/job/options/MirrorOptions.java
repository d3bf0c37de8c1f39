package dev.weir.job.options;

import dev.weir.protocol.MirrorBatch;
import java.time.Duration;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** The mirror in PostgreSQL, which the scheduler writes and never reads. */
public final class MirrorOptions {

    public static final ConfigOption<Boolean> ENABLED = ConfigOptions.key("weir.mirror.enabled")
            .booleanType()
            .defaultValue(true)
            .withDescription("Whether row changes are sent to the mirror. Without them there are no summaries and no"
                    + " dashboard, and less work.");

    public static final ConfigOption<String> URL = ConfigOptions.key("weir.postgres.url")
            .stringType()
            .defaultValue("jdbc:postgresql://localhost:5432/weir")
            .withDescription("JDBC URL of the mirror's database, without reWriteBatchedInserts=true.");

    public static final ConfigOption<String> USER = ConfigOptions.key("weir.postgres.user")
            .stringType()
            .defaultValue("postgres")
            .withDescription("Database user; it must own the schema, because migrations run at the start.");

    public static final ConfigOption<String> PASSWORD = ConfigOptions.key("weir.postgres.password")
            .stringType()
            .defaultValue("")
            .withDescription("Database password. Flink hides it in its listings.");

    public static final ConfigOption<String> PASSWORD_FILE = ConfigOptions.key("weir.postgres.password-file")
            .stringType()
            .noDefaultValue()
            .withDescription("File whose first line is the password; it overrides weir.postgres.password.");

    public static final ConfigOption<Integer> BATCH_ROWS = ConfigOptions.key("weir.mirror.batch-rows")
            .intType()
            .defaultValue(500)
            .withDescription("Maximum number of row changes in one message and in one database batch, 1 to 500.");

    public static final ConfigOption<Duration> BATCH_DELAY = ConfigOptions.key("weir.mirror.batch-delay")
            .durationType()
            .defaultValue(Duration.ofMillis(100))
            .withDescription("Maximum time for which a row change waits for others before its message is sent.");

    public static final ConfigOption<Integer> ARCHIVE_DAYS = ConfigOptions.key("weir.mirror.archive-days")
            .intType()
            .defaultValue(90)
            .withDescription("Number of days for which closed tasks, their jobs and their files stay in the archive,"
                    + " and commands in their table, 0 to 1000. Failed attempts stay as long, but no longer than 30 days."
                    + " More than 180 days need more locks than PostgreSQL has by default: at least 35 a day, of"
                    + " max_locks_per_transaction × (max_connections + max_prepared_transactions).");

    /** The plan of a list over a thousand days takes two seconds. */
    private static final int MOST_DAYS = 1_000;

    /** The driver would make one statement of a batch, and PostgreSQL refuses one that has a key twice. */
    private static final Pattern REWRITES = Pattern.compile("[?&]reWriteBatchedInserts=true", Pattern.CASE_INSENSITIVE);

    private MirrorOptions() {}

    /**
     * Throws, naming the option, if one is out of range. The mirror job would drop all batches that are too large, and an
     * archive of negative days would fail each minute; it would stop at a batch that cannot be written.
     */
    static void check(ReadableConfig configuration) {
        Ranges.between(configuration, BATCH_ROWS, 1, MirrorBatch.MAX_ROWS);
        Ranges.between(configuration, ARCHIVE_DAYS, 0, MOST_DAYS);
        if (REWRITES.matcher(configuration.get(URL)).find()) {
            throw new IllegalArgumentException(
                    URL.key()
                            + ": remove reWriteBatchedInserts=true; PostgreSQL would refuse every batch with two changes of a row");
        }
    }
}
