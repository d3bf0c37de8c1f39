package dev.weir.simulator.queue;

import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Answer;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.ShownItem.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What those must hear who ask for the last result of a key. */
final class NaiveAnswers {

    private record Waiting(Answer ask, NaiveQueue queue, NaiveItem item) {}

    /** @param result null for none */
    record Expected(Status status, Payload result) {
        boolean is(QueueAnswer answer) {
            Payload given = answer.answer() == null ? null : answer.answer().result();
            return status == answer.status() && (result == null ? given == null : result.equals(given));
        }
    }

    private final NaiveQueues all;
    /** By number of the entry. */
    private final Map<Long, Waiting> waiting = new HashMap<>();
    /** What those must hear whose item has ended. */
    private final Map<Long, Expected> ended = new HashMap<>();

    NaiveAnswers(NaiveQueues all) {
        this.all = all;
    }

    /** Who waits hears nothing any more. */
    void forget() {
        waiting.clear();
        ended.clear();
    }

    boolean areAllToldOf() {
        return ended.isEmpty();
    }

    /** Null: it waits for an item. */
    Expected ask(Answer ask, boolean mayWait) {
        NaiveQueue queue = all.queues.get(ask.queue());
        String key = ask.item().key();
        NaiveRest rest = queue.rests.find(key);
        if (rest != null && rest.isFresh(all.now()) && isYoungEnough(ask, rest)) {
            queue.hits++;
            if (ask.start()) {
                queue.rests.asked(rest, all.now());
            }
            return new Expected(Status.FRESH, rest.result);
        }
        NaiveItem item = queue.items.get(key);
        boolean isDead = item != null && item.is(State.DEAD);
        if (isDead && item.hasFailedSince(all.now() - queue.settings.recheckS() * 1_000L, all.now())) {
            return otherwise(queue, ask, Status.FAILED);
        }
        boolean isGone = item != null && item.removed && item.successor == null;
        if (item != null && !isDead && !isGone) {
            if (mayWait && ask.start()) {
                isAskedFor(queue, item);
            }
        } else if (!ask.start()) {
            return otherwise(queue, ask, Status.UNKNOWN);
        } else if (isGone) {
            Status status = all.pushes.push(new Push(ask.n(), ask.queue(), ask.item()), false);
            if (status != Status.AGAIN) {
                return otherwise(queue, ask, status);
            }
        } else {
            Wanted wanted = Wanted.of(ask.item());
            boolean isExpired = wanted.hasExpired(all.now());
            boolean isRefused = isExpired || all.pushes.isOfOtherKind(queue, key, wanted);
            Status status = isRefused ? Status.REFUSED : all.pushes.create(queue, key, wanted, false, mayWait);
            if (status != Status.CREATED) {
                return otherwise(queue, ask, status);
            }
            item = queue.items.get(key);
        }
        if (!mayWait) {
            return otherwise(queue, ask, Status.PENDING);
        }
        waiting.put(ask.n(), new Waiting(ask, queue, item));
        return null;
    }

    /** It has priority 1 from now on, and nothing puts it off but a grace and a failure. */
    private void isAskedFor(NaiveQueue queue, NaiveItem item) {
        boolean was = item.asked;
        item.asked = true;
        if (item.is(State.LEASED)) {
            return;
        }
        NaiveRest rest = queue.rests.find(item.key);
        long grace = rest == null ? 0 : rest.graceUntil;
        Wanted wanted = item.wanted.notBefore(Math.min(item.wanted.notBefore(), grace));
        if (!was || !wanted.equals(item.wanted)) {
            item.startsAt(wanted.notBefore());
            item.wanted = wanted;
            all.await(queue, item);
        }
    }

    /** A stale answer if one may be given, otherwise this status. */
    private Expected otherwise(NaiveQueue queue, Answer ask, Status status) {
        Expected expected = without(queue, ask, status);
        queue.hits += expected.status() == Status.OLD ? 1 : 0;
        return expected;
    }

    private Expected without(NaiveQueue queue, Answer ask, Status status) {
        NaiveRest rest = queue.rests.find(ask.item().key());
        boolean isGiven = rest != null
                && rest.isKept(all.now())
                && isYoungEnough(ask, rest)
                && (ask.staleMs() == null || all.now() - rest.freshUntil <= ask.staleMs());
        return isGiven ? new Expected(Status.OLD, rest.result) : new Expected(status, null);
    }

    private boolean isYoungEnough(Answer ask, NaiveRest rest) {
        long age = all.now() - rest.answeredAt;
        return ask.maxAgeMs() == null || age >= 0 && age <= ask.maxAgeMs();
    }

    /** An item has finished; what is kept of its key is up to date. */
    void finished(NaiveQueue queue, NaiveItem item, Payload result) {
        NaiveRest rest = queue.rests.find(item.key);
        Payload kept = rest == null ? null : rest.result;
        Payload own = result == null ? Payload.NONE : result;
        tell(item, waits -> new Expected(Status.FRESH, kept == null ? own : kept));
    }

    void died(NaiveItem item) {
        tell(item, waits -> otherwise(waits.queue(), waits.ask(), Status.FAILED));
    }

    void removed(NaiveItem item) {
        tell(item, waits -> new Expected(Status.PENDING, null));
    }

    private void tell(NaiveItem item, Function<Waiting, Expected> what) {
        for (Waiting waits : List.copyOf(waiting.values())) {
            if (waits.item() == item) {
                waiting.remove(waits.ask().n());
                ended.put(waits.ask().n(), what.apply(waits));
            }
        }
    }

    /** What one must hear whose item has ended; null while it has not. */
    Expected ofEnd(long n) {
        return ended.remove(n);
    }

    /** The wait of one is over before the item has ended. */
    Expected giveUp(long n) {
        Waiting over = waiting.remove(n);
        NaiveItem item = over.item();
        if (item.asked && !isAskedFor(item) && (item.is(State.WAITING) || item.is(State.LATER))) {
            item.asked = false;
            all.await(over.queue(), item);
        }
        return otherwise(over.queue(), over.ask(), Status.PENDING);
    }

    /** Who only looks does not count. */
    boolean isAskedFor(NaiveItem item) {
        return waiting.values().stream()
                .anyMatch(other -> other.item() == item && other.ask().start());
    }

    /** The same when its item was removed meanwhile: either may have been first. */
    boolean mayBe(Answer ask, QueueAnswer answer) {
        NaiveQueue queue = all.queues.get(ask.queue());
        if (!without(queue, ask, Status.PENDING).is(answer)) {
            return false;
        }
        otherwise(queue, ask, Status.PENDING);
        return true;
    }
}
