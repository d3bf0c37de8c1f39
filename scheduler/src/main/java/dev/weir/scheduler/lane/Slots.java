package dev.weir.scheduler.lane;

import dev.weir.protocol.Limits;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;

/**
 * Which tasks are interleaved: at most so many to a pool; the rest wait by rank and time. Ageing is linear and the same for all,
 * so the order of those that wait never changes by itself, and their key is fixed: arrival − rank × wait-per-rank.
 *
 * <p>While the window has room, tasks whose files all wait for full groups do not count: when all that have a slot are such, one more is
 * admitted, and the next once that one waits too.
 */
final class Slots {

    private static final long SHOWN_EVERY_MILLIS = 10;

    private final Lane lane;

    Slots(Lane lane) {
        this.lane = lane;
    }

    /** The task wants a slot, if it can use one. */
    void enqueue(TaskEntry task) {
        Progress p = task.p;
        if (!task.waiting && !task.reading && !p.slot && !p.paused && p.stop == Stop.NONE && !isUsedUp(task)) {
            setKey(task);
            task.waiting = true;
            task.pool.waiting.add(task);
            loaded(task);
            lane.recount(task);
            lane.mayStart(task.pool);
            lane.rows.showAgeing(task);
        }
    }

    /** Where it stands among those that wait, and the rank that it is shown with while it does or its first page is asked for. */
    void setKey(TaskEntry task) {
        Progress p = task.p;
        // A clock that was ahead before a restart is no reason to wait behind those that come now.
        long since = Math.min(p.acceptedAt, lane.now);
        task.admissionKey = since - p.base * waitPerRankMillis();
    }

    /** Whether it has no file to start: none is left, or DSM does not give the page with the next ones. */
    static boolean isUsedUp(TaskEntry task) {
        Progress p = task.p;
        return p.listed && p.released == p.jobs || p.pageAsked && p.pageTrouble != null && task.backlog.fresh() == 0;
    }

    private static boolean isLoaded(TaskEntry task) {
        return task.p.total != Progress.UNKNOWN;
    }

    /** Its first files may be here. */
    void loaded(TaskEntry task) {
        if (task.waiting && isLoaded(task)) {
            task.pool.waitingLoaded.add(task);
        }
    }

    private static void remove(TaskEntry task) {
        task.pool.waiting.remove(task);
        task.pool.waitingLoaded.remove(task);
        task.waiting = false;
    }

    private long waitPerRankMillis() {
        return lane.options.admission().waitPerRank().toMillis();
    }

    /** The rank by which a waiting task is admitted: what it was given, and one more for each time that it has waited for one. */
    double agedRank(TaskEntry task) {
        double aged = (lane.now - task.admissionKey) / waitPerRankMillis();
        return Math.min(Limits.MAX_RANK, aged);
    }

    /** When that has changed enough to be shown again; no more often than a hundred times a second for all together. */
    long showAgainMillis(PoolEntry pool) {
        return Math.max(waitPerRankMillis(), pool.waiting.size() * SHOWN_EVERY_MILLIS);
    }

    void leaveQueue(TaskEntry task) {
        if (task.waiting) {
            remove(task);
            lane.recount(task);
            lane.mayStart(task.pool);
        }
    }

    /** The rank that decides its place has changed. */
    void moved(TaskEntry task) {
        if (task.waiting) {
            leaveQueue(task);
            enqueue(task);
        } else if (task.reading) {
            setKey(task);
        }
    }

    /** Gives free slots to those who wait longest for their rank, and lets the next read their first page. */
    void fill(PoolEntry pool) {
        for (TaskEntry next = next(pool); next != null; next = next(pool)) {
            remove(next);
            if (isLoaded(next)) {
                take(next);
            } else {
                next.reading = true;
                pool.reading++;
                lane.reading.ask(next);
                lane.rows.taskSoon(next);
            }
        }
    }

    /** Who gets a slot, or may read its first page; null when nobody does. */
    private TaskEntry next(PoolEntry pool) {
        if (pool.waiting.isEmpty()) {
            return null;
        }
        int most = lane.options.admission().maxActiveTasks();
        int readAhead = lane.options.admission().readAhead();
        boolean extra = pool.active >= most && isStuck(pool);
        boolean isFree = pool.active < most || extra;
        TaskEntry first = pool.waiting.first();
        boolean mayRead = pool.active + pool.reading < most + readAhead || extra && pool.reading == 0;
        if (isLoaded(first) ? isFree : mayRead) {
            return first;
        }
        // A free slot is for whom DSM is asked; while it says nothing, what has been read goes on.
        boolean passes = pool.dsmIsSilent && isFree && !pool.waitingLoaded.isEmpty();
        return passes ? pool.waitingLoaded.first() : null;
    }

    /** Whether nothing fresh can start though there is room for it: all that has been admitted waits for groups. */
    private boolean isStuck(PoolEntry pool) {
        return pool.blocked == pool.active && pool.givesFresh() && pool.out() < pool.window(lane.options.lanes());
    }

    /** A task with a slot waits for groups from now on, or no longer. */
    void blockedChanged(PoolEntry pool) {
        if (!pool.waiting.isEmpty() && pool.blocked == pool.active) {
            lane.mayStart(pool);
        }
    }

    /** The first page has come, or does not come. */
    void readingEnded(TaskEntry task) {
        if (task.reading) {
            task.reading = false;
            task.pool.reading--;
            lane.mayStart(task.pool);
        }
    }

    private void take(TaskEntry task) {
        Progress p = task.p;
        p.slot = true;
        task.pool.active++;
        if (!p.everActive) {
            p.everActive = true;
            lane.intake.announce(task, TaskState.ACTIVE, null);
        }
        lane.writes.changed(task);
        task.readinessChanged();
        lane.reading.askIfNeeded(task);
        lane.mayStart(task.pool);
        lane.rows.task(task);
        // Others may take the room that is in the window now, and then it waits for that.
        lane.rows.taskSoon(task);
    }

    void giveBack(TaskEntry task) {
        if (task.p.slot) {
            task.p.slot = false;
            task.pool.active--;
            lane.writes.changed(task);
            lane.mayStart(task.pool);
        }
        stopWanting(task);
    }

    /** The pool gives nothing now, or again: that concerns those of its tasks that may start something. */
    void restChanged(PoolEntry pool) {
        for (TaskEntry task : pool.held.mayStart()) {
            stopWanting(task);
            lane.rows.taskSoon(task);
        }
        lane.mayStart(pool);
    }

    /** It may not start anything, or less than before. */
    void stopWanting(TaskEntry task) {
        task.readinessChanged();
        task.backlog.passOnTurns(lane.now);
    }
}
