package dev.weir.scheduler.lane;

import dev.weir.scheduler.limit.Group;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Phase;

/** A job that is not over (or keeps a place in the window), in memory. */
final class LiveJob {

    final JobRecord r;
    /** Null for a ghost whose task is closed. */
    TaskEntry task;

    final PoolEntry pool;
    /** Wall clock: send again, give up a place, or end of the cool-off. */
    final Timer wall;
    /** Beat clock. */
    final Timer lease;
    /** Groups in which it counts as in flight; null while it is not out. */
    Group[] groups;

    boolean dirty;
    /** To be removed from the store. */
    boolean forgotten;

    LiveJob(Lane lane, JobRecord record, TaskEntry task, PoolEntry pool) {
        r = record;
        this.task = task;
        this.pool = pool;
        wall = new Timer(() -> lane.flights.due(this));
        lease = new Timer(() -> lane.outcomes.lost(this));
    }

    /** From the uid: an object's own hash is slow to make, and every job is kept in a set. */
    @Override
    public int hashCode() {
        return r.uid.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    boolean isOut() {
        return r.phase == Phase.QUEUED || isStarted() || r.phase == Phase.GHOST;
    }

    boolean isStarted() {
        return r.phase == Phase.STARTING || r.phase == Phase.RUNNING;
    }
}
