package dev.weir.gateway.placement;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The status file of a placement, of which docs/PLACEMENT.md is the description; what this does not know of it is ignored.
 *
 * @param passAll null where all workers are reliable
 * @param workers the fullest first
 * @param datasets the largest first
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record PlacementStatus(
        Config config, ReliablePass passReliable, FullPass passAll, List<Worker> workers, List<Dataset> datasets) {

    /** Throws {@link NullPointerException} for a file without these parts. */
    public PlacementStatus {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(passReliable, "pass_reliable");
        workers = sorted(
                workers, Comparator.comparingDouble(Worker::fill).reversed().thenComparing(Worker::id));
        datasets = sorted(
                datasets, Comparator.comparingLong(Dataset::bytes).reversed().thenComparing(Dataset::name));
    }

    private static <T> List<T> sorted(List<T> all, Comparator<T> order) {
        return all.stream().sorted(order).toList();
    }

    /** How it was placed. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Config(String order, String mode, double saturation, int minReplication) {}

    /** The replicas on reliable workers, and those for which none had room. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record ReliablePass(long virtualChunks, long unplaced) {}

    /** @param failed why it failed, so that workers that are not reliable have empty lists; null if it did not */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record FullPass(String failed) {}

    /** A worker; sizes in bytes, {@code fill} from 0 to 1. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Worker(String id, String status, long capacity, long assignedBytes, long chunks, double fill) {

        public Worker {
            Objects.requireNonNull(id, "id of a worker");
            Objects.requireNonNull(status, "status of a worker");
        }
    }

    /** A dataset, and how many reliable workers have each of its chunks. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Dataset(
            String name, long chunks, long bytes, double replication, int fewestReplicas, int mostReplicas) {

        public Dataset {
            Objects.requireNonNull(name, "name of a dataset");
        }
    }
}
