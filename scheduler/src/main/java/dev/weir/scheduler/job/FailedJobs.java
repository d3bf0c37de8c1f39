package dev.weir.scheduler.job;

import dev.weir.engine.UnitOfWork;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.state.Names;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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

    /** Removes the last piece and returns its uids; empty when nothing is left. */
    private List<String> takePiece(OpenTask task) {
        long pieces = CheckList.pieces(task.progress.failedListed);
        if (pieces == 0) {
            return List.of();
        }
        String key = Tables.key(task.progress.uid, pieces - 1);
        List<String> uids = work.get(Tables.FAILED, key).names();
        work.remove(Tables.FAILED, key);
        task.progress.failedListed = (pieces - 1) * Names.PIECE;
        return uids;
    }

    /** Removes the newest uids of the list, as many as asked for and no more than a piece beyond, and returns them, the oldest first. */
    public List<String> take(OpenTask task, int most) {
        Deque<List<String>> pieces = new ArrayDeque<>();
        int taken = 0;
        while (taken < most && task.progress.failedListed > 0) {
            List<String> piece = takePiece(task);
            pieces.push(piece);
            taken += piece.size();
        }
        List<String> uids = new ArrayList<>();
        pieces.forEach(uids::addAll);
        return uids;
    }
}
