package dev.weir.scheduler.model;

import dev.weir.engine.Entity;
import dev.weir.engine.Timer;
import dev.weir.engine.limit.GroupSet;
import dev.weir.engine.store.Store;
import dev.weir.protocol.JobStatus;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.MadeFile;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.List;

/** A job that was released and is not over, in memory. */
public final class LiveJob implements Entity {

    public final JobRecord record;
    public final OpenTask task;
    /** Wall clock: when its message may be lost, its cool-off ends, or its attempt has taken too long. */
    public final Timer timer;
    /** Lease clock. */
    public final Timer lease;
    /** Groups in which it counts as in flight; null while it is not out. */
    public GroupSet groups;
    /** The load of the pilot that has started it; null while none has. */
    public PilotLoad owner;
    /** When its attempt was sent first, and last, or when we started; milliseconds since 1970. A start counts as that of the first message. */
    public long firstSentAt;

    public long sentAt;
    /** How it ended; null while it is not over. */
    public JobStatus ended;
    /** The attempt that ended in this event without the job having finished; null when none did. */
    public EndedAttempt endedAttempt;
    /** What the mirror shows; null when it shows nothing that we know. */
    public JobStatus shownStatus;

    public int shownAttempt;
    /** What this event has registered of it; most events nothing. */
    private List<Registered> registered = List.of();
    /** Whether it ended in this event without an output. */
    public boolean lacksOutput;

    /** Neighbours in the {@link JobList} of its task. */
    LiveJob before;

    LiveJob after;
    private boolean changed;

    /** An output or a log, the id under which it was registered, and its path on the storage. */
    public record Registered(MadeFile file, String id, String path, boolean isOutput) {}

    /**
     * How an attempt ended.
     *
     * @param status Failed or Killed
     * @param logUrl null when it left none
     */
    public record EndedAttempt(JobStatus status, String logUrl) {}

    public LiveJob(JobRecord record, OpenTask task, long nowMillis) {
        this.record = record;
        this.task = task;
        firstSentAt = nowMillis;
        sentAt = nowMillis;
        timer = new Timer(TimerKind.JOB, this);
        lease = new Timer(TimerKind.JOB_LEASE, this);
    }

    /** Notes what was registered of it. */
    public void register(Registered one) {
        if (registered.isEmpty()) {
            registered = new ArrayList<>(2);
        }
        registered.add(one);
    }

    /** What was registered of it since the last call. */
    public List<Registered> takeRegistered() {
        List<Registered> taken = registered;
        registered = List.of();
        return taken;
    }

    public Pool pool() {
        return task.pool;
    }

    /** Whether a message of it is in the pool's queue or at a pilot. */
    public boolean isOut() {
        return record.phase == Phase.QUEUED || isStarted();
    }

    public boolean isStarted() {
        return record.phase == Phase.STARTING || record.phase == Phase.RUNNING;
    }

    /** As readers see it. */
    public JobStatus status() {
        if (ended != null) {
            return ended;
        }
        return switch (record.phase) {
            case QUEUED -> JobStatus.QUEUED;
            case STARTING -> JobStatus.STARTING;
            case RUNNING -> JobStatus.RUNNING;
            default -> JobStatus.COOLING;
        };
    }

    /** After a restore: what state says was shown. */
    public void assumeShown() {
        shownStatus = status();
        shownAttempt = record.attempt;
    }

    @Override
    public boolean markChanged(boolean isChanged) {
        boolean was = changed;
        changed = isChanged;
        return was;
    }

    @Override
    public void save(Store store) {
        if (ended == null) {
            store.put(Tables.JOB, record.uid, record);
        } else {
            store.remove(Tables.JOB, record.uid);
        }
    }
}
