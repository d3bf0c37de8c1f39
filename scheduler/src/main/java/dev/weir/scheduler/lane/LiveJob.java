package dev.weir.scheduler.lane;

import dev.weir.scheduler.limit.GroupSet;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Phase;

/** A job that is not over (or keeps a place in the window), in memory. */
final class LiveJob {

    final JobRecord r;
    /** Null for a ghost. */
    TaskEntry task;

    final PoolEntry pool;
    /** Wall clock: send again, give up a place, or end of the cool-off. */
    final Timer wall;
    /** Beat clock. */
    final Timer lease;
    /** Groups in which it counts as in flight; null while it is not out. */
    GroupSet groups;

    /** Of the pilot that has started it; null while none has. */
    Work owner;

    /** Neighbours in the {@link JobList} of its task. */
    LiveJob before;

    LiveJob after;

    /** When its attempt was sent first, and last; or when we started. Of two messages the first one is started. */
    long firstSentAt;

    long sentAt;

    /** The attempt whose message is in the pool's queue while its job comes to an end otherwise; 0 for none. */
    int stillQueued;

    boolean dirty;
    /** To be removed from the store. */
    boolean forgotten;

    LiveJob(Lane lane, JobRecord record, TaskEntry task, PoolEntry pool) {
        r = record;
        this.task = task;
        this.pool = pool;
        firstSentAt = lane.now;
        sentAt = lane.now;
        wall = new Timer(() -> lane.flights.due(this));
        lease = new Timer(() -> lane.outcomes.lost(this));
    }

    boolean isOut() {
        return r.phase == Phase.QUEUED || isStarted() || r.phase == Phase.GHOST;
    }

    /** Of a ghost: why what its pilot reports is dropped. Either it was cancelled, or an earlier attempt has finished. */
    String ghostReason() {
        return r.registeredAttempts < r.attempt ? "job over" : "job cancelled";
    }

    boolean isStarted() {
        return r.phase == Phase.STARTING || r.phase == Phase.RUNNING;
    }
}
