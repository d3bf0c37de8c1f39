package dev.weir.simulator.truth;

import dev.weir.scheduler.api.Event;
import java.util.Map;

/** What must hold after every event, whatever it was. */
final class Always {

    private final State state;
    private final Map<String, Fairness> fairness;
    private final Pilots pilots;
    private final KeptPlaces keptPlaces;

    Always(State state, Map<String, Fairness> fairness, Pilots pilots) {
        this.state = state;
        this.pilots = pilots;
        this.fairness = fairness;
        keptPlaces = new KeptPlaces(state);
    }

    /** What must hold for each task after every event. */
    void tasks(Context context) {
        boolean beat = context.event instanceof Event.ReportArrived arrived
                && arrived.report() instanceof dev.weir.protocol.Beat;
        for (TaskTruth task : state.tasks.values()) {
            if (task.terminal != null) {
                continue;
            }
            PoolTruth pool = state.pools.get(task.pool);
            if (!task.hasFreshReady() || pool.paused || pilots.mayRest(pool)) {
                fairness.get(task.pool).interrupt(task.task.uid());
            }
            if (beat) {
                noticed(task);
            }
            boolean over = task.count(Statuses.TERMINAL) == task.jobs.length
                    && task.jobs.length > 0
                    && task.isWhollyRead()
                    && task.dataset.isReadable();
            Violation.check(
                    !over || task.broken || task.closeParts > 0,
                    "a dataset closes when its last job ends",
                    task.task.uid(),
                    Counts.of(task));
        }
        idle(context);
    }

    /** A pilot that has been silent for longer than its lease is noticed. */
    private void noticed(TaskTruth task) {
        if (task.count(Statuses.OWNED) == 0) {
            return;
        }
        for (JobTruth job : task.jobs) {
            if (job.is(Statuses.OWNED)) {
                long silent = state.beatClock - job.renewedAt;
                Violation.check(
                        silent <= state.leaseMillis() + 2 * state.heartbeatMillis(),
                        "lost pilots are noticed",
                        job,
                        "silent for",
                        silent,
                        "ms of",
                        state.leaseMillis());
            }
        }
    }

    /** No place in a window is free while a file that nothing limits waits for it. */
    private void idle(Context context) {
        for (PoolTruth pool : state.pools.values()) {
            if (!pool.hasFixedWindow() || pool.paused || pool.placesAtMost() >= pool.options.window()) {
                continue;
            }
            TaskTruth ready = null;
            for (TaskTruth task : state.tasks.values()) {
                boolean active = task.place == TaskTruth.Place.SURE && task.pool.equals(pool.name);
                ready = active && (task.hasFreshReady() || keptPlaces.leaveRoomForOneOf(task, context.now))
                        ? task
                        : ready;
            }
            Violation.check(
                    ready == null || pilots.mayRest(pool),
                    "no place in the window stays free while a file could take it",
                    "pool",
                    pool.name,
                    "has",
                    pool.out,
                    "out of",
                    pool.options.window(),
                    "and task",
                    ready == null ? "" : ready.task.uid() + " has " + ready.fresh + " files ready");
        }
    }
}
