package dev.weir.job;

import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;

/**
 * Weir's defaults for Flink options. The user's configuration overrides them, except for generic types, which stay off: a type
 * without an explicit serializer could not be read after an upgrade.
 */
public final class FlinkDefaults {

    /**
     * A chosen job must not wait in a network buffer for others: with Flink's default of 100 ms pilots would be idle. Zero sends each record on at
     * once. Any other time costs a thread for each task that wakes that often, which for a millisecond was half a processor.
     */
    static final Duration BUFFER_TIMEOUT = Duration.ZERO;

    /** Registrations and closes leave when a checkpoint completes, so they wait for up to one interval. */
    static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(2);

    static final Duration CHECKPOINT_TIMEOUT = Duration.ofMinutes(5);

    /**
     * A file of state has one index otherwise. Of a dataset of millions of files it is larger than the cache, so that each read reads and unpacks
     * all of it, which takes 7 ms and not 4 µs. The option is of a module that only the cluster has.
     */
    private static final ConfigOption<Boolean> PARTITIONED_INDEX = ConfigOptions.key(
                    "state.backend.rocksdb.memory.partitioned-index-filters")
            .booleanType()
            .defaultValue(false);

    /**
     * A checkpoint stands still until RocksDB has written what its buffers hold. Small ones are written beside the work as they fill, so that
     * little is left. For Flink's 64 MiB that took up to 280 ms of each checkpoint when a queue was flooded, a third of it for these. Options of
     * the module that only the cluster has.
     */
    private static final ConfigOption<MemorySize> WRITE_BUFFER = ConfigOptions.key(
                    "state.backend.rocksdb.writebuffer.size")
            .memoryType()
            .defaultValue(MemorySize.ofMebiBytes(64));

    private static final ConfigOption<Integer> WRITE_BUFFERS = ConfigOptions.key(
                    "state.backend.rocksdb.writebuffer.count")
            .intType()
            .defaultValue(2);

    /**
     * RocksDB merges four files of a buffer each with all of the first level. Flink's size of that level, 256 MiB, belongs to buffers of 64 MiB: for
     * small ones a merge takes so long that twenty files wait, and from then on each checkpoint stands still until it is over. That took up
     * to four seconds when a queue was flooded. The level's files keep their part of it. Options of the module that only the cluster has.
     */
    private static final ConfigOption<MemorySize> FIRST_LEVEL = ConfigOptions.key(
                    "state.backend.rocksdb.compaction.level.max-size-level-base")
            .memoryType()
            .defaultValue(MemorySize.ofMebiBytes(256));

    private static final ConfigOption<MemorySize> LEVEL_FILE = ConfigOptions.key(
                    "state.backend.rocksdb.compaction.level.target-file-size-base")
            .memoryType()
            .defaultValue(MemorySize.ofMebiBytes(64));

    /**
     * RocksDB's own log has several lines for each table of state at each checkpoint: half a megabyte a minute of an idle Weir, which a killed
     * process leaves behind. Warnings are what somebody reads.
     */
    private static final ConfigOption<String> LOG_LEVEL =
            ConfigOptions.key("state.backend.rocksdb.log.level").stringType().defaultValue("INFO_LEVEL");

    /**
     * While RocksDB packs what its buffers hold, the operator stands still at a checkpoint. These files live until the next few are merged, so
     * only what is merged is packed.
     */
    private static final ConfigOption<String> COMPRESSION = ConfigOptions.key(
                    "state.backend.rocksdb.compression.per.level")
            .stringType()
            .defaultValue("SNAPPY_COMPRESSION");

    private FlinkDefaults() {}

    /** The user's configuration with Weir's defaults under it. */
    public static Configuration under(Configuration user) {
        Configuration all = new Configuration(user);
        put(all, ExecutionOptions.BUFFER_TIMEOUT, BUFFER_TIMEOUT);
        put(all, PipelineOptions.OBJECT_REUSE, true);
        put(all, StateBackendOptions.STATE_BACKEND, "rocksdb");
        put(all, PARTITIONED_INDEX, true);
        put(all, WRITE_BUFFER, MemorySize.ofMebiBytes(8));
        put(all, WRITE_BUFFERS, 4);
        put(all, FIRST_LEVEL, MemorySize.ofMebiBytes(64));
        put(all, LEVEL_FILE, MemorySize.ofMebiBytes(16));
        put(all, COMPRESSION, "NO_COMPRESSION;SNAPPY_COMPRESSION");
        put(all, LOG_LEVEL, "WARN_LEVEL");
        put(all, CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        // Flink reads uncompressed state of an operator byte by byte from the file: a minute for 64 MiB of messages
        // that wait.
        put(all, ExecutionOptions.SNAPSHOT_COMPRESSION, true);
        put(all, CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINT_INTERVAL);
        put(all, CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS, Duration.ofMillis(200));
        put(all, CheckpointingOptions.CHECKPOINTING_TIMEOUT, CHECKPOINT_TIMEOUT);
        put(all, CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
        put(
                all,
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        put(all, RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
        put(all, RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF, Duration.ofMillis(500));
        put(all, RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF, Duration.ofSeconds(3));
        put(
                all,
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD,
                Duration.ofMinutes(5));
        all.set(PipelineOptions.GENERIC_TYPES, false);
        return all;
    }

    private static <T> void put(Configuration all, ConfigOption<T> option, T value) {
        if (!all.contains(option)) {
            all.set(option, value);
        }
    }
}
