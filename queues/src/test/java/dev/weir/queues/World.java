package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.limit.Group;
import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Action;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueRequest;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.queues.api.Effect;
import dev.weir.queues.api.Event;
import dev.weir.queues.options.QueuesOptions;
import dev.weir.queues.state.ItemRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Gateways, workers and a broker around queues, drawn from a seed. The broker gives pushes and dones again after a crash; pops are lost.
 * Workers die, are slow, and speak about leases that have ended. What must hold is checked at each answer.
 */
final class World {

    private static final int MOST_ITEMS = 20;
    private static final int MINUTES_BACK = 120_000;

    private final Random random;
    private final Draw draw;
    private HeapStore store = new HeapStore();
    private HeapStore checkpoint = new HeapStore();
    private Queues queues;
    private int starts;
    private long now = 1_700_000_000_000L;
    private long entries;
    /** Persistent messages since the last checkpoint. */
    private final List<QueueEntry> unacknowledged = new ArrayList<>();

    private final Map<Long, QueueEntry> unanswered = new HashMap<>();
    private final Map<Long, Long> answerBy = new HashMap<>();
    /** Every lease that a worker was given, the newest of a key last. */
    private final Map<String, List<LeasedItem>> leases = new HashMap<>();
    /** Keys of which an item could expire. */
    private final Set<String> expiring = new HashSet<>();
    /** By token. */
    private final Map<String, String> keyOf = new HashMap<>();
    /** Keys that were given in the event at hand. */
    private final Set<String> givenNow = new HashSet<>();

    private boolean beatsAreLost;
    /** Until when groups are held. */
    private final Map<String, Long> held = new HashMap<>();

    private boolean replaying;
    int popped;

    World(long seed) {
        random = new Random(seed);
        draw = new Draw(random);
        start();
        send(new QueueEntry.Configure(++entries, Draw.QUEUE, settings(3)));
        store();
    }

    private static QueueSettings settings(int attempts) {
        return new QueueSettings(MOST_ITEMS, null, null, 0.0, 10, 60, attempts, null, null, 5, 20, 100, 600, 3);
    }

    private void start() {
        queues = new Queues(
                QueuesOptions.defaults(), text -> Integer.toHexString(("s" + text).hashCode()), "r" + starts++, store);
    }

    private void store() {
        checkpoint = store.snapshot();
        unacknowledged.clear();
    }

    void step() {
        int what = random.nextInt(100);
        if (what < 32) {
            send(new QueueEntry.Push(++entries, Draw.QUEUE, draw.item(now)));
        } else if (what < 55) {
            send(draw.pop(++entries));
        } else if (what < 75) {
            speakOfALease();
        } else if (what < 85) {
            pass(random.nextInt(12));
        } else if (what < 88) {
            store();
        } else if (what < 91) {
            crash();
        } else {
            operate();
        }
        queues.verify();
    }

    private void speakOfALease() {
        if (leases.isEmpty()) {
            return;
        }
        List<LeasedItem> ofKey =
                leases.get(draw.pick(leases.keySet().stream().sorted().toList()));
        // Mostly the newest.
        LeasedItem lease = random.nextInt(4) > 0 ? ofKey.get(ofKey.size() - 1) : draw.pick(ofKey);
        int what = random.nextInt(6);
        if (what == 5 && !lease.groups().isEmpty()) {
            send(new QueueEntry.Hold(++entries, lease.token(), draw.pick(lease.groups()), 1 + random.nextInt(20)));
        } else if (what == 0) {
            send(new QueueEntry.Extend(++entries, lease.token(), null));
        } else {
            End end = what < 3 ? End.FINISHED : what == 3 ? End.FAILED : End.RELEASED;
            send(new QueueEntry.Done(
                    ++entries,
                    lease.token(),
                    end,
                    null,
                    null,
                    (end == End.FAILED && random.nextInt(4) == 0) ? false : null));
        }
    }

    private void operate() {
        switch (random.nextInt(8)) {
            case 0 -> send(new QueueEntry.Remove(++entries, Draw.QUEUE, "k" + random.nextInt(Draw.KEYS)));
            case 1 ->
                send(new QueueEntry.QueueAction(
                        ++entries, Draw.QUEUE, random.nextInt(3) == 0 ? Action.PURGE : Action.PAUSE));
            case 2, 3 -> send(new QueueEntry.QueueAction(++entries, Draw.QUEUE, Action.RESUME));
            case 4 ->
                send(new QueueEntry.SetOwner(
                        ++entries,
                        Draw.QUEUE,
                        draw.pick(Draw.OWNERS),
                        1 + random.nextInt(5),
                        random.nextBoolean() ? null : 8));
            case 5 -> {
                boolean window = random.nextInt(3) == 0;
                send(new QueueEntry.SetLimit(
                        ++entries,
                        draw.pick(Draw.GROUPS),
                        random.nextInt(4) == 0 ? null : random.nextInt(3),
                        window ? 2 : null,
                        window ? 7 : null));
            }
            case 6 -> send(new QueueEntry.Redrive(++entries, Draw.QUEUE, 2));
            default -> {
                if (random.nextInt(4) == 0) {
                    // That counts as a restart: who waits hears nothing.
                    now -= MINUTES_BACK;
                    held.clear();
                    unanswered.clear();
                    answerBy.clear();
                    apply(new Event.Tick(), false);
                }
                beatsAreLost = random.nextInt(3) == 0;
            }
        }
    }

    void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now += 1_000;
            apply(new Event.Tick(), false);
            answerBy.forEach((n, by) -> assertThat(now)
                    .as("entry %s was not answered in time: %s", n, unanswered.get(n))
                    .isLessThanOrEqualTo(by + 1_000));
        }
    }

    private void crash() {
        apply(new Event.Tick(), false);
        Set<String> before = present(true);
        store = checkpoint.snapshot();
        start();
        held.clear();
        // Whoever waited hears nothing any more.
        unanswered.clear();
        answerBy.clear();
        List<QueueEntry> again = List.copyOf(unacknowledged);
        replaying = true;
        for (QueueEntry entry : again) {
            unanswered.put(entry.n(), entry);
            answerBy.put(entry.n(), now);
            apply(new Event.Requested(new QueueRequest("g", List.of(entry)), true), false);
        }
        replaying = false;
        apply(new Event.Tick(), false);
        // What was finished may be recognised now although its lease was lost then; what was leased when its queue was
        // purged waits now.
        again.forEach(entry -> {
            if (entry instanceof QueueEntry.QueueAction action && action.action() == Action.PURGE) {
                before.clear();
            } else if (entry instanceof QueueEntry.Remove remove) {
                before.remove(remove.key());
            } else if (entry instanceof QueueEntry.Done done && done.end() == End.FINISHED) {
                before.remove(keyOf.get(done.token()));
            }
        });
        before.removeAll(present(false));
        assertThat(before).as("items that were lost by a crash").isEmpty();
    }

    /**
     * Keys that are in the queue, dead ones included.
     *
     * @param lasting only those that never expire
     */
    private Set<String> present(boolean lasting) {
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < Draw.KEYS; i++) {
            var item = queues.lane().item(queues.lane().queues.get(Draw.QUEUE), "k" + i);
            if (item != null && (!item.removed || item.successor != null) && !(lasting && expires(item))) {
                keys.add("k" + i);
            }
        }
        return keys;
    }

    /** A push that met nothing because the key had expired meets, when it comes again, the key that has not expired yet. */
    private boolean expires(ItemRecord item) {
        return expiring.contains(item.key);
    }

    private void send(QueueEntry entry) {
        boolean isTransient = entry instanceof Pop;
        if (!isTransient) {
            unacknowledged.add(entry);
        }
        if (entry instanceof QueueEntry.Push push && push.item().expiresAt() != null) {
            expiring.add(push.item().key());
        }
        unanswered.put(entry.n(), entry);
        answerBy.put(entry.n(), now + (entry instanceof Pop pop ? pop.waitMs() : 0));
        apply(new Event.Requested(new QueueRequest("g", List.of(entry)), false), false);
    }

    private void apply(Event event, boolean again) {
        List<ShownItem> before = peek();
        givenNow.clear();
        for (Effect effect : queues.apply(event, now)) {
            if (effect instanceof Effect.Answer answer) {
                answered(answer.answer(), before);
            } else if (effect instanceof Effect.SendBeat beat && !beatsAreLost) {
                apply(new Event.BeatArrived(beat.beat()), false);
            }
        }
        boundsHold();
        if (queues.nextDeadlineMillis() <= now) {
            assertThat(again).as("a deadline stays due at %s", now).isFalse();
            apply(new Event.Tick(), queues.nextDeadlineMillis() == Long.MIN_VALUE);
        }
    }

    private List<ShownItem> peek() {
        List<ShownItem> shown = new ArrayList<>();
        if (queues.lane() != null) {
            queues.apply(
                            new Event.Requested(
                                    new QueueRequest("p", List.of(new QueueEntry.Peek(0, Draw.QUEUE, 256, null))),
                                    false),
                            now)
                    .forEach(effect -> {
                        if (effect instanceof Effect.Answer answer
                                && answer.answer().n() == 0) {
                            if (answer.answer().shown() != null) {
                                shown.addAll(answer.answer().shown());
                            }
                        } else if (effect instanceof Effect.Answer answer) {
                            answered(answer.answer(), null);
                        }
                    });
        }
        return shown;
    }

    private void answered(QueueAnswer answer, List<ShownItem> before) {
        QueueEntry entry = unanswered.remove(answer.n());
        answerBy.remove(answer.n());
        assertThat(entry).as("a second answer, %s", answer).isNotNull();
        // After a restore a lease may be of an item as it was before, in other groups.
        assertThat(answer.status() != Status.REFUSED
                        || replaying && "expires_at".equals(answer.field())
                        || entry instanceof QueueEntry.Hold && "group".equals(answer.field()))
                .isTrue();
        assertThat(entry instanceof QueueEntry.Remove || answer.status() != Status.UNKNOWN)
                .isTrue();
        if (entry instanceof QueueEntry.Push push && answer.status() == Status.CREATED) {
            assertThat(replaying || queues.lane().queues.get(Draw.QUEUE).live() <= MOST_ITEMS)
                    .as("the bound holds after %s", push)
                    .isTrue();
        } else if (entry instanceof QueueEntry.Push push && answer.status() == Status.FULL) {
            assertThat(replaying).as("%s was accepted and then refused", push).isFalse();
        } else if (entry instanceof QueueEntry.Hold hold && answer.status() == Status.OK) {
            held.merge(hold.group(), now + hold.holdS() * 1_000L, Math::max);
        } else if (entry instanceof Pop pop) {
            popped += answer.items().size();
            leased(pop, answer.items(), before);
        }
    }

    private void leased(Pop pop, List<LeasedItem> items, List<ShownItem> before) {
        for (LeasedItem item : items) {
            assertThat(pop.kinds().isEmpty() || pop.kinds().contains(item.kind()))
                    .isTrue();
            List<LeasedItem> ofKey = leases.computeIfAbsent(item.key(), key -> new ArrayList<>());
            ofKey.add(item);
            for (String group : item.groups()) {
                assertThat(held.getOrDefault(group, 0L))
                        .as("%s starts in a held group", item)
                        .isLessThanOrEqualTo(now);
            }
            keyOf.put(item.token(), item.key());
        }
        items.forEach(item -> givenNow.add(item.key()));
        for (LeasedItem item : items) {
            noEarlierLeaseIsGood(leases.get(item.key()));
        }
        if (before != null && items.size() == 1) {
            noBetterItemCouldHaveStarted(items.get(0), before);
        }
    }

    private void noEarlierLeaseIsGood(List<LeasedItem> ofKey) {
        for (LeasedItem old : ofKey.subList(0, ofKey.size() - 1)) {
            QueueEntry extend = new QueueEntry.Extend(0, old.token(), null);
            queues.apply(new Event.Requested(new QueueRequest("p", List.of(extend)), false), now)
                    .forEach(effect -> {
                        if (effect instanceof Effect.Answer answer
                                && answer.answer().n() == 0) {
                            assertThat(answer.answer().status())
                                    .as("%s has two leases", old.key())
                                    .isEqualTo(Status.STALE);
                        }
                    });
        }
    }

    /** Exact for items in no group, and for items in one group that only items of the same owner and kind wait for. */
    private void noBetterItemCouldHaveStarted(LeasedItem item, List<ShownItem> before) {
        for (ShownItem better : before) {
            if (better.key().equals(item.key())) {
                return;
            }
            boolean comparable =
                    better.kind().equals(item.kind()) && better.owner().equals(item.owner());
            boolean expired = better.expiresAt() != null && better.expiresAt().toEpochMilli() <= now;
            if (comparable && !expired && !givenNow.contains(better.key())) {
                assertThat(better.groups())
                        .as("%s was given while %s waited", item, better)
                        .isNotEmpty();
            }
        }
    }

    private void boundsHold() {
        if (queues.lane() == null || queues.lane().queues.isEmpty()) {
            return;
        }
        for (Group group : queues.lane().groups.all()) {
            assertThat(group.inFlight()).isGreaterThanOrEqualTo(0);
        }
    }

    /** Everything that is still there is taken and finished; then nothing may be left. */
    void drain() {
        beatsAreLost = false;
        send(new QueueEntry.QueueAction(++entries, Draw.QUEUE, Action.RESUME));
        Draw.GROUPS.forEach(group -> send(new QueueEntry.SetLimit(++entries, group, 1, null, null)));
        for (int i = 0; i < 300; i++) {
            Pop pop = new Pop(++entries, Draw.QUEUE, List.of(), 1, 0);
            int before = popped;
            send(pop);
            if (popped > before) {
                finishNewest();
            } else {
                pass(5);
            }
            queues.verify();
        }
        var queue = queues.lane().queues.get(Draw.QUEUE);
        assertThat(queue.live()).as("items that nobody could take").isZero();
        assertThat(queues.lane().leases).isEmpty();
        assertThat(unanswered).isEmpty();
    }

    private void finishNewest() {
        List<List<LeasedItem>> all = new ArrayList<>(leases.values());
        for (List<LeasedItem> ofKey : all) {
            LeasedItem newest = ofKey.get(ofKey.size() - 1);
            send(new QueueEntry.Done(++entries, newest.token(), End.FINISHED, null, null, null));
        }
        leases.clear();
    }
}
