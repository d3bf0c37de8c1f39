package dev.weir.queues.item;

import dev.weir.protocol.queue.LastAnswer;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Answer;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.RestRecord;

/** What those hear who ask for the last result of a key. */
public final class Replies {

    private final Lane lane;
    private final Rests rests;

    public Replies(Lane lane, Rests rests) {
        this.lane = lane;
        this.rests = rests;
    }

    /** The kept result, if it is fresh and not too old for who asks; null otherwise. */
    QueueAnswer fresh(Queue queue, Answer ask, RestRecord rest) {
        if (rest == null || !rest.isFresh(lane.now()) || !isYoungEnough(ask, rest)) {
            return null;
        }
        hit(queue);
        if (ask.start()) {
            rests.asked(queue, rest);
        }
        return QueueAnswer.answered(ask.n(), Status.FRESH, answer(rest));
    }

    /** A stale result, if there is one that may be given; or what else there is to say. */
    QueueAnswer otherwise(Queue queue, Answer ask, Status status, String reason) {
        RestRecord rest = rests.find(queue, ask.item().key());
        boolean isKept = rest != null && rest.result != null && lane.now() < rest.staleUntil;
        if (isKept
                && isYoungEnough(ask, rest)
                && (ask.staleMs() == null || lane.now() - rest.freshUntil <= ask.staleMs())) {
            hit(queue);
            return QueueAnswer.answered(ask.n(), Status.OLD, answer(rest));
        }
        return QueueAnswer.of(ask.n(), status, reason);
    }

    private boolean isYoungEnough(Answer ask, RestRecord rest) {
        long age = lane.now() - rest.answeredAt;
        return ask.maxAgeMs() == null || age >= 0 && age <= ask.maxAgeMs();
    }

    private void hit(Queue queue) {
        queue.record.hits++;
        lane.changed(queue);
    }

    /** To one who has waited for the end of an item. Of one that was removed: its key may have another item by now. */
    QueueAnswer ended(Queue queue, Answer ask, ShownItem item) {
        RestRecord rest = rests.find(queue, item.key());
        return switch (item.state()) {
            case FINISHED ->
                QueueAnswer.answered(
                        ask.n(),
                        Status.FRESH,
                        rest == null || rest.result == null ? justMade(item.result()) : answer(rest));
            case DEAD -> otherwise(queue, ask, Status.FAILED, item.error());
            default -> QueueAnswer.of(ask.n(), Status.PENDING);
        };
    }

    private static LastAnswer justMade(Payload result) {
        return new LastAnswer(result, 0, 0, 0);
    }

    /** The kept result as readers see it. */
    LastAnswer answer(RestRecord rest) {
        long now = lane.now();
        return new LastAnswer(
                rest.result,
                Math.max(0, now - rest.answeredAt),
                Math.max(0, rest.freshUntil - now),
                Math.max(0, rest.staleUntil - Math.max(now, rest.freshUntil)));
    }
}
