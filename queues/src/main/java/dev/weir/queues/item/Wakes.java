package dev.weir.queues.item;

import dev.weir.protocol.queue.QueueSettings.Refresh;
import dev.weir.queues.model.DueList;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.Content;
import dev.weir.queues.state.DueRecord;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.RestRecord;
import dev.weir.queues.state.Tables;

/** Keys that rest become items when they are due. */
public final class Wakes {

    private static final long PUT_OFF_MILLIS = 60_000;

    private final Lane lane;
    private final Bounds bounds;
    private final Rests rests;
    private final Ends ends;

    public Wakes(Lane lane, Bounds bounds, Rests rests, Ends ends) {
        this.lane = lane;
        this.bounds = bounds;
        this.rests = rests;
        this.ends = ends;
    }

    /** Looks at entries of due lists whose time has come, so many at most. Returns at how many. */
    public int due(Queue queue, int most) {
        int looked = 0;
        for (; looked < most && queue.duesAt() <= lane.now(); looked++) {
            DueList list = queue.firstDueList();
            DueRecord due = entry(queue, list);
            if (list.isOfDay()) {
                rests.list(queue, due.key(), due.at());
            } else if (!wake(queue, due)) {
                queue.blockDues(lane.now() + PUT_OFF_MILLIS);
                break;
            }
            drop(queue, list);
        }
        lane.watch(queue);
        return looked;
    }

    private DueRecord entry(Queue queue, DueList list) {
        return lane.work.get(Tables.DUE, Tables.key(queue.name(), list.entry(list.first)));
    }

    /** The first entry of a list goes, and the list with the last one. */
    private void drop(Queue queue, DueList list) {
        lane.work.remove(Tables.DUE, Tables.key(queue.name(), list.entry(list.first)));
        list.first++;
        if (list.first == list.next) {
            queue.remove(list);
        }
        lane.changed(queue, list);
    }

    /** False when the queue is full. */
    private boolean wake(Queue queue, DueRecord due) {
        RestRecord rest = rests.known(queue, due.key());
        if (rest == null) {
            return true;
        }
        if (rest.due == due.at() && !run(queue, rest)) {
            return false;
        }
        rests.read(queue, rest, due);
        return true;
    }

    private boolean run(Queue queue, RestRecord rest) {
        Content content = rest.content;
        ItemRecord present = lane.item(queue, rest.key);
        boolean isAtWork = present != null && present.state != ItemRecord.State.DEAD;
        if (isAtWork || rest.refresh && queue.settings().refresh() == Refresh.NEVER) {
            rests.working(queue, rest);
            return true;
        }
        if (bounds.ofQueue(queue, content, rest.key, present) != null) {
            return false;
        }
        // A bound of its owner keeps out pushes only: a date that waits for it would come after all that follow.
        if (bounds.ofOwners(queue, content) != null) {
            rests.schedule(queue, rest, lane.now() + PUT_OFF_MILLIS);
            rests.save(queue, rest);
            return true;
        }
        if (present != null) {
            ends.remove(queue, present);
        }
        ends.create(queue, rest.key, content.notBefore(rest.due > lane.now() ? rest.due : 0), rest, false);
        return true;
    }

    /** Of a queue that is deleted: removes what rests, so many entries at most. Returns whether all are gone. */
    public boolean clear(Queue queue, int most) {
        for (int left = most; left > 0 && queue.firstDueList() != null; left--) {
            DueList list = queue.firstDueList();
            RestRecord rest = rests.known(queue, entry(queue, list).key());
            if (rest != null) {
                rests.forget(queue, rest);
            }
            drop(queue, list);
        }
        return queue.firstDueList() == null;
    }
}
