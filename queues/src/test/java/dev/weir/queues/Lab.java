package dev.weir.queues;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueEntry.Show;
import dev.weir.protocol.queue.QueueRequest;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.queues.api.Effect;
import dev.weir.queues.api.Event;
import dev.weir.queues.api.Ranker;
import dev.weir.queues.options.QueuesOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Queues with a clock that stands until it is moved, and beats that come back at once. */
final class Lab {

    static final String QUEUE = "scans";
    private static final String GATEWAY = "g1";
    private static final int STEP = 1_000;

    QueuesOptions options = QueuesOptions.defaults();
    HeapStore store = new HeapStore();
    private List<Ranker> rankers = List.of();
    Queues queues = queues("s1");
    long now = 1_700_000_000_000L;
    /** Whether what is due at once is done at once. */
    boolean steps = true;

    private int runs = 1;
    private long entries;
    private final Map<Long, QueueAnswer> answers = new HashMap<>();
    final List<Effect.AnnounceLow> lows = new ArrayList<>();

    private Queues queues(String start) {
        return new Queues(options, text -> Integer.toHexString(("secret" + text).hashCode()), rankers, start, store);
    }

    Lab with(QueuesOptions other) {
        options = other;
        queues = queues("s1");
        return this;
    }

    Lab with(Ranker ranker) {
        rankers = List.of(ranker);
        queues = queues("s1");
        return this;
    }

    /** A queue with these settings. */
    Lab queue(QueueSettings settings) {
        ask(new QueueEntry.Configure(next(), QUEUE, settings));
        return this;
    }

    Lab queue() {
        return queue(QueueSettings.defaults());
    }

    long next() {
        return ++entries;
    }

    /** The answer; null when it has not come yet. */
    QueueAnswer ask(QueueEntry entry) {
        return ask(entry, false);
    }

    QueueAnswer ask(QueueEntry entry, boolean again) {
        apply(new Event.Requested(new QueueRequest(GATEWAY, List.of(entry)), again));
        return answer(entry.n());
    }

    QueueAnswer answer(long n) {
        return answers.remove(n);
    }

    private void apply(Event event) {
        for (Effect effect : queues.apply(event, now)) {
            if (effect instanceof Effect.Answer answer) {
                answers.put(answer.answer().n(), answer.answer());
            } else if (effect instanceof Effect.SendBeat beat) {
                apply(new Event.BeatArrived(beat.beat()));
            } else if (effect instanceof Effect.AnnounceLow low) {
                lows.add(low);
            }
        }
        queues.verify();
        if (steps && queues.nextDeadlineMillis() <= now) {
            apply(new Event.Tick());
        }
    }

    /** Lets time pass in steps of a second. */
    void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now += STEP;
            apply(new Event.Tick());
        }
    }

    /** Another run begins with what is in a store. */
    void restart(HeapStore from) {
        store = from;
        queues = queues("s" + ++runs);
        apply(new Event.Tick());
    }

    /** One tick at this time. */
    void tick() {
        apply(new Event.Tick());
    }

    Item item(String key, int priority, String... groups) {
        return new Item(
                key,
                null,
                null,
                priority,
                new Payload("\"" + key + "\""),
                List.of(groups),
                null,
                null,
                null,
                null,
                null);
    }

    Item ofOwner(String key, String owner, int priority, String... groups) {
        return new Item(key, null, owner, priority, null, List.of(groups), null, null, null, null, null);
    }

    QueueAnswer push(Item item) {
        return ask(new Push(next(), QUEUE, item));
    }

    QueueAnswer push(String key) {
        return push(item(key, 3));
    }

    /** One item, or null. */
    LeasedItem pop() {
        List<LeasedItem> items = pop(1);
        return items.isEmpty() ? null : items.get(0);
    }

    List<LeasedItem> pop(int most) {
        return ask(new Pop(next(), QUEUE, List.of(), most, 0)).items();
    }

    /** The keys of so many pops, each of which ends before the next one. */
    List<String> keys(int count) {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            LeasedItem item = pop();
            keys.add(item == null ? null : item.key());
            if (item != null) {
                finish(item);
            }
        }
        return keys;
    }

    QueueAnswer.Status finish(LeasedItem item) {
        return end(item, End.FINISHED);
    }

    QueueAnswer.Status end(LeasedItem item, End end) {
        return ask(new Done(next(), item.token(), end, null, null, null, null, null, null, null))
                .status();
    }

    QueueAnswer.Status extend(LeasedItem item) {
        return ask(new QueueEntry.Extend(next(), item.token(), null)).status();
    }

    ShownItem show(String key) {
        QueueAnswer answer = ask(new Show(next(), QUEUE, key, 0));
        return answer.shown() == null ? null : answer.shown().get(0);
    }

    void limit(String group, Integer inFlight) {
        ask(new QueueEntry.SetLimit(next(), group, inFlight, null, null));
    }
}
