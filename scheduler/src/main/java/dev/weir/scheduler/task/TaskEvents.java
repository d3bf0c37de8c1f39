package dev.weir.scheduler.task;

import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.state.Progress;
import java.time.Instant;

/** Announces changes of task states to WFMS and other listeners. */
public final class TaskEvents {

    private final Lane lane;

    public TaskEvents(Lane lane) {
        this.lane = lane;
    }

    /** Announces that a task was not taken. Its uid is free. */
    void rejected(String uid, String reason) {
        int number = lane.seen.eventsOfRejected(uid) + 1;
        lane.seen.taskRejected(uid, number);
        String id = uid + "/" + number + "/" + TaskState.REJECTED.wireName();
        lane.effects.add(new Effect.Announce(new TaskEvent(
                id, uid, TaskState.REJECTED, new Progress().counts(), Instant.ofEpochMilli(lane.now()), reason)));
    }

    /** @param reason null for none */
    public void announce(OpenTask task, TaskState state, String reason) {
        Progress p = task.progress;
        String id = p.uid + "/" + ++p.events + "/" + state.wireName();
        lane.effects.add(new Effect.Announce(
                new TaskEvent(id, p.uid, state, p.counts(), Instant.ofEpochMilli(lane.now()), reason)));
        lane.changed(task);
    }
}
