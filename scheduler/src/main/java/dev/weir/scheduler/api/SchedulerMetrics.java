package dev.weir.scheduler.api;

import java.util.List;
import java.util.Map;

/**
 * A snapshot of the metrics of a scheduler. Counters start at 0 with each {@link dev.weir.scheduler.Scheduler} object (they are not kept in
 * state); gauges show the present.
 *
 * @param pools gauges and counters by pool
 * @param activeTasks gauge: tasks that are interleaved now
 * @param waitingTasks gauge: tasks accepted that wait for a slot or their first page
 * @param openTasks gauge: tasks that are not closed yet
 * @param pilots gauge: live pilots
 * @param reportsIn counter: reports of any type
 * @param retries counter: attempts after the first, by error class
 * @param stale counter: reports counted and dropped, by reason
 * @param adopted counter: jobs known only from a report after a restore
 * @param ignored counter: repeated tasks, commands and pages, and pilots and nodes that there was no room to remember, by kind
 * @param rejected counter: events that could not be taken
 * @param why gauge: files that do not start, by reason (aside, paused, pool, slot, page, pilots, window, group, cooling, storage); 0 for a reason that
 *     holds nothing
 * @param whyTasks gauge: tasks that start nothing, by the same reasons; a task counts also while it is not known how many files it has
 * @param jain gauge: Jain's index over share / weight of the tasks active through the last measured interval, 0 to 1; 1 is fair
 */
public record SchedulerMetrics(
        Map<String, Pool> pools,
        long activeTasks,
        long waitingTasks,
        long openTasks,
        long pilots,
        long reportsIn,
        Map<String, Long> retries,
        Map<String, Long> stale,
        long adopted,
        Map<String, Long> ignored,
        long rejected,
        Map<String, Long> why,
        Map<String, Long> whyTasks,
        double jain) {

    /** The keys of {@link #why} and {@link #whyTasks}, always all of them. */
    public static final List<String> WHY = List.of(
            "aside", "paused", "pool", "slot", "page", "pilots", "window", "group", "cooling", "storage", "kept");

    /**
     * One pool.
     *
     * @param jobsOut gauge: jobs that take a place in the window
     * @param queued gauge: released and not started
     * @param started gauge: starting or running
     * @param window gauge: how many may be out now
     * @param pilots gauge: live pilots that may take work
     * @param idle gauge: those of them that have no job, of whatever pool
     * @param finished counter
     * @param failed counter: failed attempts
     */
    public record Pool(
            long jobsOut, long queued, long started, long window, long pilots, long idle, long finished, long failed) {}
}
