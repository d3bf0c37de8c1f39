package dev.weir.scheduler.lane;

import dev.weir.scheduler.interleave.Interleave;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.state.PoolRecord;
import dev.weir.scheduler.state.PoolRecord.Use;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** A pool in memory. */
final class PoolEntry {

    /** Pilots that have no job take what comes within this. */
    private static final long AT_ONCE_MILLIS = 60_000;

    final String name;
    /** Its place among the lane's pools, from 0. */
    final int index;

    final PoolOptions options;
    final Interleave policy;
    /** Whether its highest rank goes first, and nobody takes turns. */
    final boolean strict;

    final Handover handover = new Handover();
    final Held held = new Held();
    /** What nearly every pilot serves. */
    final List<PoolEntry> alone = List.of(this);
    /** Tasks that wait for a slot, and those of them whose first files are here. */
    final TreeSet<TaskEntry> waiting = new TreeSet<>(
            Comparator.comparingDouble((TaskEntry task) -> task.admissionKey).thenComparingLong(TaskEntry::arrival));

    final TreeSet<TaskEntry> waitingLoaded = new TreeSet<>(waiting.comparator());
    /** Whether DSM did not give the page that was waited for last. */
    boolean dsmIsSilent;

    PoolRecord record = PoolRecord.NONE;
    /** Whether something may start in it since the event began. */
    boolean toFill;
    /** Whether it gives nothing because it has no pilots: see {@link Lane#rest}. */
    boolean rests;

    /** Tasks that hold a slot. */
    int active;
    /** Those of them whose files all wait for groups. */
    int blocked;
    /** Tasks without a slot whose first page is under way. */
    int reading;

    int queued;
    int started;
    int ghosts;
    /** Live pilots that may take work of it; one that serves several pools counts in each. */
    int pilots;
    /** Those of them that have no job, of whatever pool. */
    int idle;
    /** Whether one was heard, since we started, that was one too many to be remembered. */
    boolean hasUnknownPilots;
    /** Pilots that have a job of it and are not among those: drained, at a node that is set aside, or not known. */
    int leaving;
    /** Nodes with a live pilot that serves it, and how many of them are set aside. */
    int nodes;

    int nodesAside;

    /** When a job of it started last, one that was not just sent again, or we did; and when the newest of all messages was sent of which a job has started. */
    long startedAt;

    long newestStarted = Long.MIN_VALUE;
    /** When a pilot that prefers this pool started a job of another one last. */
    long passedAt = Long.MIN_VALUE;

    long jobsOut;
    long finished;
    long failed;

    PoolEntry(Lane lane, String name, int index, PoolOptions options) {
        this.name = name;
        this.index = index;
        this.options = options;
        policy = Interleave.named(options.policy());
        strict = options.policy().equals(PoolOptions.STRICT);
    }

    int out() {
        return queued + started + ghosts;
    }

    /**
     * A pilot has started one. That one which was sent again has left the queue at once says nothing of those that were sent before; if it took
     * its time, others were there.
     */
    void jobStarted(LiveJob job, long nowMillis) {
        if (job.r.resends == 0 || nowMillis - job.sentAt >= AT_ONCE_MILLIS) {
            startedAt = nowMillis;
        }
        newestStarted = Math.max(newestStarted, job.firstSentAt);
    }

    boolean hasPilots() {
        return pilots > 0 || hasUnknownPilots;
    }

    /** Of two that are strict: whether the best task here goes before the best one there. */
    boolean goesBefore(PoolEntry other) {
        TaskEntry mine = (TaskEntry) policy.next();
        TaskEntry theirs = (TaskEntry) other.policy.next();
        return mine != null && (theirs == null || mine.goesBefore(theirs));
    }

    boolean givesFresh() {
        return record.use() == Use.NORMAL && !rests;
    }

    boolean triesAgain() {
        return record.use() != Use.PAUSED && !rests;
    }

    /** Whether a command keeps the files of a task back: all of them, or fresh ones only, when none is tried again. */
    boolean holds(boolean again) {
        return record.use() == Use.PAUSED || record.use() == Use.DRAINING && !again;
    }

    /**
     * How many jobs may be out now, in one of so many lanes. A fixed window is parted equally. An automatic one keeps the queue filled
     * beyond what has started: a lane can't know how many pilots the others need, and doesn't hear those that work for them. What is
     * still at pilots that take no more comes on top of what those need that do.
     */
    int window(int lanes) {
        if (options.window() != PoolOptions.AUTO) {
            return part(options.window(), lanes);
        }
        int most = part(options.windowMax(), lanes);
        int whole = Math.max(options.windowMin(), handover.wanted(pilots));
        int queue = whole - Math.min(pilots, whole);
        int needed = Math.max(part(whole, lanes), Math.min(whole, started - leaving + queue));
        return Math.min(most, leaving + needed);
    }

    private static int part(int whole, int lanes) {
        return (whole + lanes - 1) / lanes;
    }
}
