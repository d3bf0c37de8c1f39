package dev.weir.scheduler.lane;

import dev.weir.scheduler.backlog.Backlog;
import dev.weir.scheduler.limit.Group;
import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.state.PoolRecord.Use;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import java.time.Instant;
import java.util.Locale;

/**
 * Why nothing more of a task starts now. Finding it costs the same whatever waits; the sentence is only made for people. The files are
 * counted by {@link Held}.
 */
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

    /** What holds a task back apart from its pool. */
    enum Hold {
        /** Nothing of it waits. */
        NOTHING,
        PAUSED,
        SLOT,
        PAGE,
        /** It starts as soon as its pool lets it. */
        READY,
        GROUP,
        COOLING,
        /** None of these: what it waits for is on its way. */
        FREE
    }

    /** Null for a task that ends. */
    static Hold hold(TaskEntry task) {
        Progress p = task.p;
        if (p.stop != Stop.NONE || p.closing || task.gone) {
            return null;
        }
        if (p.listed && p.released == p.jobs && p.cooling == 0) {
            return Hold.NOTHING;
        }
        if (p.paused) {
            return Hold.PAUSED;
        }
        if (p.cooling > 0 && task.pool.record.use() == Use.DRAINING) {
            return ofWhatWasBegun(task.backlog);
        }
        if (task.waiting) {
            return Hold.SLOT;
        }
        if (p.pageAsked && task.backlog.fresh() == 0) {
            return Hold.PAGE;
        }
        if (task.wantsToStart()) {
            return Hold.READY;
        }
        if (task.backlog.isHeldByGroups()) {
            return Hold.GROUP;
        }
        return task.backlog.fresh() == 0 && p.cooling > 0 ? Hold.COOLING : Hold.FREE;
    }

    /** A pool that is drained still tries again: then that is what the task waits for, and not what its fresh files lack. */
    private static Hold ofWhatWasBegun(Backlog backlog) {
        if (backlog.hasReadyRetry()) {
            return Hold.READY;
        }
        return backlog.hasRetry() ? Hold.GROUP : Hold.COOLING;
    }

    /** Null when it runs freely, or when nothing of it waits. */
    static Why of(Lane lane, TaskEntry task) {
        Hold hold = hold(task);
        return hold == null ? null : of(lane, task.pool, hold, task.p.queued > 0, task.p.cooling > 0);
    }

    /**
     * Null when a task of the pool runs freely, or when nothing of it waits.
     *
     * @param queued whether jobs of the task wait for a pilot
     * @param again whether jobs of the task wait to be tried again
     */
    static Why of(Lane lane, PoolEntry pool, Hold hold, boolean queued, boolean again) {
        if (hold == Hold.PAUSED) {
            return PAUSED;
        }
        if (hold != Hold.NOTHING && pool.holds(again)) {
            return POOL;
        }
        if (queued && !pool.hasPilots()) {
            return PILOTS;
        }
        return switch (hold) {
            case SLOT -> SLOT;
            case PAGE -> PAGE;
            case READY -> pool.rests || windowIsFull(lane, pool) ? pool.hasPilots() ? WINDOW : PILOTS : null;
            case GROUP -> pool.rests ? PILOTS : GROUP;
            case FREE -> pool.rests ? PILOTS : null;
            case COOLING -> COOLING;
            default -> null;
        };
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
            // What has started is with pilots that take no more.
            case PILOTS ->
                "pool " + pool.name + " has no pilots"
                        + (pool.queued == 0 ? " that take more" : ", and " + pool.queued + " jobs wait for one");
            case WINDOW ->
                pool.out() + " jobs of pool " + pool.name + " are out, of " + pool.window(lane.options.lanes());
            case GROUP -> group(task.backlog.waitsFor(pool.record.use() == Use.DRAINING), lane.now);
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
        return "group " + group.key() + " has " + group.inFlight() + flight + " in flight" + starts + until
                + reserved(group);
    }

    private static String reserved(Group group) {
        if (!group.isReserved()) {
            return "";
        }
        return ", and a place is reserved for "
                + (group.isReservedForPool() ? "a pool that has no room" : "a file that waits for another group too");
    }
}
