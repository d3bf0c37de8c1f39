package dev.weir.job.options;

import dev.weir.protocol.MirrorBatch;
import java.time.Duration;
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
            .withDescription("JDBC URL of the mirror's database.");

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
                    + " 0 to 36500.");

    /** A hundred years; the database cannot count back as many days as an integer can say. */
    private static final int MOST_DAYS = 36_500;

    private MirrorOptions() {}

    /**
     * Throws, naming the option, if one is out of range. The mirror job would drop all batches that are too large, and an
     * archive of negative days would fail each minute.
     */
    static void check(ReadableConfig configuration) {
        Ranges.between(configuration, BATCH_ROWS, 1, MirrorBatch.MAX_ROWS);
        Ranges.between(configuration, ARCHIVE_DAYS, 0, MOST_DAYS);
    }
}
