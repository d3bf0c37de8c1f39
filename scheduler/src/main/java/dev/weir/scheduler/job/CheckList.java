package dev.weir.scheduler.job;

import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.state.Names;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.List;

/** The names of all files that were registered in a task's dataset, in pieces of state. */
public final class CheckList {

    private final Lane lane;

    public CheckList(Lane lane) {
        this.lane = lane;
    }

    void add(OpenTask task, String name) {
        String uid = task.progress.uid;
        long index = task.progress.registered++;
        boolean begins = index % Names.PIECE == 0;
        if (begins || task.checkListTail == null) {
            task.checkListKey = Tables.key(uid, index / Names.PIECE);
            task.checkListTail = begins ? new Names() : Pieces.tail(lane, Tables.CHECK_LIST, task.checkListKey);
        }
        task.checkListTail.add(name);
        lane.work.put(Tables.CHECK_LIST, task.checkListKey, task.checkListTail);
    }

    /** Removes pieces and returns their names; the last piece is excluded. */
    public List<String> take(OpenTask task, long firstPiece, long lastPiece) {
        List<String> names = new ArrayList<>();
        for (long piece = firstPiece; piece < lastPiece; piece++) {
            names.addAll(Pieces.take(lane, Tables.CHECK_LIST, Tables.key(task.progress.uid, piece)));
        }
        return names;
    }
}
