package dev.weir.queues.item;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.Content;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.ItemRecord.State;

/** Items come in. What a push does depends on what its key is, and on what the push says about that. */
public final class Pushes {

    private final Lane lane;
    private final Bounds bounds;
    private final Ends ends;

    public Pushes(Lane lane, Bounds bounds, Ends ends) {
        this.lane = lane;
        this.bounds = bounds;
        this.ends = ends;
    }

    /** @param again the push may have been accepted before: it is not refused because a bound is reached */
    public QueueAnswer push(Queue queue, Push push, boolean again) {
        Item item = push.item();
        if (item.expiresAt() != null && item.expiresAt().toEpochMilli() <= lane.now()) {
            return QueueAnswer.refused(push.n(), "expires_at", "expires_at has passed: " + item.expiresAt());
        }
        Content content = Content.of(item);
        ItemRecord present = lane.item(queue, item.key());
        if (present == null || present.state == State.DEAD) {
            return create(queue, push, present, content, again);
        }
        Status status = switch (item.ifPresent()) {
            case KEEP -> keep(queue, present, content, again);
            case RAISE -> raise(queue, present, content);
            case REPLACE -> null;
        };
        return status == null ? replace(queue, push, present, content, again) : QueueAnswer.of(push.n(), status);
    }

    private QueueAnswer create(Queue queue, Push push, ItemRecord dead, Content content, boolean again) {
        String full = again ? null : bounds.full(queue, content, push.item().key(), null);
        if (full != null) {
            return QueueAnswer.of(push.n(), Status.FULL, full);
        }
        if (dead != null) {
            ends.remove(queue, dead);
        }
        ends.create(queue, push.item().key(), content);
        return QueueAnswer.of(push.n(), Status.CREATED);
    }

    /** A push that comes again may have come when the item before had gone: then it was accepted as a new one. */
    private Status keep(Queue queue, ItemRecord present, Content content, boolean again) {
        boolean isLeased = present.state == State.LEASED;
        if (present.successor == null && (present.removed || isLeased && again)) {
            succeed(queue, present, content);
            return Status.AGAIN;
        }
        if (again && !isLeased) {
            met(present);
        }
        return isLeased ? Status.LEASED : Status.WAITING;
    }

    private void met(ItemRecord present) {
        if (!present.pushedAgain) {
            present.pushedAgain = true;
            lane.write(present);
        }
    }

    /** The better priority and the earlier start of both. */
    private Status raise(Queue queue, ItemRecord present, Content content) {
        if (present.state == State.LEASED) {
            Content next = present.removed ? content : better(present.content, content);
            succeed(queue, present, present.successor == null ? next : better(present.successor, content));
            return Status.AGAIN;
        }
        met(present);
        Content raised = better(present.content, content);
        if (raised.priority() == present.content.priority() && raised.notBefore() == present.content.notBefore()) {
            return Status.WAITING;
        }
        queue.leave(present, lane.now());
        present.content = raised;
        ends.await(queue, present);
        return Status.RAISED;
    }

    private static Content better(Content of, Content other) {
        return of.with(Math.min(of.priority(), other.priority()), Math.min(of.notBefore(), other.notBefore()));
    }

    private void succeed(Queue queue, ItemRecord present, Content successor) {
        long before = present.size();
        present.successor = successor;
        queue.grown(present.size() - before);
        lane.leases.get(present.number).bytes = present.size();
        lane.write(present);
    }

    private QueueAnswer replace(Queue queue, Push push, ItemRecord present, Content content, boolean again) {
        String full = again ? null : bounds.full(queue, content, present.key, present);
        if (full != null) {
            return QueueAnswer.of(push.n(), Status.FULL, full);
        }
        if (present.state == State.LEASED) {
            Content last = present.successor;
            int best = last == null ? content.priority() : Math.min(last.priority(), content.priority());
            succeed(queue, present, content.with(best, content.notBefore()));
            return QueueAnswer.of(push.n(), Status.AGAIN);
        }
        met(present);
        queue.leave(present, lane.now());
        present.content = content;
        present.failures = 0;
        present.lost = 0;
        present.releases = 0;
        present.coolUntil = 0;
        present.error = null;
        ends.await(queue, present);
        return QueueAnswer.of(push.n(), Status.REPLACED);
    }
}
