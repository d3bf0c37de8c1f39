package dev.weir.scheduler.lane;

import dev.weir.scheduler.limit.Group;
import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.state.PoolRecord.Use;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;

/**
 * Why nothing more of a task starts now.
 *
 * @param word paused, pool, slot, page, group, cooling, pilots or window
 * @param sentence for people
 */
record Why(String word, String sentence) {

    private static final int COUNTED_PLACES = 1000;

    /** Null when it runs freely, or when nothing of it waits. Costs the same whatever waits. */
    static Why of(Lane lane, TaskEntry task) {
        Progress p = task.p;
        PoolEntry pool = task.pool;
        boolean nothingWaits = p.listed && p.released == p.jobs && p.cooling == 0;
        if (p.stop != Stop.NONE || p.closing || nothingWaits) {
            return null;
        }
        if (p.paused) {
            return new Why("paused", "the task is paused");
        }
        if (pool.record.use() != Use.NORMAL) {
            return new Why(
                    "pool",
                    "pool " + pool.name + " is " + pool.record.use().name().toLowerCase(java.util.Locale.ROOT));
        }
        if (task.waiting) {
            return new Why("slot", slot(task));
        }
        if (p.pageAsked && task.backlog.fresh() == 0) {
            return new Why("page", Reading.waitingFor(p));
        }
        if (task.wantsToStart()) {
            return window(lane, pool);
        }
        Group group = task.backlog.waitsFor();
        if (group != null) {
            return new Why("group", group(group));
        }
        return p.cooling > 0 ? new Why("cooling", p.cooling + " failed jobs wait to be tried again") : null;
    }

    private static String slot(TaskEntry task) {
        int place = 1;
        for (TaskEntry other : task.pool.waiting) {
            if (other == task) {
                return "waits for a slot, at place " + place + " of " + task.pool.waiting.size();
            }
            if (++place > COUNTED_PLACES) {
                break;
            }
        }
        return "waits for a slot, behind more than " + COUNTED_PLACES + " others";
    }

    private static Why window(Lane lane, PoolEntry pool) {
        int window = pool.window(lane.options.lanes());
        if (pool.out() < window) {
            return null;
        }
        return pool.pilots == 0
                ? new Why("pilots", "pool " + pool.name + " has no pilots, and " + pool.out() + " jobs wait for one")
                : new Why("window", pool.out() + " jobs of pool " + pool.name + " are out, of " + window);
    }

    private static String group(Group group) {
        GroupLimit limit = group.limit();
        String starts = limit.maxStarts() == GroupLimit.UNLIMITED
                ? ""
                : ", at most " + limit.maxStarts() + " starts in "
                        + limit.window().toSeconds() + " s";
        String flight = limit.maxInFlight() == GroupLimit.UNLIMITED ? "" : " of " + limit.maxInFlight();
        return "group " + group.key() + " has " + group.inFlight() + flight + " in flight" + starts;
    }
}
