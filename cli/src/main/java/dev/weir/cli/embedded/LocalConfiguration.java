package dev.weir.cli.embedded;

import dev.weir.job.FlinkDefaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;

/** Flink's configuration in this process, sized for a small machine. The user's settings override it. */
public final class LocalConfiguration {

    /** The schedule job, the mirror job and the queues job; each fits into one slot at parallelism 1. */
    private static final int JOBS = 3;

    /** Shared by the slots; used by RocksDB's caches and write buffers. */
    private static final MemorySize MANAGED_MEMORY = MemorySize.ofMebiBytes(384);

    private static final MemorySize NETWORK_MEMORY = MemorySize.ofMebiBytes(64);

    private LocalConfiguration() {}

    /**
     * Adds defaults to a configuration, for a Flink that starts now: what an earlier one was working on is deleted. Only an orderly end
     * does so, and each kill would leave a copy of the state until the disk is full.
     *
     * @param given the user's settings; not changed
     * @param directory for checkpoints and working files, unless configured otherwise; made if absent. No running Flink uses it, which the
     *     lock of the {@link DataDirectory} ensures
     * @param webPort port of the web UI, on the loopback address unless configured otherwise
     */
    public static Configuration complete(Configuration given, Path directory, int webPort) throws IOException {
        Path home = directory.toAbsolutePath();
        Configuration all = FlinkDefaults.under(given);
        all.set(RestOptions.PORT, webPort);
        all.set(RestOptions.BIND_PORT, String.valueOf(webPort));
        unlessGiven(all, RestOptions.ADDRESS, "127.0.0.1");
        unlessGiven(all, RestOptions.BIND_ADDRESS, "127.0.0.1");
        // Flink's servers for jars and for the exchange of records are unauthenticated.
        unlessGiven(all, JobManagerOptions.BIND_HOST, "127.0.0.1");
        unlessGiven(all, TaskManagerOptions.BIND_HOST, "127.0.0.1");
        unlessGiven(all, WebOptions.SUBMIT_ENABLE, false);
        unlessGiven(all, CoreOptions.DEFAULT_PARALLELISM, 1);
        unlessGiven(all, TaskManagerOptions.NUM_TASK_SLOTS, JOBS * all.get(CoreOptions.DEFAULT_PARALLELISM));
        unlessGiven(all, TaskManagerOptions.MANAGED_MEMORY_SIZE, MANAGED_MEMORY);
        unlessGiven(all, TaskManagerOptions.NETWORK_MEMORY_MIN, NETWORK_MEMORY);
        unlessGiven(all, TaskManagerOptions.NETWORK_MEMORY_MAX, NETWORK_MEMORY);
        unlessGiven(all, CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 2);
        if (!all.contains(CoreOptions.TMP_DIRS)) {
            Path working = home.resolve("working");
            DataDirectory.deleteTree(working);
            all.set(CoreOptions.TMP_DIRS, Files.createDirectories(working).toString());
        }
        // Not as a Java URI: Flink would take its percent escapes literally.
        unlessGiven(all, CheckpointingOptions.CHECKPOINTS_DIRECTORY, "file://" + home.resolve("checkpoints"));
        return all;
    }

    private static <T> void unlessGiven(Configuration configuration, ConfigOption<T> option, T value) {
        if (!configuration.contains(option)) {
            configuration.set(option, value);
        }
    }
}
