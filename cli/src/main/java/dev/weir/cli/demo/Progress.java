package dev.weir.cli.demo;

import dev.weir.protocol.JobCounts;
import dev.weir.protocol.TaskState;

/**
 * How far a task is.
 *
 * @param ended jobs with their last result, as heard from the pilots
 * @param state null until the first event about it
 * @param counts of the last event; null until the first
 * @param reason of the last event, if it gave one
 */
record Progress(DemoTask task, int ended, TaskState state, JobCounts counts, String reason) {

    boolean isOver() {
        return state != null && state.isTerminal();
    }

    boolean isClosed() {
        return state == TaskState.CLOSED;
    }

    /** In one word, for people. */
    String word() {
        return state == null ? "sent" : state.wireName();
    }
}
