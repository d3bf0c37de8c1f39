package dev.weir.scheduler.model;

import dev.weir.scheduler.state.JobRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * What the event at hand has made necessary and the later steps of the event do: tasks to look at, pools to fill, rows to show. Each is
 * noted once.
 */
public final class Agenda {

    private final ArrayDeque<OpenTask> tasks = new ArrayDeque<>();
    /** The number of the event at hand, since the memory was built. */
    private long event;

    private final List<Pool> pools = new ArrayList<>();
    private final List<Pool> pilotsChanged = new ArrayList<>();
    private final List<OpenTask> rows = new ArrayList<>();
    private final List<JobRecord> endedRows = new ArrayList<>();

    /** The task may have to end, to close, to give its slot back or to ask for a page. */
    public void settle(OpenTask task) {
        if (!task.onAgenda) {
            task.onAgenda = true;
            tasks.add(task);
        }
    }

    /** Removes and returns the next task to look at; null when there is none. */
    public OpenTask nextTask() {
        OpenTask task = tasks.poll();
        if (task != null) {
            task.onAgenda = false;
        }
        return task;
    }

    /** Something may start in the pool that could not before. */
    public void fill(Pool pool) {
        if (!pool.toFill) {
            pool.toFill = true;
            pools.add(pool);
        }
    }

    /** The pools to fill, in the order in which they were noted. */
    public List<Pool> poolsToFill() {
        return pools;
    }

    /** The pool is filled now. */
    public void filled(Pool pool) {
        pools.remove(pool);
        pool.toFill = false;
    }

    /** The pool got its first pilot, or lost its last. */
    public void pilotsChanged(Pool pool) {
        pilotsChanged.add(pool);
    }

    /** Pools that got their first pilot or lost their last; emptied by the caller. */
    public List<Pool> poolsWithPilotChange() {
        return pilotsChanged;
    }

    /** Readers may see something else of the task than before. */
    public void show(OpenTask task) {
        if (!task.toShow) {
            task.toShow = true;
            rows.add(task);
        }
    }

    /** The task is shown now. */
    public void shown(OpenTask task) {
        task.toShow = false;
    }

    /** Tasks whose rows may have changed; emptied by the caller. */
    public List<OpenTask> tasksToShow() {
        return rows;
    }

    /** The number of the event at hand. */
    public long event() {
        return event;
    }

    /** The next event begins. */
    public void eventEnds() {
        event++;
    }

    /** No task's row is to be shown any more. */
    public void forgetRows() {
        for (int i = 0; i < rows.size(); i++) {
            shown(rows.get(i));
        }
        rows.clear();
    }

    /** A job that has failed for good is to be shown once more as it ended. */
    public void showEnded(JobRecord job) {
        endedRows.add(job);
    }

    /** Whether nothing is noted, as between two events. */
    public boolean isEmpty() {
        return tasks.isEmpty() && pools.isEmpty() && pilotsChanged.isEmpty() && rows.isEmpty() && endedRows.isEmpty();
    }

    /** Jobs to show once more as they ended; emptied by the caller. */
    public List<JobRecord> endedJobsToShow() {
        return endedRows;
    }
}
