package dev.weir.simulator.queue;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item.IfPresent;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueEntry.Score;
import dev.weir.protocol.queue.ShownItem.State;

/** What a push does, by what its key is, and what facts do. */
final class NaivePushes {

    private final NaiveQueues all;

    NaivePushes(NaiveQueues all) {
        this.all = all;
    }

    /** @param again whether it may have been accepted before: bounds do not keep it out */
    Status push(Push push, boolean again) {
        NaiveQueue queue = all.queues.get(push.queue());
        if (queue == null) {
            return Status.UNKNOWN;
        }
        Wanted wanted = Wanted.of(push.item());
        if (wanted.hasExpired(all.now())) {
            return Status.REFUSED;
        }
        NaiveItem item = queue.items.get(push.item().key());
        if (!again && isOfOtherKind(queue, push.item().key(), wanted)) {
            return Status.REFUSED;
        }
        if (item == null || item.is(State.DEAD)) {
            NaiveRest rest = queue.rests.find(push.item().key());
            boolean replaces = push.item().ifPresent() == IfPresent.REPLACE;
            boolean meetsFresh = item == null && rest != null && rest.isFresh(all.now());
            return meetsFresh && !replaces && !changesRule(rest, wanted)
                    ? Status.FRESH
                    : create(queue, push.item().key(), wanted, again, false);
        }
        boolean isReplaced = item.removed || push.item().ifPresent() == IfPresent.REPLACE;
        if (!again
                && isReplaced
                && item.is(State.LEASED)
                && !wanted.item().owner().equals(item.owner())) {
            return Status.REFUSED;
        }
        boolean keeps = push.item().ifPresent() == IfPresent.KEEP && (!item.removed || item.successor != null);
        if (!keeps && !again && wanted.recurs() && !item.recurs() && !queue.rests.hasRoom()) {
            return Status.FULL;
        }
        boolean replaces = push.item().ifPresent() == IfPresent.REPLACE;
        if (replaces && !again && queue.isFull(item.key, wanted, item)) {
            return Status.FULL;
        }
        return item.is(State.LEASED) ? succeed(queue, item, wanted, again) : change(queue, item, wanted, again);
    }

    private static boolean changesRule(NaiveRest rest, Wanted wanted) {
        boolean recurs = rest.due > 0 && rest.wanted.recurs();
        return wanted.again() != null && !wanted.again().equals(recurs ? rest.wanted.again() : Again.NEVER);
    }

    /** Whether a key is there with another kind. */
    boolean isOfOtherKind(NaiveQueue queue, String key, Wanted wanted) {
        String kind = kindOf(queue, key, queue.items.get(key));
        return kind != null && !kind.equals(wanted.item().kind());
    }

    /** The kind of what is there of a key; null when nothing is. */
    private String kindOf(NaiveQueue queue, String key, NaiveItem item) {
        if (item != null && item.successor != null) {
            return item.successor.item().kind();
        } else if (item != null && !item.removed) {
            return item.kind();
        }
        NaiveRest rest = queue.rests.find(key);
        return rest == null || !rest.hasFuture(all.now())
                ? null
                : rest.wanted.item().kind();
    }

    /** A key that has no item, or a dead one, gets one. It keeps its rule, unless the push has another, and its grace. */
    Status create(NaiveQueue queue, String key, Wanted wanted, boolean again, boolean asked) {
        NaiveRest rest = queue.rests.find(key);
        Wanted next = wanted;
        if (rest != null) {
            next = wanted.again() == null && rest.due > 0 ? wanted.by(rest.wanted.again()) : wanted;
            next = next.notBefore(Math.max(next.notBefore(), rest.graceUntil));
        }
        boolean hasNoPlaceToRest = next.recurs() && rest == null && !queue.rests.hasRoom();
        if (!again && (hasNoPlaceToRest || queue.isFull(key, asked ? next.priority(1) : next, null))) {
            return Status.FULL;
        }
        all.create(queue, key, next, rest, asked);
        return Status.CREATED;
    }

    /** A push meets a leased item: it runs once more. */
    private static Status succeed(NaiveQueue queue, NaiveItem item, Wanted wanted, boolean again) {
        Wanted last = item.successor;
        Wanted first = item.removed ? wanted : item.wanted.followedBy(wanted);
        boolean succeeds = last == null && (item.removed || wanted.item().ifPresent() == IfPresent.RAISE);
        boolean isBounded = !again && wanted.item().ifPresent() != IfPresent.REPLACE;
        if (succeeds && isBounded && queue.hasNoRoomFor(first.size(), first)) {
            return Status.FULL;
        }
        Again rule = last != null ? last.again() : item.removed ? null : item.wanted.again();
        Wanted ruled = wanted.again() == null ? wanted.by(rule) : wanted;
        switch (wanted.item().ifPresent()) {
            case KEEP -> {
                if (last != null || !item.removed && !again) {
                    return Status.LEASED;
                }
                item.successor = ruled;
            }
            case RAISE -> item.successor = last != null ? last.shared(wanted) : first;
            case REPLACE ->
                item.successor = last == null ? ruled : ruled.priority(Math.min(last.priority(), wanted.priority()));
        }
        return Status.AGAIN;
    }

    private Status change(NaiveQueue queue, NaiveItem item, Wanted wanted, boolean again) {
        item.pushedAgain |= again || wanted.item().ifPresent() != IfPresent.KEEP;
        if (wanted.item().ifPresent() == IfPresent.REPLACE) {
            Wanted next = wanted.again() == null ? wanted.by(item.wanted.again()) : wanted;
            item.take(next.notBefore(Math.max(next.notBefore(), grace(queue, item))));
            item.failures = 0;
            item.lost = 0;
            item.releases = 0;
            item.coolUntil = 0;
            all.await(queue, item);
            return Status.REPLACED;
        }
        Wanted raised = item.wanted.raised(wanted);
        if (raised.notBefore() < item.wanted.notBefore()) {
            long earliest = Math.max(raised.notBefore(), grace(queue, item));
            raised = raised.notBefore(Math.min(item.wanted.notBefore(), earliest));
        }
        if (wanted.item().ifPresent() == IfPresent.KEEP || raised.equals(item.wanted)) {
            return Status.WAITING;
        }
        item.startsAt(raised.notBefore());
        item.take(raised);
        all.await(queue, item);
        return Status.RAISED;
    }

    private static long grace(NaiveQueue queue, NaiveItem item) {
        NaiveRest rest = queue.rests.find(item.key);
        return rest == null ? 0 : rest.graceUntil;
    }

    /** Facts of a key or of an owner come. */
    Status score(Score score) {
        NaiveQueue queue = all.queues.get(score.queue());
        if (score.owner() != null) {
            queue.learn(score.owner(), score.facts());
            queue.misranked().forEach(item -> all.await(queue, item));
            return Status.OK;
        }
        NaiveItem item = queue.items.get(score.key());
        NaiveRest rest = queue.rests.find(score.key());
        if (rest != null) {
            rest.wanted = rest.wanted.knowing(score.facts());
        }
        if (item != null) {
            item.wanted = item.wanted.knowing(score.facts());
            item.successor = item.successor == null ? null : item.successor.knowing(score.facts());
            if (item.is(State.WAITING) || item.is(State.LATER)) {
                all.await(queue, item);
            }
        }
        return item == null && rest == null ? Status.UNKNOWN : Status.OK;
    }
}
