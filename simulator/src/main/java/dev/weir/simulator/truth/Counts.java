package dev.weir.simulator.truth;

import dev.weir.protocol.JobStatus;
import java.util.Arrays;

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
