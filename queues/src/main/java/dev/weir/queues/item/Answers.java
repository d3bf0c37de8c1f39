package dev.weir.queues.item;

import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Answer;
import dev.weir.queues.model.Ask;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.ItemRecord.State;

/** Who asks gets the last result of a key, or waits for the item that is made for all who ask. */
public final class Answers {

    private final Lane lane;
    private final Rests rests;
    private final Replies replies;
    private final Pushes pushes;
    private final Ends ends;

    public Answers(Lane lane, Rests rests, Replies replies, Pushes pushes, Ends ends) {
        this.lane = lane;
        this.rests = rests;
        this.replies = replies;
        this.pushes = pushes;
        this.ends = ends;
    }

    /** Null: the answer comes later. */
    public QueueAnswer answer(String gateway, Queue queue, Answer ask) {
        String key = ask.item().key();
        QueueAnswer fresh = replies.fresh(queue, ask, rests.find(queue, key));
        if (fresh != null) {
            return fresh;
        }
        ItemRecord item = ends.present(queue, key);
        boolean isDead = item != null && item.state == State.DEAD;
        if (isDead && rests.isRecentFailure(queue, item)) {
            return replies.otherwise(queue, ask, Status.FAILED, item.error);
        }
        boolean waits = ask.waitMs() > 0 && lane.asks < lane.options.maxAsks();
        // What a worker still has of a removed key brings nobody a result.
        boolean isGone = item != null && item.removed && item.successor == null;
        if (item != null && !isDead && !isGone) {
            if (waits && ask.start()) {
                ends.somebodyAsks(queue, item);
            }
        } else if (ask.start()) {
            QueueAnswer refused = isGone ? pushes.askedAgain(queue, ask) : pushes.askedFor(queue, ask, item, waits);
            if (refused != null) {
                return replies.otherwise(queue, ask, refused.status(), refused.reason());
            }
            item = lane.item(queue, key);
        } else {
            return replies.otherwise(
                    queue, ask, Status.UNKNOWN, "queue " + queue.name() + " has no answer of such a key");
        }
        if (!waits) {
            return replies.otherwise(queue, ask, Status.PENDING, null);
        }
        lane.await(Ask.ofEnd(gateway, ask, queue, item.number), ask.waitMs());
        return null;
    }

    /** The wait for an answer is over. */
    public void giveUp(Ask ask) {
        lane.stopWaiting(ask);
        ItemRecord item = lane.item(ask.queue, ask.number);
        if (item != null && item.asked && !lane.isAskedFor(item.number)) {
            ends.nobodyAsks(ask.queue, item);
        }
        Answer answer = (Answer) ask.entry;
        lane.answer(ask.gateway, replies.otherwise(ask.queue, answer, Status.PENDING, null));
    }
}
