package dev.weir.scheduler.job;

import dev.weir.engine.Timer;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.pilot.PilotRegistry;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.PoolRecord;
import dev.weir.scheduler.state.Progress;

/** Jobs in flight: their places in window and groups, the leases of their pilots, and lost messages. */
public final class InFlight {

    private static final int MOST_DOUBLINGS = 6;

    private final Lane lane;
    private final PilotRegistry pilots;

    public InFlight(Lane lane, PilotRegistry pilots) {
        this.lane = lane;
        this.pilots = pilots;
    }

    /** The job goes to the queue of its pool and takes a place in the window. */
    void queue(LiveJob job) {
        JobRecord r = job.record;
        r.phase = Phase.QUEUED;
        r.overdue = false;
        r.queuedAt = lane.now();
        r.rank = job.task.progress.rank;
        job.task.progress.queued++;
        job.pool().queued++;
        watch(job);
        lane.changed(job);
        lane.changed(job.task);
    }

    /** Sets when to look whether the job's message is lost. */
    private void watch(LiveJob job) {
        job.record.deadline = lane.now() + pauseMillis(job.record);
        lane.timers.set(job.timer, job.record.deadline);
    }

    private long pauseMillis(JobRecord r) {
        return timeoutMillis() << Math.min(r.resends, MOST_DOUBLINGS);
    }

    /** After a restore: times that a clock which was ahead has set make the job wait for nothing for longer than it may. */
    public void setBack(LiveJob job) {
        JobRecord r = job.record;
        long now = lane.now();
        long pause = r.phase == Phase.QUEUED ? pauseMillis(r) : RetryPause.longestMillis(lane.options.attempts());
        if (r.deadline > now + pause || r.startedAt > now || r.systemFailingSince > now) {
            r.deadline = Math.min(r.deadline, now + pause);
            r.startedAt = Math.min(r.startedAt, now);
            r.systemFailingSince = Math.min(r.systemFailingSince, now);
            lane.changed(job);
        }
    }

    private long timeoutMillis() {
        return lane.options.attempts().queuedTimeout().toMillis();
    }

    /** A queued job's timer is due. Returns whether its message is to be sent again. */
    boolean isToBeResent(LiveJob job) {
        long later = lane.leaseClock.probe();
        lane.changed(job);
        if (later > 0) {
            job.record.deadline = later;
            lane.timers.set(job.timer, later);
            return false;
        }
        // While its pool is paused nothing goes out.
        boolean again = isLost(job) && job.pool().record.use() != PoolRecord.Use.PAUSED;
        job.record.resends += again ? 1 : 0;
        watch(job);
        return again;
    }

    /**
     * Whether a job's message seems to have left the queue without a report of a start. Since it was sent, a job that was sent later has
     * started, or a pilot that prefers this pool took a job of another pool; or a pilot of the pool has no job now, and for
     * {@code queued-timeout} no job has started by its first message. A long wait alone proves nothing, because other jobs may take
     * hours. Nothing is known while Weir's own beats do not return.
     */
    private boolean isLost(LiveJob job) {
        Pool pool = job.pool();
        return lane.leaseClock.isHeard()
                && (pool.newestStarted > job.sentAt
                        || pool.foundEmptyAt > job.sentAt
                        || pool.idle > 0 && lane.now() - pool.startedAt >= timeoutMillis());
    }

    /** A pilot has reported a queued job first: it owns the attempt. */
    void start(LiveJob job, String pilotId) {
        JobRecord r = job.record;
        Pool pool = job.pool();
        Progress p = job.task.progress;
        r.pilot = pilotId;
        r.phase = Phase.STARTING;
        r.startedAt = lane.now();
        Overdue.watch(lane, job);
        pool.queued--;
        pool.started++;
        pool.newestStarted = Math.max(pool.newestStarted, job.firstSentAt);
        if (r.resends == 0) {
            pool.startedAt = lane.now();
        }
        p.queued--;
        p.starting++;
        pilots.started(job);
        job.owner.foundEmpty(pool, lane.now());
        if (lane.options.lanes() > 1 || job.owner.leaves(pool)) {
            // Its window may have grown.
            lane.agenda.fill(pool);
        }
        lane.changed(job);
        lane.changed(job.task);
    }

    /** The owner reports that the program runs. */
    void run(LiveJob job) {
        if (job.record.phase == Phase.STARTING) {
            job.record.phase = Phase.RUNNING;
            job.task.progress.starting--;
            job.task.progress.running++;
            // Its program may run for hours, and the fresh files must not wait for its end.
            TaskFailures.inputWasRead(job.task.progress);
            pilots.runs(job);
            lane.changed(job);
            lane.changed(job.task);
        }
    }

    /** The owner was heard. That does not help an attempt that has taken too long. */
    void renew(LiveJob job) {
        if (job.record.overdue) {
            return;
        }
        long until = lane.leaseUntil();
        if (!job.lease.isSet() || job.lease.at() != until) {
            job.record.leaseUntil = until;
            lane.leaseClock.set(job.lease, Lane.JOB_LEASES, until);
            lane.changed(job);
        }
    }

    /**
     * The job is no longer in flight: it gives back its places in window and groups.
     *
     * @param messageStays whether the message of a queued job is still in the queue: then it takes a place in the window until a pilot
     *     takes it, for {@code queued-timeout} at most
     */
    void land(LiveJob job, boolean messageStays) {
        Pool pool = job.pool();
        Progress p = job.task.progress;
        if (job.groups != null) {
            lane.groups.ended(job.groups, lane.now());
            job.groups = null;
        }
        lane.timers.clear(job.timer);
        lane.leaseClock.clear(job.lease, Lane.JOB_LEASES);
        switch (job.record.phase) {
            case QUEUED -> {
                pool.queued--;
                p.queued--;
                if (messageStays) {
                    pool.staleMessage(lane.now() + timeoutMillis());
                    forgetStaleMessages(pool);
                }
            }
            case STARTING -> {
                pilots.landed(job);
                pool.started--;
                p.starting--;
            }
            case RUNNING -> {
                pilots.landed(job);
                pool.started--;
                p.running--;
            }
            default -> throw new IllegalStateException("job " + job.record.uid + " is not out but " + job.record.phase);
        }
        lane.agenda.fill(pool);
        lane.changed(job.task);
    }

    /** A job no longer waits for its next attempt. */
    void stopCooling(LiveJob job) {
        lane.timers.clear(job.timer);
        job.task.progress.cooling--;
        if (job.record.phase == Phase.DUE) {
            job.task.backlog.removeRetry(job, job.record.groups, lane.now());
        }
        lane.changed(job.task);
    }

    /** A pilot has started a job that is over: its message has left the queue. */
    void staleMessageTaken(Pool pool) {
        if (pool.staleMessageTaken()) {
            lane.agenda.fill(pool);
        }
    }

    /** Stops counting messages of ended jobs whose time is over. */
    public void forgetStaleMessages(Pool pool) {
        int before = pool.out();
        long next = pool.forgetStaleMessages(lane.now());
        if (pool.out() < before) {
            lane.agenda.fill(pool);
        }
        Timer timer = pool.staleTimer;
        if (next == Long.MAX_VALUE) {
            lane.timers.clear(timer);
        } else if (!timer.isSet()) {
            lane.timers.set(timer, next);
        }
    }
}
