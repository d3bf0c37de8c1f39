package dev.weir.scheduler.job;

import dev.weir.engine.UnitOfWork;
import dev.weir.engine.store.DamagedValue;
import dev.weir.engine.store.Table;
import dev.weir.protocol.Mode;
import dev.weir.scheduler.model.ChunkRef;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.state.Chunk;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.Names;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs that failed for good, in state alone: their records, the files of those that merge, and for each task a list of the uids of all
 * that failed at least once, for retry_failed and for the end of the task. They have tables of their own, which a start does not read.
 */
public final class FailedJobs {

    private final Lane lane;
    private final UnitOfWork work;

    public FailedJobs(Lane lane) {
        this.lane = lane;
        work = lane.work;
    }

    /** The job has failed for good. Its record stays until its dataset closes, as it may be tried again by command. */
    void add(LiveJob job) {
        JobRecord r = job.record;
        OpenTask task = job.task;
        work.put(Tables.FAILED_JOB, r.uid, r);
        if (task.spec().mode() == Mode.MERGE) {
            String key = Tables.key(r.taskUid, r.position);
            Chunk files = work.get(Tables.CHUNK, key);
            if (files != null) {
                work.put(Tables.FAILED_INPUTS, r.uid, files);
                forgetChunk(task, r.position);
            }
        }
        list(task, r.uid);
    }

    /** The files of a Merge job that did not fail for good go, with its chunk. */
    void forgetInputs(LiveJob job) {
        work.remove(Tables.FAILED_INPUTS, job.record.uid);
        forgetChunk(job.task, job.record.position);
    }

    private void forgetChunk(OpenTask task, long position) {
        work.remove(Tables.CHUNK, Tables.key(task.progress.uid, position));
        ChunkRef waiting = task.chunkAt(position);
        if (waiting != null) {
            // The job was adopted before its turn in the dataset.
            task.chunkGone(waiting);
        }
    }

    /** The files of a Merge job that is to be sent. */
    Chunk inputs(JobRecord r) {
        Chunk chunk = work.get(Tables.CHUNK, Tables.key(r.taskUid, r.position));
        return chunk != null ? chunk : work.get(Tables.FAILED_INPUTS, r.uid);
    }

    /** The record of a job that is not live; null unless it has failed for good. A damaged one is dropped: its job stays failed. */
    public JobRecord record(String jobUid) {
        JobRecord r = read(Tables.FAILED_JOB, jobUid);
        // Earlier versions have left it among the live ones.
        return r != null ? r : read(Tables.JOB, jobUid);
    }

    private JobRecord read(Table<JobRecord> table, String jobUid) {
        try {
            return work.get(table, jobUid);
        } catch (DamagedValue e) {
            lane.counters.problem("damaged value", "failed job '" + jobUid + "' stays failed: " + e.getMessage());
            work.remove(table, jobUid);
            work.remove(Tables.FAILED_INPUTS, jobUid);
            return null;
        }
    }

    /** Something of the record has changed; one that an earlier version has left among the live ones moves. */
    void put(JobRecord r) {
        work.remove(Tables.JOB, r.uid);
        work.put(Tables.FAILED_JOB, r.uid, r);
    }

    /** The job is live again; its files stay where they are. */
    void backToLive(JobRecord r) {
        work.remove(Tables.FAILED_JOB, r.uid);
    }

    /** Removes all of a job, whose record is given unless it was damaged. */
    public void forget(OpenTask task, String jobUid, JobRecord r) {
        work.remove(Tables.JOB, jobUid);
        work.remove(Tables.FAILED_JOB, jobUid);
        if (task.spec().mode() == Mode.MERGE) {
            work.remove(Tables.FAILED_INPUTS, jobUid);
            if (r != null) {
                work.remove(Tables.CHUNK, Tables.key(r.taskUid, r.position));
            }
        }
    }

    private void list(OpenTask task, String jobUid) {
        long index = task.progress.failedListed++;
        String key = Tables.key(task.progress.uid, index / Names.PIECE);
        Names tail = index % Names.PIECE == 0 ? new Names() : Pieces.tail(lane, Tables.FAILED, key);
        tail.add(jobUid);
        work.put(Tables.FAILED, key, tail);
    }

    /** Removes the oldest uids of the list, as many as asked for and no more than a piece beyond, and returns them. */
    public List<String> take(OpenTask task, int most) {
        return take(task, most, Names.pieces(task.progress.failedListed));
    }

    /** From now on {@link #takeForRetry} gives the jobs that are listed now. */
    public void beginRetry(OpenTask task) {
        Progress p = task.progress;
        p.retryTo = Names.pieces(p.failedListed);
        // What fails from now on goes to another piece.
        p.failedListed = p.retryTo * Names.PIECE;
    }

    /** As {@link #take}, but not those that were listed since {@link #beginRetry}: a job that always fails would come again and again. */
    public List<String> takeForRetry(OpenTask task, int most) {
        return take(task, most, task.progress.retryTo);
    }

    /** Whether {@link #takeForRetry} has more to give. */
    public boolean isRetrying(OpenTask task) {
        return task.progress.failedTaken < task.progress.retryTo;
    }

    private List<String> take(OpenTask task, int most, long toPiece) {
        Progress p = task.progress;
        List<String> uids = new ArrayList<>();
        while (uids.size() < most && p.failedTaken < toPiece) {
            uids.addAll(Pieces.take(lane, Tables.FAILED, Tables.key(p.uid, p.failedTaken++)));
        }
        // The rest of a piece that was taken stays free.
        p.failedListed = Math.max(p.failedListed, p.failedTaken * Names.PIECE);
        if (p.failedTaken == Names.pieces(p.failedListed)) {
            p.failedTaken = 0;
            p.failedListed = 0;
            p.retryTo = 0;
        }
        return uids;
    }
}
