package dev.weir.job.start;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.fs.Path;

/**
 * The requested starting points of the jobs. By default each continues from its newest complete checkpoint.
 *
 * @param fresh whether the jobs start with empty state
 * @param given checkpoints and savepoints to start from, by name of the job
 * @param acceptLoss whether a job whose newest checkpoint is damaged, behind that of a later start elsewhere, or not there, continues from what
 *     there is, and so loses what was acknowledged since
 */
public record StartFrom(boolean fresh, Map<String, String> given, boolean acceptLoss) {

    public static final StartFrom NEWEST = new StartFrom(false, Map.of(), false);
    public static final StartFrom EMPTY = new StartFrom(true, Map.of(), false);

    /** What Flink's Kubernetes operator names in place of a path when a job is to go on from its last checkpoint. */
    private static final String OPERATORS_LAST_STATE = "KUBERNETES_OPERATOR_LAST_STATE";

    /** Throws IllegalArgumentException for an unknown job, and for fresh together with a checkpoint. */
    public StartFrom {
        given = Map.copyOf(given);
        if (fresh && !given.isEmpty()) {
            throw new IllegalArgumentException(
                    "--fresh starts with empty state and --from starts from a checkpoint; use only one of them");
        }
        if (fresh && acceptLoss) {
            throw new IllegalArgumentException(
                    "--fresh starts with empty state and --accept-loss continues from an older checkpoint; use only one of them");
        }
        for (String name : given.keySet()) {
            if (!WeirJob.isName(name)) {
                throw new IllegalArgumentException(
                        "--from names the job '" + name + "'; the jobs are " + WeirJob.names());
            }
        }
    }

    /**
     * Adds the savepoint of Flink's option {@code execution.state-recovery.path}, unless its job already has one. That can name only one: it
     * is that of the job that starts alone, or of the schedule job. A blank text is none, and so is the placeholder of Flink's Kubernetes
     * operator: Weir finds the newest checkpoint by itself.
     *
     * @param jobs that are about to start
     */
    public StartFrom withFlinksOwn(Configuration configuration, List<WeirJob> jobs) {
        Optional<String> path = configuration
                .getOptional(StateRecoveryOptions.SAVEPOINT_PATH)
                .filter(named -> !named.isBlank() && !named.equals(OPERATORS_LAST_STATE));
        if (fresh || path.isEmpty()) {
            return this;
        }
        Map<String, String> all = new TreeMap<>(given);
        all.putIfAbsent((jobs.size() == 1 ? jobs.get(0) : WeirJob.SCHEDULE).name(), path.get());
        return new StartFrom(false, all, acceptLoss);
    }

    /** The same, and a job whose newest checkpoint is damaged continues from an older one. */
    public StartFrom withLossAccepted() {
        return new StartFrom(fresh, given, true);
    }

    Optional<Path> of(WeirJob job) {
        return Optional.ofNullable(given.get(job.name())).map(Path::new);
    }
}
