package dev.weir.job.start;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.fs.Path;

/**
 * What the one who starts the jobs wants of them. Told nothing, each goes on from its newest complete checkpoint.
 *
 * @param fresh they start empty
 * @param given checkpoints and savepoints to start from, by the name of the job
 */
public record StartFrom(boolean fresh, Map<String, String> given) {

    public static final StartFrom NEWEST = new StartFrom(false, Map.of());
    public static final StartFrom EMPTY = new StartFrom(true, Map.of());

    /** Throws IllegalArgumentException for a name that no job has, and when both empty and a checkpoint are asked for. */
    public StartFrom {
        given = Map.copyOf(given);
        if (fresh && !given.isEmpty()) {
            throw new IllegalArgumentException(
                    "--fresh starts empty and --from starts from a checkpoint; give one of them");
        }
        for (String name : given.keySet()) {
            if (!name.equals(WeirJob.SCHEDULE.name()) && !name.equals(WeirJob.MIRROR.name())) {
                throw new IllegalArgumentException("--from names the job '" + name + "'; the jobs are "
                        + WeirJob.SCHEDULE.name() + " and " + WeirJob.MIRROR.name());
            }
        }
    }

    /**
     * With Flink's own way to name a savepoint, {@code execution.state-recovery.path}. It can name only one, which is taken as the
     * schedule job's, unless that has one already.
     */
    public StartFrom withFlinksOwn(Configuration configuration) {
        Optional<String> path = configuration.getOptional(StateRecoveryOptions.SAVEPOINT_PATH);
        if (fresh || path.isEmpty()) {
            return this;
        }
        Map<String, String> all = new TreeMap<>(given);
        all.putIfAbsent(WeirJob.SCHEDULE.name(), path.get());
        return new StartFrom(false, all);
    }

    Optional<Path> of(WeirJob job) {
        return Optional.ofNullable(given.get(job.name())).map(Path::new);
    }
}
