package dev.weir.queues.item;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.Item.IfPresent;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Answer;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.Content;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.ItemRecord.State;
import dev.weir.queues.state.RestRecord;
import java.util.Objects;

/** Items come in. What a push does depends on what its key is, and on what the push says about that. */
public final class Pushes {

    private final Lane lane;
    private final Bounds bounds;
    private final Rests rests;
    private final Ends ends;

    public Pushes(Lane lane, Bounds bounds, Rests rests, Ends ends) {
        this.lane = lane;
        this.bounds = bounds;
        this.rests = rests;
        this.ends = ends;
    }

    /** @param again the push may have been accepted before: it is not refused because a bound is reached */
    public QueueAnswer push(Queue queue, Push push, boolean again) {
        Item item = push.item();
        if (hasExpired(item)) {
            return QueueAnswer.refused(push.n(), "expires_at", "expires_at has passed: " + item.expiresAt());
        }
        Content content = Content.of(item);
        ItemRecord present = ends.present(queue, item.key());
        boolean isAtWork = present != null && present.state != State.DEAD;
        RestRecord rest = isAtWork && !present.removed ? null : rests.find(queue, item.key());
        String kind = kindOf(present, rest);
        if (!again && kind != null && !kind.equals(content.kind())) {
            return ofOtherKind(push.n());
        }
        if (!isAtWork) {
            return create(queue, push, present, rest, content, again);
        }
        if (!again && bringsOtherOwner(push, present)) {
            return QueueAnswer.refused(
                    push.n(), "owner", "a worker has the key for another owner: push it again when that has ended");
        }
        String full = again ? null : fullPresent(queue, push, present, content);
        if (full != null) {
            return QueueAnswer.of(push.n(), Status.FULL, full);
        }
        Content kept = content.again() == null ? content.again(ruleOf(present)) : content;
        Status status = switch (item.ifPresent()) {
            case KEEP -> keep(queue, present, kept, again);
            case RAISE -> raise(queue, present, content);
            case REPLACE -> null;
        };
        return status == null ? replace(queue, push, present, kept, again) : QueueAnswer.of(push.n(), status);
    }

    /** The rule of a key that waits or is leased: that of what runs last; null for none. */
    private static Again ruleOf(ItemRecord present) {
        if (present.successor != null) {
            return present.successor.again();
        }
        return present.removed ? null : present.content.again();
    }

    /** An owner with a bound would otherwise get more successors than it may have items. */
    private static boolean bringsOtherOwner(Push push, ItemRecord present) {
        boolean bringsOwner = present.removed || push.item().ifPresent() == IfPresent.REPLACE;
        return present.state == State.LEASED
                && bringsOwner
                && !push.item().owner().equals(present.content.owner());
    }

    private static QueueAnswer ofOtherKind(long n) {
        return QueueAnswer.refused(
                n, "kind", "the key is there with another kind: remove it first, or use another key");
    }

    /** A key has one kind as long as anything of it is there: who may push some kinds only changes no others. Null when nothing is there. */
    private String kindOf(ItemRecord present, RestRecord rest) {
        if (present != null && present.successor != null) {
            return present.successor.kind();
        } else if (present != null && !present.removed) {
            return present.content.kind();
        }
        return rest == null || rest.due == 0 && rest.endsAt() <= lane.now() ? null : rest.content.kind();
    }

    private boolean hasExpired(Item item) {
        return item.expiresAt() != null && item.expiresAt().toEpochMilli() <= lane.now();
    }

    /** Why there is no room for what a push adds to a key that is there; null when there is. */
    private String fullPresent(Queue queue, Push push, ItemRecord present, Content content) {
        // Of a removed key it keeps nothing.
        boolean keeps = push.item().ifPresent() == IfPresent.KEEP && !(present.removed && present.successor == null);
        if (!keeps && content.recurs() && !present.recurs() && !Rests.hasRoom(queue)) {
            return Bounds.resting(queue);
        }
        boolean succeeds = present.state == State.LEASED && present.successor == null && !keeps;
        if (push.item().ifPresent() == IfPresent.REPLACE || !succeeds) {
            return null;
        }
        Content next = present.removed ? content : after(present.content, content);
        return Bounds.bytes(queue, next.ranked(next.given()), next.size());
    }

    private QueueAnswer create(
            Queue queue, Push push, ItemRecord dead, RestRecord rest, Content content, boolean again) {
        String key = push.item().key();
        if (dead == null
                && rest != null
                && rest.isFresh(lane.now())
                && push.item().ifPresent() != IfPresent.REPLACE
                && !changesRule(content, rest)) {
            return QueueAnswer.of(push.n(), Status.FRESH);
        }
        Content next = continued(content, rest);
        String full = again ? null : full(queue, next, key, dead, rest);
        if (full != null) {
            return QueueAnswer.of(push.n(), Status.FULL, full);
        }
        create(queue, key, dead, next, rest, false);
        return QueueAnswer.of(push.n(), Status.CREATED);
    }

    private static boolean changesRule(Content content, RestRecord rest) {
        boolean recurs = rest.due > 0 && rest.content.recurs();
        return content.again() != null && !content.again().equals(recurs ? rest.content.again() : Again.NEVER);
    }

    private String full(Queue queue, Content content, String key, ItemRecord dead, RestRecord rest) {
        return content.recurs() && rest == null && !Rests.hasRoom(queue)
                ? Bounds.resting(queue)
                : bounds.full(queue, content, key, dead);
    }

    /** A key keeps its rule unless the push has one, and its grace. */
    private static Content continued(Content content, RestRecord rest) {
        if (rest == null) {
            return content;
        }
        Content ruled = content.again() == null && rest.due > 0 ? content.again(rest.content.again()) : content;
        return ruled.notBefore(Math.max(ruled.notBefore(), rest.graceUntil));
    }

    private void create(
            Queue queue, String key, ItemRecord dead, Content content, RestRecord rest, boolean isAskedFor) {
        if (dead != null) {
            ends.remove(queue, dead);
        }
        ends.create(queue, key, content, rest, isAskedFor);
    }

    /**
     * Makes an item of a key that has none, or a dead one, because somebody asks for its result.
     *
     * @param waits whether a client waits for it
     * @return why not; null when it was made
     */
    QueueAnswer askedFor(Queue queue, Answer ask, ItemRecord dead, boolean waits) {
        String key = ask.item().key();
        if (hasExpired(ask.item())) {
            return QueueAnswer.refused(
                    ask.n(),
                    "expires_at",
                    "expires_at has passed: " + ask.item().expiresAt());
        }
        RestRecord rest = rests.find(queue, key);
        String kind = kindOf(dead, rest);
        if (kind != null && !kind.equals(ask.item().kind())) {
            return ofOtherKind(ask.n());
        }
        Content content = continued(Content.of(ask.item()), rest);
        String full = full(queue, waits ? content.ranked(1) : content, key, dead, rest);
        if (full != null) {
            return QueueAnswer.of(ask.n(), Status.FULL, full);
        }
        create(queue, key, dead, content, rest, waits);
        return null;
    }

    /**
     * Gives a key that was removed while a worker has it a successor, because somebody asks for its result.
     *
     * @return why not; null when it has one
     */
    QueueAnswer askedAgain(Queue queue, Answer ask) {
        QueueAnswer pushed = push(queue, new Push(ask.n(), queue.name(), ask.item()), false);
        return pushed.status() == Status.AGAIN ? null : pushed;
    }

    /** A push that comes again may have come when the item before had gone: then it was accepted as a new one. */
    private Status keep(Queue queue, ItemRecord present, Content content, boolean again) {
        boolean isLeased = present.state == State.LEASED;
        if (present.successor == null && (present.removed || isLeased && again)) {
            ends.succeed(queue, present, content);
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

    /** The better priority and the earlier start of both, and the rule of the new one if it has one. */
    private Status raise(Queue queue, ItemRecord present, Content content) {
        if (present.state == State.LEASED) {
            Content next = present.removed ? content : after(present.content, content);
            ends.succeed(queue, present, present.successor == null ? next : shared(present.successor, content));
            return Status.AGAIN;
        }
        met(present);
        Content raised = better(present.content, content);
        if (raised.notBefore() < present.content.notBefore()) {
            long grace = rests.graceUntil(queue, present.key);
            raised = raised.notBefore(Math.min(present.content.notBefore(), Math.max(raised.notBefore(), grace)));
        }
        if (raised.equals(present.content)) {
            return Status.WAITING;
        }
        queue.leave(present, lane.now());
        if (raised.notBefore() < present.content.notBefore()) {
            Ends.startsEarlier(present);
        }
        take(present, raised);
        ends.await(queue, present);
        return Status.RAISED;
    }

    /** Of an item that waits. Another rule begins with it. */
    private static void take(ItemRecord present, Content content) {
        if (!Objects.equals(content.again(), present.content.again())) {
            present.base = 0;
            present.pauseS = 0;
            present.digest = null;
        }
        present.content = content;
    }

    /** What runs after a leased item: like it, but when the push says. */
    private static Content after(Content leased, Content content) {
        return better(leased, content).notBefore(content.notBefore()).expiresAt(content.expiresAt());
    }

    /** The one run that two pushes were promised: until the later end of both. */
    private static Content shared(Content successor, Content content) {
        boolean mayExpire = successor.expiresAt() > 0 && content.expiresAt() > 0;
        return better(successor, content)
                .expiresAt(mayExpire ? Math.max(successor.expiresAt(), content.expiresAt()) : 0);
    }

    private static Content better(Content of, Content other) {
        return of.given(Math.min(of.given(), other.given()))
                .ranked(of.priority())
                .notBefore(Math.min(of.notBefore(), other.notBefore()))
                .again(other.again());
    }

    private QueueAnswer replace(Queue queue, Push push, ItemRecord present, Content content, boolean again) {
        String full = again ? null : bounds.full(queue, content, present.key, present);
        if (full != null) {
            return QueueAnswer.of(push.n(), Status.FULL, full);
        }
        if (present.state == State.LEASED) {
            Content last = present.successor;
            int best = last == null ? content.given() : Math.min(last.given(), content.given());
            ends.succeed(queue, present, content.given(best));
            return QueueAnswer.of(push.n(), Status.AGAIN);
        }
        met(present);
        queue.leave(present, lane.now());
        take(present, content.notBefore(Math.max(content.notBefore(), rests.graceUntil(queue, present.key))));
        present.failures = 0;
        present.lost = 0;
        present.releases = 0;
        present.coolUntil = 0;
        present.error = null;
        ends.await(queue, present);
        return QueueAnswer.of(push.n(), Status.REPLACED);
    }
}
