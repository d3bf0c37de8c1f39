package dev.weir.bench.queue;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueEntry.SetLimit;
import dev.weir.protocol.queue.QueueRequest;
import dev.weir.queues.Queues;
import dev.weir.queues.api.Effect;
import dev.weir.queues.api.Event;
import dev.weir.queues.options.QueuesOptions;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * The core of the queues with as many items that are alike in what usually differs: all of one group with a limit of one, each of an owner of its own,
 * all put off until one second, or all keys due again in one second. Prints the longest event in milliseconds of processor time and the seconds of the last phase.
 *
 * <p>Arguments: group, owners, later or due; how many items.
 */
public final class QueueExtremesMain {

    private static final long START = 1_700_000_000_000L;
    private static final long HOUR = 3_600_000;
    private static final int CYCLES = 100_000;
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;

    private final HeapStore store = new HeapStore();
    private final Queues queues = new Queues(
            QueuesOptions.defaults().withMaxItems(100_000_000).withMaxOwners(1_000_000),
            text -> Integer.toString(text.hashCode()),
            List.of(),
            "s",
            store);
    private long entries;
    private long now = START;
    private long longest;

    private QueueExtremesMain() {}

    public static void main(String[] arguments) {
        new QueueExtremesMain().run(arguments[0], Integer.parseInt(arguments[1]));
    }

    private void run(String what, int items) {
        ask(new Scans().queue(++entries));
        double seconds = switch (what) {
            case "group" -> oneGroup(items);
            case "owners" -> owners(items);
            case "later" -> later(items);
            default -> due(items);
        };
        System.out.printf(Locale.ROOT, "%.2f %.2f%n", longest / MILLI, seconds);
    }

    /** Only one item of all may be at work, and one always is: each cycle also asks while all others are blocked. */
    private double oneGroup(int items) {
        ask(new SetLimit(++entries, "g", 1, null, null));
        for (int i = 0; i < items; i++) {
            push("k" + i, "o" + i % 1_000, List.of("g"), null, null);
        }
        longest = 0;
        long begun = System.nanoTime();
        LeasedItem atWork = pop(1).get(0);
        for (int i = 0; i < Math.min(CYCLES, items - 1); i++) {
            requireNone(pop(1));
            finish(atWork);
            atWork = pop(1).get(0);
        }
        return (System.nanoTime() - begun) / SECOND;
    }

    private static void requireNone(List<LeasedItem> items) {
        if (!items.isEmpty()) {
            throw new IllegalStateException("the group is full, and there was " + items);
        }
    }

    private double owners(int items) {
        for (int i = 0; i < items; i++) {
            push("k" + i, "o" + i, null, null, null);
        }
        return cycles(items);
    }

    private double cycles(int items) {
        longest = 0;
        long begun = System.nanoTime();
        for (int i = 0; i < Math.min(CYCLES, items); i++) {
            finish(pop(1).get(0));
        }
        return (System.nanoTime() - begun) / SECOND;
    }

    private double later(int items) {
        Instant start = Instant.ofEpochMilli(START + HOUR);
        for (int i = 0; i < items; i++) {
            push("k" + i, "o" + i % 1_000, null, start, null);
        }
        return wake(START + HOUR, items);
    }

    private double due(int items) {
        Again hourly = new Again(null, (int) (HOUR / 1000), null, null, null, null, null);
        for (int i = 0; i < items; i++) {
            push("k" + i, "o" + i % 1_000, null, null, hourly);
            finish(pop(1).get(0));
        }
        return wake(START + HOUR, items);
    }

    /** Until all wait and the first of them was taken, as ticks and pops take turns. */
    private double wake(long at, int items) {
        now = at;
        longest = 0;
        long begun = System.nanoTime();
        int taken = 0;
        while (queues.nextDeadlineMillis() <= now) {
            apply(new Event.Tick());
            for (LeasedItem item : pop(1)) {
                finish(item);
                taken++;
            }
        }
        double seconds = (System.nanoTime() - begun) / SECOND;
        long waiting = queues.views().get(0).waiting();
        if (waiting + taken != items) {
            throw new IllegalStateException(waiting + " items wait and " + taken + " were taken, of " + items);
        }
        return seconds;
    }

    private void push(String key, String owner, List<String> groups, Instant notBefore, Again again) {
        ask(new Push(
                ++entries,
                Scans.QUEUE,
                new Item(key, null, owner, null, null, groups, notBefore, null, again, null, null)));
    }

    private List<LeasedItem> pop(int most) {
        return ask(new Pop(++entries, Scans.QUEUE, List.of(), most, 0)).items();
    }

    private void finish(LeasedItem item) {
        ask(new Done(++entries, item.token(), End.FINISHED, null, null, null, null, null, null, null));
    }

    private QueueAnswer ask(QueueEntry entry) {
        QueueAnswer answer = null;
        for (Effect effect : apply(new Event.Requested(new QueueRequest("g", List.of(entry)), false))) {
            if (effect instanceof Effect.Answer one) {
                answer = one.answer();
            }
        }
        if (answer == null || answer.reason() != null) {
            throw new IllegalStateException(entry + " was answered with " + answer);
        }
        return answer;
    }

    /** Collections of the heap, on which the state is here, do not count. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private List<Effect> apply(Event event) {
        long begun = cpuNanos();
        List<Effect> effects = queues.apply(event, now);
        longest = Math.max(longest, cpuNanos() - begun);
        return effects;
    }
}
