package dev.weir.cli.demo;

import dev.weir.protocol.JobCounts;
import dev.weir.protocol.TaskState;

/**
 * The progress of a task.
 *
 * @param ended jobs with a final result, as reported by the pilots
 * @param state null until the first event about it
 * @param counts of the last event; null until the first
 * @param reason of the last event; null if it had none
 */
record Progress(DemoTask task, int ended, TaskState state, JobCounts counts, String reason) {

    boolean isOver() {
        return state != null && state.isTerminal();
    }

    boolean isClosed() {
        return state == TaskState.CLOSED;
    }

    /** The state in one word, for people. */
    String word() {
        return state == null ? "sent" : state.wireName();
    }
}
