package dev.weir.scheduler.command;

import dev.weir.scheduler.job.Adoption;
import dev.weir.scheduler.job.FailedJobs;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;

/** Tries the failed jobs of a task again by command, a bounded number to an event. That the rest follows stands in state. */
public final class FailedRetries {

    private static final int JOBS_AT_ONCE = 1_000;
    /** Jobs that wait for another attempt take memory: while a lane has so many, the next failed ones stay in state. */
    private static final int MOST_WAITING = 50_000;

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
        boolean isFull = isFull();
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

    private boolean isFull() {
        int waiting = lane.jobs.size();
        for (Pool pool : lane.pools.values()) {
            waiting -= pool.queued + pool.started;
        }
        return waiting >= MOST_WAITING;
    }
}
