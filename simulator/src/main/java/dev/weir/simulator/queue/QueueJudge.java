package dev.weir.simulator.queue;

import dev.weir.protocol.queue.LastAnswer;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueView;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.protocol.queue.ShownItem.State;
import dev.weir.queues.api.Effect;
import dev.weir.queues.options.QueuesOptions;
import dev.weir.simulator.invariant.Violation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Holds each answer of the core against the naive queues, and sees that each entry is answered once and in time. */
final class QueueJudge {

    private static final String NUMBER_SEPARATOR = "\0";

    private final QueuesOptions options;
    NaiveQueues naive;
    private Order order;
    /** Entries without an answer, by number. */
    private final Map<Long, QueueEntry> open = new LinkedHashMap<>();
    /** Until when those are answered that wait. */
    private final Map<Long, Long> waiting = new LinkedHashMap<>();
    /** Answers to those who waited for an item that ends in the same event. */
    private final List<QueueAnswer> early = new ArrayList<>();
    /** What was asked last; null once an event has begun with it. */
    private QueueEntry.Answer asked;
    /** Queues that were said to be low since all was settled. */
    private final Set<String> low = new HashSet<>();
    /** The same in this event. */
    private final Set<String> saidLow = new HashSet<>();
    /** Every lease that a worker was given, by key and in order. */
    final Map<String, List<Lease>> leases = new HashMap<>();

    private final Map<String, Lease> byToken = new HashMap<>();
    /** That a worker was given last; null for none. */
    Lease newest;

    String newestOwner;
    long popped;

    QueueJudge(QueuesOptions options, NaiveQueues naive) {
        this.options = options;
        judgeBy(naive);
    }

    /** From now on by other queues; whoever waits hears nothing any more. */
    void judgeBy(NaiveQueues other) {
        naive = other;
        order = new Order(other);
        open.clear();
        waiting.clear();
        low.clear();
    }

    Lease leaseOf(String token) {
        return byToken.get(token);
    }

    void asks(QueueEntry entry) {
        open.put(entry.n(), entry);
        asked = entry instanceof QueueEntry.Answer ask ? ask : null;
    }

    /** An event has these effects: who asked and hears nothing waits from now on. */
    void begins(List<Effect> effects) {
        boolean isAnswered = effects.stream()
                .anyMatch(effect -> effect instanceof Effect.Answer one
                        && asked != null
                        && one.answer().n() == asked.n());
        if (asked != null && !isAnswered) {
            NaiveAnswers.Expected expected = naive.answers.ask(asked, mayWait(asked));
            Violation.check(expected == null, "who asks is answered at once or waits for an item", asked, expected);
        }
        asked = null;
    }

    private boolean mayWait(QueueEntry.Answer ask) {
        return ask.waitMs() > 0 && waiting.size() < options.maxAsks();
    }

    /** @param again whether the broker gave the entry again */
    void answered(QueueAnswer answer, boolean again) {
        QueueEntry entry = open.remove(answer.n());
        Violation.check(entry != null, "each entry has one answer", answer);
        Long until = waiting.remove(answer.n());
        if (entry instanceof Pop pop) {
            popped(pop, answer, until);
        } else if (entry instanceof QueueEntry.Answer ask) {
            asked(ask, answer, until);
        } else if (entry instanceof QueueEntry.Extend extend) {
            extended(extend, answer);
        } else if (entry instanceof QueueEntry.Done done) {
            done(done, answer);
        } else if (entry instanceof QueueEntry.Hold hold) {
            same(entry, naive.hold(hold, known(byToken.get(hold.token()), answer)), answer.status());
        } else if (entry instanceof QueueEntry.QueueAction action && action.action() == QueueEntry.Action.PURGE) {
            same(entry, naive.purge(naive.queues.get(action.queue())), answer.count());
        } else if (entry instanceof QueueEntry.Redrive redrive) {
            same(entry, naive.redrive(redrive), answer.count());
        } else {
            same(entry, change(entry, again), answer.status());
        }
    }

    private static void same(QueueEntry entry, Object expected, Object is) {
        Violation.check(
                expected.equals(is), "an entry is answered as the rules say", entry, "expected", expected, "got", is);
    }

    private Status change(QueueEntry entry, boolean again) {
        if (entry instanceof QueueEntry.Push push) {
            return naive.pushes.push(push, again);
        } else if (entry instanceof QueueEntry.Score score) {
            return naive.pushes.score(score);
        } else if (entry instanceof QueueEntry.Remove remove) {
            return naive.remove(remove);
        } else if (entry instanceof QueueEntry.Configure configure) {
            return naive.configure(configure);
        } else if (entry instanceof QueueEntry.SetOwner owner) {
            naive.queues.get(owner.queue()).set(owner);
        } else if (entry instanceof QueueEntry.SetLimit limit) {
            naive.groups.set(limit, naive.now());
        } else {
            QueueEntry.QueueAction action = (QueueEntry.QueueAction) entry;
            naive.queues.get(action.queue()).paused = action.action() == QueueEntry.Action.PAUSE;
        }
        return Status.OK;
    }

    private void asked(QueueEntry.Answer ask, QueueAnswer answer, Long until) {
        if (answer.answer() != null && ask.maxAgeMs() != null && until == null) {
            Violation.check(answer.answer().ageMs() <= ask.maxAgeMs(), "no answer is older than was asked for", answer);
        }
        if (until == null) {
            asExpected(ask, naive.answers.ask(ask, mayWait(ask)), answer);
            return;
        }
        boolean isLate = until <= naive.now();
        NaiveAnswers.Expected expected = naive.answers.ofEnd(ask.n());
        if (expected == null && !isLate) {
            early.add(answer);
            open.put(ask.n(), ask);
        } else if (expected == null) {
            asExpected(ask, naive.answers.giveUp(ask.n()), answer);
        } else if (!expected.is(answer) && isLate) {
            Violation.check(naive.answers.mayBe(ask, answer), "who asks hears what the rules say", ask, answer);
        } else {
            asExpected(ask, expected, answer);
        }
    }

    private static void asExpected(QueueEntry.Answer ask, NaiveAnswers.Expected expected, QueueAnswer answer) {
        Violation.check(
                expected != null && expected.is(answer),
                "who asks hears what the rules say",
                ask,
                "expected",
                expected,
                "got",
                answer);
    }

    private void popped(Pop pop, QueueAnswer answer, Long until) {
        if (answer.status() == Status.FULL) {
            Violation.check(waiting.size() >= options.maxAsks(), "a pop is refused only when too many wait", pop);
            return;
        }
        NaiveQueue queue = naive.queues.get(pop.queue());
        Violation.check(answer.items().size() <= pop.most(), "a pop gives no more than was asked for", answer);
        for (LeasedItem given : answer.items()) {
            NaiveItem item = queue.items.get(given.key());
            order.check(pop, queue, item, options.maxLeased());
            lease(queue, item, given);
        }
        boolean isLate = until != null && until <= naive.now();
        if (answer.items().size() < pop.most() && !isLate) {
            nothingIsForgotten(pop, queue);
        }
        Violation.check(
                until == null || isLate || !answer.items().isEmpty(), "a pop waits until there is something", pop);
    }

    private void lease(NaiveQueue queue, NaiveItem item, LeasedItem given) {
        if (!item.sure) {
            item.number = numberOf(given.token());
            item.sure = true;
        }
        same(
                null,
                List.of(item.priority(), item.kind(), item.owner(), item.groups(), item.failures + item.lost + 1),
                List.of(given.priority(), given.kind(), given.owner(), given.groups(), given.attempt()));
        Violation.check(item.wanted.item().payload().equals(given.payload()), "a worker gets the payload", given);
        Lease lease = naive.lease(queue, item, given.token());
        Violation.check(byToken.put(given.token(), lease) == null, "a token proves one lease", given);
        leases.computeIfAbsent(queue.name + '/' + item.key, key -> new ArrayList<>())
                .add(lease);
        newest = lease;
        newestOwner = item.owner();
        popped++;
    }

    /** Of one whose place among several that were made in one event is not known. */
    private static long numberOf(String token) {
        byte[] text = Base64.getUrlDecoder().decode(token.substring(0, token.indexOf('.')));
        return Long.parseLong(new String(text, StandardCharsets.UTF_8).split(NUMBER_SEPARATOR)[1]);
    }

    private void nothingIsForgotten(Pop pop, NaiveQueue queue) {
        if (naive.leased() < options.maxLeased()) {
            NaiveItem forgotten = order.forgotten(pop, queue);
            Violation.check(forgotten == null, "a pop gets what may start", pop, "does not get", forgotten);
        }
    }

    private void done(QueueEntry.Done done, QueueAnswer answer) {
        Lease lease = byToken.get(done.token());
        same(done, naive.done(done, known(lease, answer)), answer.status());
    }

    private void extended(QueueEntry.Extend extend, QueueAnswer answer) {
        int expected = naive.extend(known(byToken.get(extend.token()), answer), extend.leaseS());
        same(extend, expected < 0 ? Status.STALE : Status.OK, answer.status());
        same(extend, Math.max(expected, 0), answer.leaseS() == null ? 0 : answer.leaseS());
    }

    /** Where the number of the item is not known, the core says whether the lease is of it. */
    private Lease known(Lease lease, QueueAnswer answer) {
        NaiveQueue queue = naive.queues.get(lease.queue());
        NaiveItem item = queue == null ? null : queue.items.get(lease.key());
        if (item != null && !item.sure) {
            if (answer.status() != Status.STALE) {
                item.number = lease.number();
                item.sure = true;
            } else {
                return new Lease(lease.token(), lease.queue(), lease.key(), -1, lease.start(), lease.name());
            }
        }
        return lease;
    }

    /** An event has ended. */
    void ended() {
        // What has expired is dropped when a pop finds it.
        naive.advance(naive.now());
        for (QueueAnswer answer : early) {
            QueueEntry.Answer ask = (QueueEntry.Answer) open.remove(answer.n());
            asExpected(ask, naive.answers.ofEnd(ask.n()), answer);
        }
        early.clear();
        saidLow.forEach(
                name -> Violation.check(naive.queues.get(name).isBelowMark(), "only a low queue says so", name));
        low.addAll(saidLow);
        saidLow.clear();
        for (Map.Entry<Long, QueueEntry> one : open.entrySet()) {
            if (!waiting.containsKey(one.getKey())) {
                int waitMs = waitMs(one.getValue());
                Violation.check(waitMs > 0, "all but those that wait are answered at once", one.getValue());
                waiting.put(one.getKey(), naive.now() + waitMs);
            }
        }
        Violation.check(waiting.size() <= options.maxAsks(), "no more wait than may", waiting);
    }

    private static int waitMs(QueueEntry entry) {
        return entry instanceof Pop pop ? pop.waitMs() : entry instanceof QueueEntry.Answer ask ? ask.waitMs() : 0;
    }

    /** A queue is said to be low. */
    void isLow(String queue) {
        saidLow.add(queue);
    }

    /** An event has ended, and nothing is due any more. */
    void settled(List<QueueView> views) {
        for (Long n : waiting.keySet()) {
            if (open.get(n) instanceof Pop pop) {
                nothingIsForgotten(pop, naive.queues.get(pop.queue()));
            }
        }
        Violation.check(naive.answers.areAllToldOf(), "who waits hears when the item ends", waiting);
        naive.queues.values().forEach(queue -> queue.rests.settled(naive.now()));
        Violation.check(views.size() == naive.queues.size(), "all queues are there", views);
        views.forEach(view -> naive.queues.get(view.queue()).compare(view));
        naive.queues
                .values()
                .forEach(queue -> Violation.check(
                        !queue.becomesLow() || low.contains(queue.name),
                        "a queue that becomes low says so",
                        queue.name));
        low.clear();
    }

    /** All that was due by a time has happened. */
    void isPast(long now) {
        waiting.forEach(
                (n, until) -> Violation.check(until > now, "who waits is answered when the wait is over", open.get(n)));
    }

    /** A key as readers see it; null for nothing. */
    void compare(NaiveQueue queue, String key, ShownItem shown) {
        NaiveItem item = queue.items.get(key);
        NaiveRest rest = queue.rests.find(key);
        if (shown != null && rest != null) {
            Payload kept = rest.isKept(naive.now()) ? rest.result : null;
            same(
                    null,
                    Optional.ofNullable(kept),
                    Optional.ofNullable(shown.answer()).map(LastAnswer::result));
        }
        if (item == null && rest != null) {
            Violation.check(shown != null && NaiveRests.isAsShown(rest, shown), "what rests is shown", rest, shown);
            return;
        }
        if (item == null || shown == null) {
            Violation.check(item == null && shown == null, "what was pushed and has not ended is there", item, shown);
            return;
        }
        same(
                null,
                List.of(item.state, item.failures, item.priority(), item.kind(), item.owner(), item.groups()),
                List.of(
                        shown.state(),
                        shown.failures(),
                        shown.priority(),
                        shown.kind(),
                        shown.owner(),
                        shown.groups()));
        Violation.check(
                shown.createdAt().toEpochMilli() == item.createdAt,
                "an item keeps its age",
                item,
                item.createdAt,
                shown.createdAt().toEpochMilli());
        long startsAt = item.is(State.LATER) ? item.at : item.is(State.DEAD) && rest != null ? rest.due : 0;
        Instant notBefore = startsAt == 0 ? null : Instant.ofEpochMilli(startsAt);
        Violation.check(
                Objects.equals(notBefore, shown.notBefore()),
                "an item starts to wait when it may",
                item,
                "should wait from",
                notBefore,
                "waits from",
                shown.notBefore());
        if (item.is(State.WAITING) && queue.items.values().stream().allMatch(other -> other.sure)) {
            long before = queue.in(State.WAITING)
                    .filter(other -> other.isOfSameShare(item) && other.isBetterThan(item))
                    .count();
            Violation.check(before == shown.position(), "a position counts the better ones", item, shown.position());
        }
    }
}
