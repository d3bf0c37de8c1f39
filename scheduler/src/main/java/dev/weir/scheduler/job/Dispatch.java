package dev.weir.scheduler.job;

import dev.weir.protocol.Job;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.backlog.Backlog;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.model.WaitingFiles;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.WaitingFile;
import java.util.List;

/** Jobs go out: while a pool's window has room, the task whose turn it is gives one. */
public final class Dispatch {

    /** Characters that the inputs of Merge jobs sent in one event may have together. A job may have a million, and all are in memory until the event is over. */
    private static final long MOST_INPUTS = 16 << 20;

    private static final long SHORT_PAUSE_MILLIS = 1_000;

    private final Lane lane;
    private final WaitingFiles files;
    private final InFlight inFlight;
    private final TaskRank ranks;
    private final JobMessages messages;
    /** The last event that has sent something, and the characters of the inputs. */
    private long event;

    private long inputs;

    public Dispatch(Lane lane, WaitingFiles files, InFlight inFlight, TaskRank ranks, FailedJobs failedJobs) {
        this.lane = lane;
        this.files = files;
        this.inFlight = inFlight;
        this.ranks = ranks;
        messages = new JobMessages(lane, failedJobs);
    }

    /** Fills the window of a pool as far as its tasks have something to start, in steps of a thousand jobs. */
    public void fill(Pool pool) {
        if (lane.isCatchingUp()) {
            lane.fillAt(pool, lane.catchesUpUntil());
            return;
        }
        if (!pool.startsRetries()) {
            return;
        }
        for (int room = pool.room(); room > 0; ) {
            OpenTask task = (OpenTask) pool.policy.next();
            if (task == null) {
                return;
            }
            if (isOvertaken(pool)) {
                lane.agenda.fill(pool);
                return;
            }
            if (hasSentMuch() || !pool.dispatches.take(lane.agenda.event())) {
                lane.fillAt(pool, lane.now());
                return;
            }
            lane.suspect = task;
            if (task.backlog.next(task.startsFresh(), lane.dice, lane.now(), task)) {
                release(task);
                room--;
            } else {
                task.readinessChanged();
            }
            lane.suspect = null;
        }
    }

    /** Whether another strict pool has a task of higher rank, so that it gives next. */
    private boolean isOvertaken(Pool pool) {
        if (pool.strict) {
            for (Pool other : lane.pools.values()) {
                if (other.isToFill() && other.strict && other.goesBefore(pool)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Sends what the task's backlog has chosen. */
    private void release(OpenTask task) {
        Backlog backlog = task.backlog;
        LiveJob retry = (LiveJob) backlog.retry();
        if (retry == null) {
            fresh(task, backlog.position());
        } else {
            again(task, retry);
        }
    }

    private void fresh(OpenTask task, long chosen) {
        List<String> keys = task.backlog.groupKeys();
        long position = chosen == Backlog.AT_CURSOR ? files.advance(task) : chosen;
        LiveJob job = begin(task, position, keys);
        job.groups = task.backlog.groups();
        files.released(task, position);
        long lastReleasedAt = task.progress.lastReleasedAt;
        task.progress.lastReleasedAt = lane.now();
        send(job);
        ranks.released(task, lastReleasedAt);
        task.freshReleased();
    }

    /** A job for a file that was never released. */
    LiveJob begin(OpenTask task, long position, List<String> groupKeys) {
        Progress p = task.progress;
        WaitingFile file = files.file(task, position);
        JobRecord r = new JobRecord();
        r.inputUrl = file.url();
        r.uid = Hash.jobUid(p.uid, position, r.inputUrl);
        r.taskUid = p.uid;
        r.position = position;
        r.attempt = 1;
        r.pool = task.pool.name;
        r.inputSize = file.size();
        r.inputChecksum = file.checksum();
        r.groups = groupKeys;
        LiveJob job = new LiveJob(r, task, lane.now());
        lane.jobs.put(r.uid, job);
        task.begun(job);
        p.released++;
        lane.changed(task);
        return job;
    }

    private void again(OpenTask task, LiveJob job) {
        JobRecord r = job.record;
        r.attempt++;
        r.pilot = null;
        r.order = JobRecord.Order.NONE;
        r.resends = 0;
        job.groups = task.backlog.groups();
        task.progress.cooling--;
        task.progress.chunkRetries++;
        send(job);
    }

    private void send(LiveJob job) {
        job.record.startedAt = 0;
        job.firstSentAt = lane.now();
        inFlight.queue(job);
        emit(job);
    }

    private void emit(LiveJob job) {
        job.sentAt = lane.now();
        Job message = messages.of(job);
        inputs = event == lane.agenda.event() ? inputs : 0;
        event = lane.agenda.event();
        for (String url : message.fileInUrls()) {
            inputs += url.length();
        }
        lane.effects.add(new Effect.SendJob(job.pool().name, message));
    }

    private boolean hasSentMuch() {
        return event == lane.agenda.event() && inputs >= MOST_INPUTS;
    }

    /** A job's timer is due: its message may be lost, or it has cooled off. */
    public void due(LiveJob job) {
        Phase phase = job.record.phase;
        if (phase == Phase.QUEUED) {
            if (hasSentMuch()) {
                lane.timers.set(job.timer, lane.now() + SHORT_PAUSE_MILLIS);
            } else if (inFlight.isToBeResent(job)) {
                emit(job);
            }
        } else if (phase == Phase.COOLING) {
            job.record.phase = Phase.DUE;
            lane.changed(job);
            lane.changed(job.task);
            job.task.backlog.addRetry(job, job.record.groups);
            lane.agenda.fill(job.pool());
        } else {
            throw new IllegalStateException("job " + job.record.uid + " has a timer while " + phase);
        }
    }
}
