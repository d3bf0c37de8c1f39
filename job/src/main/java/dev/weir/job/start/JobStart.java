package dev.weir.job.start;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plan for one start of a job: its directory below the configured checkpoint directory, and its starting point.
 *
 * @param directory holds its checkpoints and savepoints, over all its starts
 * @param from the checkpoint or savepoint; empty: it starts with empty state
 */
public record JobStart(WeirJob job, Configuration settings, Path directory, Optional<Path> from) {

    /** A parameter of each job, which Flink's web UI and REST API show: the {@link #directory}, where its savepoints belong. */
    public static final String DIRECTORY = "checkpoint directory";

    /** A parameter of each job: where it continues from. */
    public static final String STARTED_FROM = "started from";

    private static final Logger LOG = LoggerFactory.getLogger(JobStart.class);

    /**
     * Decides where a job starts.
     *
     * @param settings of the job, including {@link dev.weir.job.FlinkDefaults}; not changed
     * @param waysOut the remedies named in the message about a damaged checkpoint
     * @throws IOException when checkpoints cannot be listed, the given path is not a checkpoint, or the newest one is damaged
     * @throws IllegalArgumentException when no checkpoint directory is configured, because the next start would be empty
     */
    public static JobStart decide(WeirJob job, Configuration settings, StartFrom wanted, WaysOut waysOut)
            throws IOException {
        String root = settings.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY)
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                CheckpointingOptions.CHECKPOINTS_DIRECTORY.key()
                                        + " is not set, so a restart would lose every task under way; name storage that all processes see"));
        Path path = new Path(root, job.name());
        JobDirectory directory = new JobDirectory(path, wanted.acceptLoss(), waysOut);
        if (wanted.fresh()) {
            directory.setAside();
        }
        Optional<Path> given = wanted.of(job);
        Optional<Path> from = given.isPresent() ? directory.from(given.get()) : directory.newest();
        if (from.isPresent()) {
            directory.continueFrom(from.get());
        }
        LOG.info("Job {} {}", job.name(), from.map(it -> "continues from " + it).orElse("starts with empty state"));
        return new JobStart(job, own(job, settings, directory, path, from), path, from);
    }

    /** Whether a job would start with empty state without being asked to: its directory has no checkpoint. */
    public static boolean isBeginning(WeirJob job, Configuration settings, StartFrom wanted) throws IOException {
        Optional<String> root = settings.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY);
        if (wanted.fresh() || wanted.of(job).isPresent() || root.isEmpty()) {
            return false;
        }
        Path directory = new Path(root.get(), job.name());
        return Checkpoints.newestFirst(directory).isEmpty()
                && History.of(directory).from().isEmpty();
    }

    /** Throws if a job would start with empty state without being asked to; the message names its directory. */
    public static void requireCheckpoint(WeirJob job, Configuration settings, StartFrom wanted) throws IOException {
        if (isBeginning(job, settings, wanted)) {
            throw new IOException("there is nothing to restore: "
                    + new Path(settings.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY), job.name())
                    + " has no complete checkpoint or savepoint. Name one with --from " + job.name()
                    + "=PATH, or start the job with empty state by ./weir submit");
        }
    }

    private static Configuration own(
            WeirJob job, Configuration settings, JobDirectory owner, Path directory, Optional<Path> from) {
        Configuration own = new Configuration(settings);
        own.set(PipelineOptions.NAME, job.title());
        own.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory.toString());
        Map<String, String> shown = new TreeMap<>(
                own.getOptional(PipelineOptions.GLOBAL_JOB_PARAMETERS).orElse(Map.of()));
        shown.put(DIRECTORY, directory.toString());
        shown.put(STARTED_FROM, from.map(Path::toString).orElse("empty state"));
        own.set(PipelineOptions.GLOBAL_JOB_PARAMETERS, shown);
        own.removeConfig(StateRecoveryOptions.SAVEPOINT_PATH);
        from.ifPresent(path -> {
            own.set(StateRecoveryOptions.SAVEPOINT_PATH, path.toString());
            // Flink may delete a checkpoint in the job's own directory once there are newer ones. It never claims a
            // savepoint: checkpoints after that would name its files as if they were in their own directory
            // (FLINK-39964), and could not be read after a crash. So the first one writes the whole state.
            if (Checkpoints.isSavepoint(path)) {
                own.set(StateRecoveryOptions.RESTORE_MODE, RecoveryClaimMode.NO_CLAIM);
            } else if (owner.isInside(path)) {
                own.set(StateRecoveryOptions.RESTORE_MODE, RecoveryClaimMode.CLAIM);
            }
        });
        return own;
    }

    /** An environment with the job's operators, ready to run. */
    public StreamExecutionEnvironment environment() {
        Configuration flinks = new Configuration();
        settings.toMap().forEach((key, value) -> {
            // The operators already have their options. The job's configuration is public in the web UI, so it must not
            // contain secrets.
            if (!key.startsWith("weir.")) {
                flinks.setString(key, value);
            }
        });
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(flinks);
        // The cluster's configuration may name a savepoint, which is not meant for every job.
        if (from.isEmpty() && environment.getConfiguration() instanceof Configuration live) {
            live.removeConfig(StateRecoveryOptions.SAVEPOINT_PATH);
        }
        job.definition().define(environment, settings);
        return environment;
    }
}
