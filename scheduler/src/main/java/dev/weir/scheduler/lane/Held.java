package dev.weir.scheduler.lane;

import dev.weir.scheduler.lane.Why.Hold;
import dev.weir.scheduler.state.Progress;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The files of a pool's tasks that have not started, by what holds their task back. Kept as tasks change, so that neither an event nor
 * a reading looks at all of them. What the pool itself adds (its pilots, its window, a pause) is the same for all its tasks and is
 * only asked for when somebody reads.
 */
final class Held {

    private static final Hold[] HOLDS = Hold.values();

    /** By {@link #cell}. */
    private final long[] files = new long[HOLDS.length * 4];

    private final long[] queued = new long[HOLDS.length * 4];
    /** See {@link #tasksForPilots}. */
    private final Set<TaskEntry> forPilots = new LinkedHashSet<>();
    /** See {@link #mayStart}. */
    private final Set<TaskEntry> starters = new LinkedHashSet<>();

    /** What a task counts as now. */
    static final class Part {
        private int cell = -1;
        private long files;
        private long queued;
        private boolean forPilots;
        private boolean starts;
    }

    /** Counts the task as what it is now. */
    void recount(TaskEntry task) {
        Part part = task.held;
        Progress p = task.p;
        if (part.cell >= 0) {
            files[part.cell] -= part.files;
            queued[part.cell] -= part.queued;
        }
        Hold hold = Why.hold(task);
        part.cell = hold == null ? -1 : cell(hold, p.queued > 0, p.cooling > 0);
        part.forPilots = count(forPilots, task, part.forPilots, hold == Hold.READY || part.cell >= 0 && p.queued > 0);
        part.starts = count(starters, task, part.starts, p.slot || p.cooling > 0);
        if (part.cell >= 0) {
            part.files = (p.jobs == Progress.UNKNOWN ? 0 : p.jobs - p.released) + p.cooling;
            part.queued = p.queued;
            files[part.cell] += part.files;
            queued[part.cell] += part.queued;
        }
    }

    /** The place of tasks with the same hold, without or with jobs that wait for a pilot, and without or with some to be tried again. */
    private static int cell(Hold hold, boolean queued, boolean again) {
        return hold.ordinal() * 4 + (queued ? 2 : 0) + (again ? 1 : 0);
    }

    private static boolean count(Set<TaskEntry> tasks, TaskEntry task, boolean was, boolean is) {
        if (is && !was) {
            tasks.add(task);
        } else if (was && !is) {
            tasks.remove(task);
        }
        return is;
    }

    /**
     * Those that hold a slot or have something to try again: nothing else can start when the pool lets it. So there are no more of them than slots
     * and jobs that cool off.
     */
    Collection<TaskEntry> mayStart() {
        return starters;
    }

    /**
     * Those that wait for something else when the pool has pilots than when it has none: they have jobs that wait for one, or files that
     * may start. So there are no more of them than slots and jobs out, however many tasks wait for a slot.
     */
    Iterable<TaskEntry> tasksForPilots() {
        return forPilots;
    }

    /** Adds the pool's files to the counts, by ordinal of {@link Why}. Jobs that are out and wait for a pilot count too. */
    void addTo(long[] counts, Lane lane, PoolEntry pool) {
        for (int cell = 0; cell < files.length; cell++) {
            Why why = Why.of(lane, pool, HOLDS[cell / 4], (cell & 2) != 0, (cell & 1) != 0);
            if (why != null) {
                counts[why.ordinal()] += files[cell] + (why == Why.PILOTS ? queued[cell] : 0);
            }
        }
    }
}
