package dev.weir.scheduler.model;

import dev.weir.engine.Timer;
import dev.weir.engine.interleave.Interleave;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.state.PoolRecord;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A pool in memory: its tasks, its pilots, and how many jobs may be out. */
public final class Pool {

    public final String name;
    /** Its place among the lane's pools, from 0. */
    public final int index;

    public final PoolOptions options;
    /** Tasks that have something to start. */
    public final Interleave policy;
    /** Whether the highest rank goes first, and tasks take no turns. */
    public final boolean strict;

    public final WindowEstimator estimator = new WindowEstimator();
    /** What nearly every pilot serves. */
    public final List<Pool> alone = List.of(this);
    /** Tasks that wait for a slot, best first. */
    public final TreeSet<OpenTask> waiting = new TreeSet<>(
            Comparator.comparingDouble((OpenTask task) -> task.admissionKey).thenComparingLong(OpenTask::arrival));
    /** The part of them whose first files have been read. */
    public final TreeSet<OpenTask> waitingLoaded = new TreeSet<>(waiting.comparator());
    /** Tasks that hold a slot. */
    public final Set<OpenTask> active = new LinkedHashSet<>();
    /** Tasks that hold a slot or have jobs that are not over. Those that have not learned of the last change of the pool come first. */
    private final Set<OpenTask> concerned = new LinkedHashSet<>();
    /** How often it has changed what its tasks may start. */
    private long changes;

    public final Timer changeTimer = new Timer(TimerKind.POOL_CHANGED, this);
    /** How many of them have only files that wait for groups. */
    public int blocked;
    /** When a task was admitted last beyond {@code max-active-tasks}; milliseconds since 1970. */
    public long extraAdmittedAt = Long.MIN_VALUE;

    public final Timer fillTimer = new Timer(TimerKind.FILL, this);
    /** What the event at hand may still admit to it, and send to it, however often it is filled. */
    public final Allowance admissions = new Allowance(1_000);

    public final Allowance dispatches = new Allowance(1_000);
    /** Files of it that may move to their present priority: millions may have waited too long at once. */
    public final Allowance corrections = new Allowance(50_000);
    /** Tasks without a slot whose first page is under way. */
    public int reading;
    /** Whether DSM did not give the page that was waited for last. */
    public boolean dsmIsSilent;

    public PoolRecord record = PoolRecord.NONE;
    /** Whether nothing starts because the pool has no pilots while groups are limited. */
    public boolean stoppedWithoutPilots;

    public int queued;
    public int started;
    /** When the messages of jobs that are over, and were not taken from the queue, no longer count; oldest first. */
    private final ArrayDeque<Long> staleMessages = new ArrayDeque<>(0);

    public final Timer staleTimer = new Timer(TimerKind.STALE_MESSAGE, this);
    /** Live pilots that may take work of it; a pilot that serves several pools counts in each. */
    public int pilots;
    /** How many of them have no job, of whatever pool. */
    public int idle;
    /** Whether a pilot was heard, since we started, that was one too many to be remembered. */
    public boolean hasUnknownPilots;
    /** Pilots that have a job of it and may not take another: drained, at a node that is set aside, or not known. */
    public int leaving;
    /** Nodes with a live pilot that serves it, and how many of them are set aside. */
    public int nodes;

    public int nodesAside;
    /** When a job was last started by its first message, or when this memory was built; milliseconds since 1970. */
    public long startedAt;
    /** When the newest message was sent of which a job has started; milliseconds since 1970. */
    public long newestStarted = Long.MIN_VALUE;
    /** When a pilot that prefers this pool took a job of another one last; milliseconds since 1970. */
    public long foundEmptyAt = Long.MIN_VALUE;

    public long finished;
    public long failed;
    /** For {@link Agenda}. */
    boolean toFill;

    private final int lanes;

    Pool(Lane lane, String name, int index, PoolOptions options) {
        this.name = name;
        this.index = index;
        this.options = options;
        lanes = lane.options.lanes();
        startedAt = lane.now();
        policy = Interleave.named(options.policy());
        strict = options.policy().equals(PoolOptions.STRICT);
    }

    /** The task has to learn of changes from now on, or no more. It knows how the pool is now. */
    void concerns(OpenTask task, boolean isConcerned) {
        if (isConcerned) {
            task.knownChanges = changes;
            concerned.add(task);
        } else {
            concerned.remove(task);
        }
    }

    /** All its tasks have to learn that they may start more or less than before. */
    void changed() {
        changes++;
    }

    /** The next task that has not learned of the last change, and does now; null when there is none. */
    OpenTask nextToLearn() {
        if (!isChangeUnknown()) {
            return null;
        }
        OpenTask task = concerned.iterator().next();
        concerned.remove(task);
        concerns(task, true);
        return task;
    }

    /** Whether a task has not learned of the last change. */
    public boolean isChangeUnknown() {
        return !concerned.isEmpty() && concerned.iterator().next().knownChanges < changes;
    }

    /** A copy of the tasks that hold a slot or have jobs that are not over. */
    public Set<OpenTask> concerned() {
        return new LinkedHashSet<>(concerned);
    }

    /** How many jobs take a place in the window. */
    public int out() {
        return queued + started + staleMessages.size();
    }

    /** Whether it is to be filled in this event. */
    public boolean isToFill() {
        return toFill;
    }

    /**
     * The message of a job that is over is still in the queue: it counts until a pilot takes it, or until then.
     *
     * @param until in milliseconds since 1970; not before that of the message before
     */
    public void staleMessage(long until) {
        staleMessages.add(until);
    }

    /** A pilot has taken one of these messages. Returns false when there was none. */
    public boolean staleMessageTaken() {
        return staleMessages.poll() != null;
    }

    /** Forgets the messages whose time is over. Returns when the next one's is; {@link Long#MAX_VALUE} when none is left. */
    public long forgetStaleMessages(long nowMillis) {
        while (!staleMessages.isEmpty() && staleMessages.peek() <= nowMillis) {
            staleMessages.poll();
        }
        return nextStaleMessage();
    }

    /** When the next of these messages stops to count; {@link Long#MAX_VALUE} for none. */
    public long nextStaleMessage() {
        return staleMessages.isEmpty() ? Long.MAX_VALUE : staleMessages.peek();
    }

    public boolean hasPilots() {
        return pilots > 0 || hasUnknownPilots;
    }

    /** Of two strict pools: whether the best task here goes before the best one there. */
    public boolean goesBefore(Pool other) {
        OpenTask mine = (OpenTask) policy.next();
        OpenTask theirs = (OpenTask) other.policy.next();
        return mine != null && (theirs == null || mine.goesBefore(theirs));
    }

    /** Whether files may start for the first time. */
    public boolean startsFresh() {
        return record.use() == PoolRecord.Use.NORMAL && !stoppedWithoutPilots;
    }

    /** Whether further attempts may start. */
    public boolean startsRetries() {
        return record.use() != PoolRecord.Use.PAUSED && !stoppedWithoutPilots;
    }

    /** Whether a command holds a task's files back: all of them, or the fresh ones when no further attempt waits. */
    public boolean isHeld(boolean retries) {
        return record.use() == PoolRecord.Use.PAUSED || record.use() == PoolRecord.Use.DRAINING && !retries;
    }

    /**
     * How many jobs may be out now, in one of several lanes. A fixed window is parted equally. An automatic one keeps the queue filled
     * beyond what has started: a lane does not know how many pilots the others need, and does not hear pilots that work for them. What
     * is still at pilots that take no more comes on top of what the other pilots need.
     */
    public int window() {
        if (options.window() != PoolOptions.AUTO) {
            return part(options.window());
        }
        int whole = Math.max(options.windowMin(), estimator.wanted(pilots));
        int queue = whole - Math.min(pilots, whole);
        int needed = Math.max(part(whole), Math.min(whole, started - leaving + queue));
        return Math.min(part(options.windowMax()), leaving + needed);
    }

    /** How many more jobs may go out now. */
    public int room() {
        return window() - out();
    }

    private int part(int whole) {
        return (whole + lanes - 1) / lanes;
    }
}
