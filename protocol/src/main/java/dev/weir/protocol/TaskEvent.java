package dev.weir.protocol;

import java.time.Instant;

/**
 * A task has changed its state.
 *
 * @param id stable: the same change has the same id, however often it is sent
 * @param counts the task's jobs at that moment
 * @param reason why, for rejected, cancelled and failed; else null
 */
public record TaskEvent(String id, String taskUid, TaskState state, JobCounts counts, Instant at, String reason) {

    public TaskEvent {
        Check.text("id", id);
        Check.text("task_uid", taskUid);
        Check.required("state", state);
    }

    public String routingKey() {
        return "task." + state.wireName();
    }
}
