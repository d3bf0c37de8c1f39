package dev.weir.job.start;

import java.io.IOException;
import java.util.Optional;
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
 * One start of a job, decided: its directory below the configured checkpoint directory, and from where it goes on.
 *
 * @param directory its checkpoints and savepoints, over all its starts
 * @param from the checkpoint or savepoint; none: it starts empty
 */
public record JobStart(WeirJob job, Configuration settings, Path directory, Optional<Path> from) {

    private static final Logger LOG = LoggerFactory.getLogger(JobStart.class);

    /**
     * Decides.
     *
     * @param settings for the job, {@link dev.weir.job.FlinkDefaults} among them; not changed
     * @param waysOut for the message when the checkpoint is damaged
     * @throws IOException when checkpoints cannot be looked for, or the given one is none
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
        JobDirectory directory = new JobDirectory(path);
        if (wanted.fresh()) {
            directory.setAside();
        }
        Optional<Path> given = wanted.of(job);
        Optional<Path> from = given.isPresent() ? directory.from(given.get()) : directory.newest();
        if (from.isPresent()) {
            Checkpoints.check(from.get(), job.name(), waysOut);
        }
        LOG.info("job {} {}", job.name(), from.map(it -> "goes on from " + it).orElse("starts empty"));
        return new JobStart(job, own(job, settings, path, from), path, from);
    }

    private static Configuration own(WeirJob job, Configuration settings, Path directory, Optional<Path> from) {
        Configuration own = new Configuration(settings);
        own.set(PipelineOptions.NAME, job.title());
        own.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory.toString());
        own.removeConfig(StateRecoveryOptions.SAVEPOINT_PATH);
        from.ifPresent(path -> {
            own.set(StateRecoveryOptions.SAVEPOINT_PATH, path.toString());
            // Ours: Flink deletes it when newer ones are there. One from elsewhere is left alone unless the user says
            // otherwise.
            if (path.toString().startsWith(directory + Path.SEPARATOR)) {
                own.set(StateRecoveryOptions.RESTORE_MODE, RecoveryClaimMode.CLAIM);
            }
        });
        return own;
    }

    /** An environment with the job's operators in it, ready to be run. */
    public StreamExecutionEnvironment environment() {
        Configuration flinks = new Configuration();
        settings.toMap().forEach((key, value) -> {
            // The operators were given what they need of Weir's options; a job's configuration is shown to whoever
            // asks.
            if (!key.startsWith("weir.")) {
                flinks.setString(key, value);
            }
        });
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(flinks);
        // On a cluster its configuration lies under ours, and what it says of a savepoint is not meant for every job.
        if (from.isEmpty() && environment.getConfiguration() instanceof Configuration live) {
            live.removeConfig(StateRecoveryOptions.SAVEPOINT_PATH);
        }
        job.definition().define(environment, settings);
        return environment;
    }
}
