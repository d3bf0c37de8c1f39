package dev.weir.cli.cluster;

import dev.weir.job.start.WeirJob;
import java.util.List;
import java.util.Optional;

/**
 * A job on a cluster.
 *
 * @param id of this run of it
 * @param name shown in the web UI
 * @param state as Flink names it: RUNNING, FINISHED, …
 */
public record ClusterJob(String id, String name, String state) {

    private static final List<String> ENDED = List.of("FINISHED", "CANCELED", "FAILED");

    boolean isOver() {
        return ENDED.contains(state);
    }

    /** Which of Weir's jobs it is. */
    Optional<WeirJob> ofWeir() {
        return WeirJob.ALL.stream().filter(job -> job.title().equals(name)).findFirst();
    }
}
