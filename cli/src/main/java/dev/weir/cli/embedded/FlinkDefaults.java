package dev.weir.cli.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;

/** What a Flink in our own process needs, sized for a small machine; whatever the user configured stays as it is. */
public final class FlinkDefaults {

    /** The schedule job and the mirror job; each fits into one slot at parallelism 1. */
    private static final int JOBS = 2;

    private FlinkDefaults() {}

    /**
     * Fills the gaps of a configuration.
     *
     * @param given what the user configured; not changed
     * @param directory for checkpoints and working files, unless configured otherwise; made if absent
     * @param webPort where the web UI listens, on the loopback address
     */
    public static Configuration complete(Configuration given, Path directory, int webPort) throws IOException {
        Path working = Files.createDirectories(directory.resolve("working").toAbsolutePath());
        Configuration all = new Configuration(given);
        all.set(RestOptions.PORT, webPort);
        all.set(RestOptions.BIND_PORT, String.valueOf(webPort));
        unlessGiven(all, RestOptions.ADDRESS, "127.0.0.1");
        unlessGiven(all, RestOptions.BIND_ADDRESS, "127.0.0.1");
        unlessGiven(all, WebOptions.SUBMIT_ENABLE, false);
        unlessGiven(all, CoreOptions.DEFAULT_PARALLELISM, 1);
        unlessGiven(all, CoreOptions.TMP_DIRS, working.toString());
        unlessGiven(all, PipelineOptions.GENERIC_TYPES, false);
        unlessGiven(all, TaskManagerOptions.NUM_TASK_SLOTS, JOBS * all.get(CoreOptions.DEFAULT_PARALLELISM));
        unlessGiven(all, TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(256));
        unlessGiven(all, TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(64));
        unlessGiven(all, TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
        unlessGiven(all, StateBackendOptions.STATE_BACKEND, "rocksdb");
        unlessGiven(all, CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        unlessGiven(all, CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(2));
        unlessGiven(
                all,
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.toAbsolutePath().resolve("checkpoints").toUri().toString());
        unlessGiven(all, CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 2);
        unlessGiven(
                all,
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        // Forever, because a broker that is away comes back; slower and slower, up to ten seconds.
        unlessGiven(all, RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
        unlessGiven(all, RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF, Duration.ofSeconds(10));
        return all;
    }

    private static <T> void unlessGiven(Configuration configuration, ConfigOption<T> option, T value) {
        if (!configuration.contains(option)) {
            configuration.set(option, value);
        }
    }
}
