package dev.weir.bench.fairness;

import java.util.Arrays;
import java.util.List;

/**
 * Tasks that share one pool, all ready from the start.
 *
 * @param name as the table shows it
 * @param weights by task, 1 to 100
 * @param files by task; a task leaves once all its files were released
 * @param changes in the order in which they happen
 * @param jobs how many to release; less than all files, or all of them
 */
record Load(String name, int[] weights, long[] files, List<Change> changes, int jobs) {

    /** A task gets another weight once so many jobs were released. */
    record Change(int afterJobs, int task, int weight) {}

    /** Whether no weight changes and no task runs out of files. */
    boolean isSteady() {
        return changes.isEmpty() && Arrays.stream(files).allMatch(count -> count > jobs);
    }

    int tasks() {
        return weights.length;
    }
}
