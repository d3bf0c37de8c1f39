package dev.weir.scheduler.job;

import dev.weir.engine.UnitOfWork;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.state.Names;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.List;

/** The uids of a task's jobs that failed for good at least once, in pieces of state: for retry_failed and for the end of the task. */
public final class FailedJobs {

    private final UnitOfWork work;

    public FailedJobs(Lane lane) {
        work = lane.work;
    }

    void add(OpenTask task, String jobUid) {
        long index = task.progress.failedListed++;
        String key = Tables.key(task.progress.uid, index / Names.PIECE);
        Names tail = index % Names.PIECE == 0 ? new Names() : work.get(Tables.FAILED, key);
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
            String key = Tables.key(p.uid, p.failedTaken++);
            uids.addAll(work.get(Tables.FAILED, key).names());
            work.remove(Tables.FAILED, key);
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
