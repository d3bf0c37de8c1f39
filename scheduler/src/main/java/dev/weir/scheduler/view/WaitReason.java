package dev.weir.scheduler.view;

import dev.weir.engine.limit.Group;
import dev.weir.engine.limit.GroupLimit;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.state.PoolRecord.Use;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.RecentErrors;
import java.time.Instant;
import java.util.Locale;

/** Why nothing more of a task starts now: a word for machines and a sentence for people. */
public enum WaitReason {
    ASIDE,
    PAUSED,
    POOL,
    SLOT,
    PAGE,
    PILOTS,
    WINDOW,
    GROUP,
    COOLING,
    /** The last attempts of the task all failed in stage-in or stage-out. */
    STORAGE,
    /** All its jobs are over, and its dataset stays open for failed ones to be tried again. */
    KEPT;

    private static final int COUNTED_PLACES = 1000;

    /** Null when the task starts its files as fast as its pool takes them, when nothing of it waits, and when it ends by itself. Constant cost. */
    public static WaitReason of(OpenTask task) {
        Progress p = task.progress;
        Pool pool = task.pool;
        if (task.gone) {
            return null;
        }
        // Also while it ends: it stays open then until somebody looks at it.
        if (task.aside != null) {
            return ASIDE;
        }
        if (p.stop != Stop.NONE || p.closing) {
            return null;
        }
        boolean lacksPilots = p.queued > 0 && !pool.hasPilots();
        if (p.keptUntil > 0) {
            return KEPT;
        }
        if (p.listed && p.released == p.jobs && p.cooling == 0) {
            return lacksPilots ? PILOTS : null;
        }
        if (p.paused) {
            return PAUSED;
        }
        if (pool.isHeld(p.cooling > 0)) {
            return POOL;
        }
        if (lacksPilots) {
            return PILOTS;
        }
        // A pool that is drained still tries again: then the task waits for what its further attempts lack.
        boolean onlyRetries = p.cooling > 0 && pool.record.use() == Use.DRAINING;
        boolean waitsForStorage = task.isStorageAway() && p.live() > 0 && !task.waiting;
        WaitReason own = waitsForStorage ? STORAGE : onlyRetries ? ofRetries(task) : ofTask(task);
        return pool.stoppedWithoutPilots && own != SLOT && own != PAGE && own != COOLING ? PILOTS : own;
    }

    private static WaitReason ofRetries(OpenTask task) {
        if (task.backlog.hasReadyRetry()) {
            return ofPool(task.pool);
        }
        return task.backlog.hasRetry() ? GROUP : COOLING;
    }

    private static WaitReason ofTask(OpenTask task) {
        if (task.waiting) {
            return SLOT;
        }
        if (task.progress.pageAsked && task.backlog.fresh() == 0) {
            return PAGE;
        }
        if (task.wantsToStart()) {
            return ofPool(task.pool);
        }
        if (task.backlog.isHeldByGroups()) {
            return GROUP;
        }
        return task.backlog.fresh() == 0 && task.progress.cooling > 0 ? COOLING : null;
    }

    /** A file starts as soon as its pool has room. */
    private static WaitReason ofPool(Pool pool) {
        if (pool.room() > 0) {
            return null;
        }
        return pool.hasPilots() ? WINDOW : PILOTS;
    }

    /** How many files the reason holds back, of a task whose reason it is; jobs in the queue of a pool without pilots count. */
    public long files(Progress p) {
        if (this == KEPT) {
            return p.failed + p.killed;
        }
        if (p.stop != Stop.NONE) {
            return 0;
        }
        long unreleased = p.jobs == Progress.UNKNOWN ? 0 : p.jobs - p.released;
        return unreleased + p.cooling + (this == PILOTS ? p.queued : 0);
    }

    /** As rows and metrics show it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** For people; the task is one whose reason this is. */
    public String sentence(OpenTask task, long nowMillis) {
        Pool pool = task.pool;
        return switch (this) {
            case ASIDE -> "the task is set aside until it is resumed, because Weir failed at it: " + task.aside;
            case PAUSED -> paused(task.progress);
            case POOL -> "pool " + pool.name + " is " + pool.record.use().name().toLowerCase(Locale.ROOT);
            case SLOT -> slot(task);
            case PAGE -> page(task.progress);
            // What has started is with pilots that take no more.
            case PILOTS ->
                "pool " + pool.name + " has no pilots"
                        + (pool.queued == 0 ? " that take more" : ", and " + pool.queued + " jobs wait for one");
            case WINDOW ->
                "the window of pool " + pool.name + " is full: " + pool.out() + " of " + pool.window()
                        + " jobs are out";
            case GROUP -> group(task.backlog.waitsFor(pool.record.use() == Use.DRAINING), nowMillis);
            case COOLING -> task.progress.cooling + " failed jobs wait to be tried again";
            case STORAGE -> storage(task.progress);
            case KEPT ->
                "all jobs are over, and the dataset stays open until " + Instant.ofEpochMilli(task.progress.keptUntil)
                        + " for failed ones to be tried again (retry_failed); close ends that";
        };
    }

    private static String paused(Progress p) {
        return "the task is paused" + (p.pausedBy == null ? "" : " by " + p.pausedBy)
                + (p.queued == 0 ? "" : "; " + p.queued + " jobs that were sent before can still start");
    }

    private static String storage(Progress p) {
        RecentErrors.Kind last = p.errors.newest();
        return (last == null ? "stage_in" : last.text()) + "; the last " + p.stagingFailures
                + " attempts failed in stage-in or stage-out, and what has failed is tried again at least once a minute";
    }

    private static String slot(OpenTask task) {
        int place = 1;
        for (OpenTask other : task.pool.waiting) {
            if (other == task) {
                return "waits for a slot, at place " + place + " of " + task.pool.waiting.size();
            }
            if (++place > COUNTED_PLACES) {
                break;
            }
        }
        return "waits for a slot, behind more than " + COUNTED_PLACES + " others";
    }

    private static String page(Progress p) {
        if (p.pageTrouble == null) {
            return "DSM was asked for files from " + p.readTo + " on";
        }
        String trouble = p.pageTrouble;
        return (trouble.endsWith(".") ? trouble.substring(0, trouble.length() - 1) : trouble)
                + "; Weir asks again by itself";
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
