package dev.weir.simulator.reference;

import dev.weir.protocol.TaskState;
import dev.weir.simulator.reference.RefJob.Phase;
import dev.weir.simulator.reference.RefTask.Stop;

/** When all jobs of a task are over, its dataset closes, or stays open for a time for failed ones to be tried again. */
final class Closing {

    private static final int NAMES_TO_A_PART = 1_000;

    private final Model model;

    Closing(Model model) {
        this.model = model;
    }

    /** At the end of an event: closes its dataset if all of it is over. */
    void close(RefTask task) {
        boolean exhausted = task.stop != Stop.NONE || task.isAllReleased();
        boolean isOver = exhausted && task.isOver();
        task.keptUntil = isOver ? task.keptUntil : 0;
        if (task.ended || !isOver || waitForRetries(task)) {
            return;
        }
        task.ended = true;
        task.waitsForSlot = false;
        task.hasSlot = false;
        task.readsAhead = false;
        task.partsLeft = Math.max(1, (task.registered.size() + NAMES_TO_A_PART - 1) / NAMES_TO_A_PART);
        closePart(task);
    }

    private boolean waitForRetries(RefTask task) {
        Integer seconds = task.spec.keepOpenS();
        int failed = task.count(Phase.FAILED) + task.count(Phase.KILLED);
        if (seconds == null || task.stop != Stop.NONE || failed == 0) {
            return false;
        }
        if (task.keptUntil == 0) {
            task.keptUntil = model.now + seconds * 1000L;
            model.announce(task, task.paused ? TaskState.PAUSED : TaskState.ACTIVE);
        }
        return model.now < task.keptUntil;
    }

    /** A part of the check-list leaves. */
    void closePart(RefTask task) {
        if (--task.partsLeft == 0) {
            task.registered.sort(null);
            model.expected.add("close " + task.spec.datOutUid() + " " + task.registered);
            model.announce(task, TaskState.CLOSED);
        }
    }
}
