package dev.weir.gateway.queues;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Lets entries with one routing key leave at once while few come, and when many do, those of a moment together: a message costs broker,
 * queues and gateway the same for one entry as for a hundred. Many are {@value #MANY} requests in {@value #MOMENTS} moments. Safe for use
 * from many threads.
 */
final class Gathering implements AutoCloseable {

    private static final int MANY = 32;
    private static final int MOMENTS = 16;

    private final long momentNanos;
    private final BiConsumer<String, List<Asked>> sender;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "gateway-queues");
        made.setDaemon(true);
        return made;
    });

    /** By routing key, of which there are a few; guarded by itself. */
    private final Map<String, Flow> flows = new HashMap<>();

    /** What has one routing key. */
    private static final class Flow {
        List<Asked> waiting = new ArrayList<>();
        /** When its last message left, by {@link System#nanoTime}. */
        long leftAt;
        /** When the last requests came, the one before which {@code next} stands last. */
        final long[] cameAt = new long[MANY];

        int next;
        boolean isFull;

        /** Notes a request, and returns how long it took {@link #MANY} to come. */
        long came(long now) {
            long took = isFull ? now - cameAt[next] : Long.MAX_VALUE;
            cameAt[next] = now;
            next = (next + 1) % MANY;
            isFull |= next == 0;
            return took;
        }
    }

    /**
     * @param moment the least time between two messages with one routing key while many entries come
     * @param sender sends entries with one routing key; always called by the same thread
     */
    Gathering(Duration moment, BiConsumer<String, List<Asked>> sender) {
        momentNanos = moment.toNanos();
        this.sender = sender;
    }

    /** Takes entries, of which those with one routing key leave together. Throws {@link RejectedExecutionException} once closed. */
    void add(List<Asked> entries) {
        Map<String, Long> waits = new LinkedHashMap<>(1);
        synchronized (flows) {
            if (thread.isShutdown()) {
                throw new RejectedExecutionException("no more entries leave: the gateway stops");
            }
            long now = System.nanoTime();
            Set<String> keys = new HashSet<>(1);
            for (Asked entry : entries) {
                Flow flow = flows.computeIfAbsent(entry.key, key -> new Flow());
                if (keys.add(entry.key)) {
                    boolean isBusy = flow.came(now) < MOMENTS * momentNanos;
                    long wait = isBusy ? Math.max(0, flow.leftAt + momentNanos - now) : 0;
                    if (flow.waiting.isEmpty()) {
                        waits.put(entry.key, wait);
                    }
                }
                flow.waiting.add(entry);
            }
            waits.forEach((key, wait) -> {
                var unused = thread.schedule(() -> leave(key), wait, TimeUnit.NANOSECONDS);
            });
        }
    }

    private void leave(String key) {
        List<Asked> entries;
        synchronized (flows) {
            Flow flow = flows.get(key);
            entries = flow.waiting;
            flow.waiting = new ArrayList<>();
            flow.leftAt = System.nanoTime();
        }
        sender.accept(key, entries);
    }

    @Override
    public void close() {
        synchronized (flows) {
            thread.shutdownNow();
        }
    }
}
