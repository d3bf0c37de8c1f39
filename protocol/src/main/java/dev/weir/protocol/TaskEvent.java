package dev.weir.protocol;

import java.time.Instant;

/**
 * A change of a task's state.
 *
 * @param id stable: {@code <task uid>/<number of the event>/<state>}; a repeated event has the same id
 * @param counts the task's jobs at that moment
 * @param reason of rejected, cancelled and failed; otherwise null
 */
public record TaskEvent(String id, String taskUid, TaskState state, JobCounts counts, Instant at, String reason) {

    public TaskEvent {
        Check.text("id", id);
        Check.label("id", id);
        Check.text("task_uid", taskUid);
        Check.label("task_uid", taskUid);
        reason = Check.sentence(reason);
        Check.required("state", state);
    }

    public String routingKey() {
        return "task." + state.wireName();
    }
}
