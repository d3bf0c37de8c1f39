package dev.weir.cli.cluster;

import java.util.List;

/**
 * A cluster on this machine.
 *
 * @param rest address of the web UI and the REST API; null if no cluster was started
 * @param version of Flink; null while it does not answer
 * @param registered TaskManagers that the JobManager knows
 * @param slots of all of them
 * @param free slots without a task
 * @param processes the JobManager first; empty if no cluster was started
 * @param jobs all jobs that the JobManager knows, also ended ones
 */
public record ClusterState(
        String rest,
        String version,
        int registered,
        int slots,
        int free,
        List<ProcessState> processes,
        List<ClusterJob> jobs) {

    /** Whether the JobManager answers and all processes live and know each other. */
    public boolean isWhole() {
        return version != null
                && processes.stream().allMatch(process -> process.pid() != null)
                && registered >= processes.size() - 1;
    }
}
