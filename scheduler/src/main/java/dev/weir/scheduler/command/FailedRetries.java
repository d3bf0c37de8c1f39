package dev.weir.scheduler.command;

import dev.weir.scheduler.job.Adoption;
import dev.weir.scheduler.job.FailedJobs;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;

/** Tries the failed jobs of a task again by command, a bounded number to an event. That the rest follows stands in state. */
public final class FailedRetries {

    private static final int JOBS_AT_ONCE = 1_000;
    /** Jobs that are not over take memory: of a task with so many the next failed ones wait. */
    private static final int MOST_LIVE = 50_000;

    private static final long FULL_MILLIS = 1_000;
    private static final String YES = "1";

    private final Lane lane;
    private final FailedJobs failedJobs;
    private final Adoption adoption;

    public FailedRetries(Lane lane, FailedJobs failedJobs, Adoption adoption) {
        this.lane = lane;
        this.failedJobs = failedJobs;
        this.adoption = adoption;
    }

    /** Tries all again that have failed by now. Those that fail once more wait for another command. */
    public void begin(OpenTask task) {
        failedJobs.beginRetry(task);
        step(task);
    }

    /** Tries the next ones again, unless the task ends. */
    public void step(OpenTask task) {
        boolean isFull = task.live.size() >= MOST_LIVE;
        if (task.progress.stop == Stop.NONE && !isFull) {
            for (String uid : failedJobs.takeForRetry(task, JOBS_AT_ONCE)) {
                adoption.retryFailed(task, uid);
            }
        }
        if (task.progress.stop == Stop.NONE && failedJobs.isRetrying(task)) {
            lane.work.put(Tables.RETRYING, task.progress.uid, YES);
            lane.timers.set(task.retryTimer, lane.now() + (isFull ? FULL_MILLIS : 0));
        } else {
            lane.work.remove(Tables.RETRYING, task.progress.uid);
        }
        lane.changed(task);
    }
}
