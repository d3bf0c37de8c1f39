package dev.weir.bench.queue;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueRequest;
import dev.weir.queues.Queues;
import dev.weir.queues.api.Effect;
import dev.weir.queues.api.Event;
import dev.weir.queues.options.QueuesOptions;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/**
 * Fills a queue with waiting {@link Scans}. Prints heap without state in MiB, state in
 * MiB, seconds to rebuild the memory, and pushes, pops and dones together a second of processor time while so many wait.
 */
public final class QueueCoreMain {

    private static final double MIB = 1 << 20;
    private static final double SECOND = 1e9;
    private static final int ROUNDS = 3;

    private final Scans scans = new Scans();
    private final HeapStore store = new HeapStore();
    private Queues queues = queues();
    private long entries;

    private QueueCoreMain() {}

    public static void main(String[] arguments) {
        new QueueCoreMain().run(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
    }

    private Queues queues() {
        return new Queues(
                QueuesOptions.defaults().withMaxItems(100_000_000),
                text -> Integer.toString(text.hashCode()),
                List.of(),
                "s",
                store);
    }

    private void run(int waiting, int cycles) {
        ask(scans.queue(++entries));
        for (int i = 0; i < waiting; i++) {
            push();
        }
        double withIndex = heap();
        queues = null;
        double withoutIndex = heap();
        queues = queues();
        long began = System.nanoTime();
        queues.apply(new Event.Tick(), 1);
        double seconds = (System.nanoTime() - began) / SECOND;
        double best = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long cpu = cpuNanos();
            for (int i = 0; i < cycles; i++) {
                push();
                LeasedItem item = ask(new Pop(++entries, Scans.QUEUE, List.of(), 1, 0))
                        .items()
                        .get(0);
                ask(new Done(++entries, item.token(), End.FINISHED, null, null, null, null, null, null, null));
            }
            best = Math.max(best, cycles / ((cpuNanos() - cpu) / SECOND));
        }
        System.out.printf(
                Locale.ROOT, "%.1f %.1f %.2f %.0f%n", withIndex - withoutIndex, store.bytes() / MIB, seconds, best);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static double heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / MIB;
    }

    private void push() {
        ask(new Push(++entries, Scans.QUEUE, scans.item()));
    }

    private QueueAnswer ask(QueueEntry entry) {
        QueueAnswer answer = null;
        for (Effect effect : queues.apply(new Event.Requested(new QueueRequest("g", List.of(entry)), false), 1)) {
            if (effect instanceof Effect.Answer one) {
                answer = one.answer();
            }
        }
        if (answer == null || answer.reason() != null) {
            throw new IllegalStateException(entry + " was answered with " + answer);
        }
        return answer;
    }
}
