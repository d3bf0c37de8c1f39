package dev.weir.scheduler.lane;

import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.PoolRecord;

/** Jobs that are out: when they are sent again, whose lease they have, and what place in window and groups they take. */
final class Flights {

    private static final int MOST_DOUBLINGS = 6;

    private final Lane lane;

    Flights(Lane lane) {
        this.lane = lane;
    }

    void armQueued(LiveJob job) {
        long timeout = lane.options.attempts().queuedTimeout().toMillis();
        job.r.deadline = lane.now + (timeout << Math.min(job.r.resends, MOST_DOUBLINGS));
        lane.wall.set(job.wall, job.r.deadline);
    }

    /** The wall timer: sends a queued job again, ends a cool-off, or gives up the place of a ghost. */
    void due(LiveJob job) {
        JobRecord r = job.r;
        switch (r.phase) {
            case QUEUED -> {
                long later = lane.beats.ask();
                if (later > 0) {
                    r.deadline = later;
                    lane.wall.set(job.wall, later);
                    lane.writes.changed(job);
                    return;
                }
                // While its pool is paused nothing goes out.
                if (isLost(job) && job.pool.record.use() != PoolRecord.Use.PAUSED) {
                    r.resends++;
                    lane.release.emit(job);
                }
                lane.writes.changed(job);
                armQueued(job);
            }
            case COOLING -> {
                r.phase = Phase.DUE;
                lane.writes.changed(job);
                job.task.backlog.addRetry(job, r.groups);
                lane.mayStart(job.pool);
                lane.rows.taskSoon(job.task);
            }
            case GHOST -> {
                if (!job.pool.hasPilots() || isLost(job)) {
                    ghostGone(job);
                } else {
                    lane.writes.changed(job);
                    armQueued(job);
                }
            }
            default -> throw new IllegalStateException("job " + r.uid + " has a timer while " + r.phase);
        }
    }

    /**
     * Whether a job's message has left the queue without our hearing who took it: one that was sent later was started (a queue gives first what
     * came first), or none was for as long while there are pilots without a job, or with one of a pool that they prefer less. That it waits for long says nothing by itself: jobs may take
     * hours. Nor while we do not hear ourselves: then we do not hear the pilots either.
     */
    private boolean isLost(LiveJob job) {
        PoolEntry pool = job.pool;
        if (!lane.beats.areHeard()) {
            return false;
        }
        if (pool.newestStarted > job.sentAt) {
            return true;
        }
        long timeout = lane.options.attempts().queuedTimeout().toMillis();
        boolean isEmpty = pool.idle > 0 || pool.hasPilots() && pool.passedAt > job.sentAt;
        return isEmpty && lane.now - pool.startedAt >= timeout;
    }

    /** Its pilot was heard. */
    void renew(LiveJob job) {
        job.r.leaseUntil = lane.record.beatClock + lane.options.pilots().lease().toMillis();
        if (!job.lease.isSet() || job.lease.at != job.r.leaseUntil) {
            lane.leases.set(job.lease, job.r.leaseUntil);
            lane.writes.changed(job);
            lane.beats.needed();
        }
    }

    /** The job takes no place in the window and its groups any more. */
    void land(LiveJob job) {
        JobRecord r = job.r;
        if (job.groups != null) {
            lane.groups.ended(job.groups, lane.now);
            job.groups = null;
        }
        lane.wall.clear(job.wall);
        lane.leases.clear(job.lease);
        switch (r.phase) {
            case QUEUED -> {
                job.pool.queued--;
                job.task.p.queued--;
            }
            case STARTING -> {
                lane.pilots.landed(job);
                job.pool.started--;
                job.task.p.starting--;
            }
            case RUNNING -> {
                lane.pilots.landed(job);
                job.pool.started--;
                job.task.p.running--;
            }
            case GHOST -> job.pool.ghosts--;
            default -> throw new IllegalStateException("job " + r.uid + " is not out but " + r.phase);
        }
        lane.mayStart(job.pool);
        if (job.task != null) {
            lane.writes.changed(job.task);
        }
    }

    /** Its message is still in the pool's queue. */
    void becomeGhost(LiveJob job) {
        job.r.phase = Phase.GHOST;
        job.forgotten = false;
        job.task = null;
        job.pool.ghosts++;
        lane.jobs.put(job.r.uid, job);
        armQueued(job);
        lane.writes.changed(job);
    }

    void ghostGone(LiveJob job) {
        land(job);
        job.forgotten = true;
        lane.jobs.remove(job.r.uid);
        lane.writes.changed(job);
    }
}
