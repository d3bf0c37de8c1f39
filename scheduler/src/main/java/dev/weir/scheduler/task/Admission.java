package dev.weir.scheduler.task;

import dev.weir.protocol.TaskState;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;

/**
 * Which tasks are interleaved: at most so many to a pool; the rest wait by rank and time. Ageing is linear and the same for all, so the
 * order of waiting tasks never changes by itself, and their key is fixed: arrival − rank × wait-per-rank.
 *
 * <p>While the window has room, tasks whose files all wait for full groups do not count: when all tasks with a slot wait so, one more is
 * admitted in each millisecond until one of them starts something. Otherwise a group that an operator has closed could keep a pool idle.
 */
public final class Admission {

    private final Lane lane;
    private final TaskEvents events;

    public Admission(Lane lane, TaskEvents events) {
        this.lane = lane;
        this.events = events;
    }

    /** Puts the task among the tasks that wait for a slot, if it can use one. */
    public void enqueue(OpenTask task) {
        Progress p = task.progress;
        if (!task.waiting
                && !task.reading
                && !p.slot
                && !p.paused
                && p.stop == Stop.NONE
                && task.aside == null
                && !task.isUsedUp()) {
            setKey(task);
            task.waitsForSlot();
            task.pool.waiting.add(task);
            loaded(task);
            lane.agenda.fill(task.pool);
            lane.agenda.show(task);
        }
    }

    /** Its place among waiting tasks, and the rank that it is shown with while it waits or its first page is asked for. */
    public void setKey(OpenTask task) {
        Progress p = task.progress;
        // A clock that was ahead before a restart is no reason to wait behind tasks that come now.
        long since = Math.min(p.acceptedAt, lane.now());
        task.admissionKey =
                since - p.base * lane.options.admission().waitPerRank().toMillis();
    }

    /** Its first files may be here. */
    void loaded(OpenTask task) {
        if (task.waiting && task.isLoaded()) {
            task.pool.waitingLoaded.add(task);
        }
    }

    /** The task waits for a slot no more. */
    void leaveQueue(OpenTask task) {
        if (task.waiting) {
            dequeue(task);
            lane.agenda.fill(task.pool);
            lane.agenda.show(task);
        }
    }

    private static void dequeue(OpenTask task) {
        task.pool.waiting.remove(task);
        task.pool.waitingLoaded.remove(task);
        task.waiting = false;
    }

    /** The rank that decides its place has changed. */
    public void moved(OpenTask task) {
        if (task.waiting) {
            leaveQueue(task);
            enqueue(task);
        } else if (task.reading) {
            setKey(task);
        }
    }

    /** Gives free slots to the best waiting tasks, and lets the next ones read their first page. */
    public void fill(Pool pool) {
        for (OpenTask next = next(pool); next != null; next = next(pool)) {
            if (!pool.admissions.take(lane.agenda.event())) {
                lane.fillAt(pool, lane.now());
                return;
            }
            lane.suspect = next;
            dequeue(next);
            if (next.isLoaded()) {
                admit(next);
            } else {
                next.reading = true;
                pool.reading++;
                lane.agenda.settle(next);
                lane.agenda.show(next);
            }
            lane.suspect = null;
        }
    }

    /** The task that gets a slot, or may read its first page; null when none may. */
    private OpenTask next(Pool pool) {
        if (pool.waiting.isEmpty()) {
            return null;
        }
        int slots = lane.options.admission().maxActiveTasks();
        int active = pool.active.size();
        boolean extra = active >= slots && isStuck(pool) && isExtraDue(pool);
        boolean isFree = active < slots || extra;
        OpenTask first = pool.waiting.first();
        boolean mayRead =
                active + pool.reading < slots + lane.options.admission().readAhead() || extra && pool.reading == 0;
        if (first.isLoaded() ? isFree : mayRead) {
            return first;
        }
        // A free slot is for the task for which DSM is asked; while DSM says nothing, what has been read goes on.
        boolean passes = pool.dsmIsSilent && isFree && !pool.waitingLoaded.isEmpty();
        return passes ? pool.waitingLoaded.first() : null;
    }

    /** One extra task in a millisecond, so that no event admits thousands. */
    private boolean isExtraDue(Pool pool) {
        boolean due = pool.extraAdmittedAt < lane.now();
        if (!due) {
            lane.fillAt(pool, lane.now() + 1);
        }
        return due;
    }

    /** Whether nothing can start for the first time though there is room for it: all that has been admitted waits for groups. */
    private static boolean isStuck(Pool pool) {
        return pool.blocked == pool.active.size() && pool.startsFresh() && pool.room() > 0;
    }

    private void admit(OpenTask task) {
        Progress p = task.progress;
        Pool pool = task.pool;
        if (pool.active.size() >= lane.options.admission().maxActiveTasks()) {
            pool.extraAdmittedAt = lane.now();
        }
        task.hasSlot(true);
        if (!p.everActive) {
            p.everActive = true;
            events.announce(task, TaskState.ACTIVE, null);
        }
        lane.changed(task);
        task.readinessChanged();
        lane.agenda.fill(pool);
    }

    /** The first page has come, or does not come. */
    void readingEnded(OpenTask task) {
        if (task.reading) {
            task.reading = false;
            task.pool.reading--;
            lane.agenda.fill(task.pool);
        }
    }

    /** At the end of an event: a task that has nothing to start gives its slot to another one. */
    public void settle(OpenTask task) {
        if (task.isUsedUp()) {
            leave(task);
        }
    }

    /** The task starts nothing for now: it neither holds a slot nor waits for one. */
    public void leave(OpenTask task) {
        leaveQueue(task);
        if (task.progress.slot) {
            task.hasSlot(false);
            lane.changed(task);
            lane.agenda.fill(task.pool);
        }
        task.mayStartLess();
    }
}
