package dev.weir.scheduler.job;

import dev.weir.scheduler.engine.UnitOfWork;
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
    public List<String> takePiece(OpenTask task) {
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

    /** Removes the whole list and returns its uids, the oldest first. */
    public List<String> takeAll(OpenTask task) {
        Deque<List<String>> pieces = new ArrayDeque<>();
        for (List<String> piece = takePiece(task); !piece.isEmpty(); piece = takePiece(task)) {
            pieces.push(piece);
        }
        List<String> uids = new ArrayList<>();
        pieces.forEach(uids::addAll);
        return uids;
    }
}
