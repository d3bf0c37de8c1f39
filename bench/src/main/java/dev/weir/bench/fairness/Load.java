package dev.weir.bench.fairness;

import java.util.Arrays;
import java.util.List;

/**
 * Tasks that share one pool and are all ready at the start.
 *
 * @param name in the table
 * @param weights by task, 1 to 100
 * @param files by task; a task leaves after the start of its last file
 * @param changes in order
 * @param jobs number of jobs to start; at most the number of files
 */
record Load(String name, int[] weights, long[] files, List<Change> changes, int jobs) {

    /** A task changes its weight after this number of started jobs. */
    record Change(int afterJobs, int task, int weight) {}

    /** Whether no weight changes and no task runs out of files. */
    boolean isSteady() {
        return changes.isEmpty() && Arrays.stream(files).allMatch(count -> count > jobs);
    }

    int tasks() {
        return weights.length;
    }
}
