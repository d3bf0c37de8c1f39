package dev.weir.simulator.truth;

import dev.weir.protocol.JobStatus;
import java.util.Arrays;
import java.util.Map;

/** Counting the jobs of a task once more, the slow way. */
final class Counts {

    private Counts() {}

    static void recount(TaskTruth task) {
        int[] counted = new int[task.counts.length];
        for (JobTruth job : task.jobs) {
            counted[job.status.ordinal()]++;
        }
        Violation.check(
                Arrays.equals(counted, task.counts), "the counts add up", of(task), "but", Arrays.toString(counted));
    }

    /**
     * The core's count of files that wait because of a pause, of their task or of its pool, is what the tasks have. Of a dataset that
     * was not wholly read the core may not know all; one that contradicts itself may have any number.
     *
     * @param why the core's counts, by reason
     */
    static void heldBack(State state, Map<String, Long> why) {
        long[] least = new long[2];
        long[] most = new long[2];
        long waiting = 0;
        for (TaskTruth task : state.tasks.values()) {
            if (task.terminal != null || task.cancelled || task.closing) {
                continue;
            }
            boolean readable = task.dataset.isReadable();
            long pending = readable ? task.count(Statuses.PENDING) : Integer.MAX_VALUE;
            waiting += pending + task.count(Statuses.QUEUED);
            PoolTruth in = state.pools.get(task.pool);
            // What was begun is tried again in a pool that is drained: then its task does not wait for the pool.
            boolean held = in.paused && !(in.draining && task.count(Statuses.COOLING) > 0);
            if (task.paused || held) {
                int reason = task.paused ? 0 : 1;
                least[reason] += readable && task.isWhollyRead() ? pending : 0;
                most[reason] += pending;
            }
        }
        long sum = why.values().stream().mapToLong(count -> count).sum();
        long paused = why.get("paused");
        long pool = why.get("pool");
        boolean right = paused >= least[0] && paused <= most[0] && pool >= least[1] && pool <= most[1];
        Violation.check(
                right && sum <= waiting,
                "the counts add up",
                "files wait because of",
                why,
                "but from",
                Arrays.toString(least),
                "to",
                Arrays.toString(most),
                "of paused tasks and pools, and",
                waiting,
                "altogether");
    }

    static String of(TaskTruth task) {
        StringBuilder text = new StringBuilder();
        for (JobStatus status : JobStatus.values()) {
            if (task.counts[status.ordinal()] > 0) {
                text.append(status)
                        .append(' ')
                        .append(task.counts[status.ordinal()])
                        .append(' ');
            }
        }
        return text + "read " + task.readFiles + " of " + task.dataset.files().size() + (task.paused ? " paused" : "")
                + (task.cancelled ? " cancelled" : "") + (task.closing ? " closing" : "")
                + (task.broken ? " broken" : "");
    }
}
