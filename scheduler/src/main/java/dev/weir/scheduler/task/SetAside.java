package dev.weir.scheduler.task;

import dev.weir.engine.Refused;
import dev.weir.engine.store.Table;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;
import java.util.Map;

/**
 * Tasks at which the scheduler itself has failed. Such a task starts nothing and is not settled, so that the event goes on for all others;
 * reports about its jobs still count. A command takes it up again.
 */
public final class SetAside {

    private final Lane lane;
    private final Admission admission;

    public SetAside(Lane lane, Admission admission) {
        this.lane = lane;
        this.admission = admission;
    }

    /** The scheduler has failed at the task. */
    public void put(OpenTask task, String reason) {
        String uid = task.progress.uid;
        if (task.aside == null) {
            String sentence = "task '" + uid + "' is set aside until it is resumed or cancelled: " + reason;
            lane.counters.problem("task set aside", sentence);
            lane.effects.add(new Effect.Reject(Map.of("task_uid", uid), sentence, "task_uid"));
        }
        task.aside = reason;
        lane.work.put(Tables.ASIDE, uid, reason);
        admission.leave(task);
        lane.agenda.show(task);
    }

    /** A value of the task's state is damaged: without it the task cannot go on, but it can end. */
    public void damaged(OpenTask task, Table<?> table, String key, String reason) {
        task.damages.add(new OpenTask.Damage(table, key));
        put(task, task.aside == null ? reason : task.aside);
    }

    /** Nothing more of the task is needed than what is sound: what is damaged goes, and jobs that went with it count as cancelled. */
    private void forgetDamage(OpenTask task) {
        for (OpenTask.Damage damage : task.damages) {
            lane.work.remove(damage.table(), damage.key());
        }
        task.damages.clear();
        Progress p = task.progress;
        long live = p.live();
        p.queued = 0;
        p.starting = 0;
        p.running = 0;
        p.cooling = 0;
        for (LiveJob job : task.live.jobs()) {
            switch (job.record.phase) {
                case QUEUED -> p.queued++;
                case STARTING -> p.starting++;
                case RUNNING -> p.running++;
                default -> p.cooling++;
            }
        }
        p.cancelled += live - p.live();
    }

    /**
     * A command takes the task up, if it was set aside. Returns whether it was.
     *
     * @param stops whether the command ends the task; a damaged one can do nothing else
     */
    public boolean endFor(OpenTask task, boolean stops) {
        if (!task.damages.isEmpty()) {
            if (!stops) {
                throw new Refused(
                        "task_uid",
                        "task '" + task.progress.uid + "' cannot go on, only be cancelled or closed: " + task.aside);
            }
            forgetDamage(task);
        }
        return end(task);
    }

    /** Takes the task up again, if it was set aside. Returns whether it was. */
    private boolean end(OpenTask task) {
        if (task.aside == null) {
            return false;
        }
        task.aside = null;
        lane.work.remove(Tables.ASIDE, task.progress.uid);
        if (task.progress.closing) {
            lane.timers.set(task.closeTimer, lane.now());
        } else if (task.progress.stop != Stop.NONE) {
            lane.timers.set(task.stopTimer, lane.now());
        }
        if (lane.work.get(Tables.RETRYING, task.progress.uid) != null) {
            lane.timers.set(task.retryTimer, lane.now());
        }
        admission.enqueue(task);
        task.readinessChanged();
        lane.agenda.fill(task.pool);
        lane.changed(task);
        return true;
    }
}
