package dev.weir.scheduler.lane;

import dev.weir.scheduler.limit.Group;
import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.state.PoolRecord.Use;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import java.time.Instant;
import java.util.Locale;

/** Why nothing more of a task starts now. Finding it costs the same whatever waits; the sentence is only made for people. */
enum Why {
    PAUSED,
    POOL,
    SLOT,
    PAGE,
    PILOTS,
    WINDOW,
    GROUP,
    COOLING;

    private static final int COUNTED_PLACES = 1000;

    /** Null when it runs freely, or when nothing of it waits. */
    static Why of(Lane lane, TaskEntry task) {
        Progress p = task.p;
        if (p.stop != Stop.NONE || p.closing) {
            return null;
        }
        boolean waits = !p.listed || p.released < p.jobs || p.cooling > 0;
        if (waits && p.paused) {
            return PAUSED;
        }
        if (waits && task.pool.record.use() != Use.NORMAL) {
            return POOL;
        }
        if (p.queued > 0 && task.pool.pilots == 0) {
            return PILOTS;
        }
        return waits ? ofWaiting(lane, task) : null;
    }

    private static Why ofWaiting(Lane lane, TaskEntry task) {
        if (task.waiting) {
            return SLOT;
        }
        if (task.p.pageAsked && task.backlog.fresh() == 0) {
            return PAGE;
        }
        if (task.wantsToStart()) {
            return windowIsFull(lane, task.pool) ? task.pool.pilots == 0 ? PILOTS : WINDOW : null;
        }
        if (task.backlog.waitsFor() != null) {
            return GROUP;
        }
        return task.p.cooling > 0 ? COOLING : null;
    }

    /** How many files of a task it holds back. */
    long files(Progress p) {
        long unreleased = p.jobs == Progress.UNKNOWN ? 0 : p.jobs - p.released;
        return unreleased + p.cooling + (this == PILOTS ? p.queued : 0);
    }

    private static boolean windowIsFull(Lane lane, PoolEntry pool) {
        return pool.out() >= pool.window(lane.options.lanes());
    }

    /** As rows and metrics show it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** For people; the task is one whose reason this is. */
    String sentence(Lane lane, TaskEntry task) {
        PoolEntry pool = task.pool;
        return switch (this) {
            case PAUSED -> "the task is paused";
            case POOL -> "pool " + pool.name + " is " + pool.record.use().name().toLowerCase(Locale.ROOT);
            case SLOT -> slot(task);
            case PAGE -> Reading.waitingFor(task.p);
            case PILOTS -> "pool " + pool.name + " has no pilots, and " + pool.out() + " jobs wait for one";
            case WINDOW ->
                pool.out() + " jobs of pool " + pool.name + " are out, of " + pool.window(lane.options.lanes());
            case GROUP -> group(task.backlog.waitsFor(), lane.now);
            case COOLING -> task.p.cooling + " failed jobs wait to be tried again";
        };
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

    private static String group(Group group, long now) {
        GroupLimit limit = group.limit();
        String starts = limit.maxStarts() == GroupLimit.UNLIMITED
                ? ""
                : ", at most " + limit.maxStarts() + " starts in "
                        + limit.window().toSeconds() + " s";
        String flight = limit.maxInFlight() == GroupLimit.UNLIMITED ? "" : " of " + limit.maxInFlight();
        long opens = group.opensAt(now);
        String until = opens == Long.MAX_VALUE ? "" : ", the next at " + Instant.ofEpochMilli(opens);
        return "group " + group.key() + " has " + group.inFlight() + flight + " in flight" + starts + until;
    }
}
