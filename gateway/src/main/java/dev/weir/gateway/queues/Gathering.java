package dev.weir.gateway.queues;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Lets entries with one routing key leave together: at once if none has left for a moment, otherwise when that moment is over. So a lone
 * entry does not wait, and many share a message, which costs broker, queues and gateway the same for one as for a hundred. Safe for use from many threads.
 */
final class Gathering implements AutoCloseable {

    private final long momentNanos;
    private final BiConsumer<String, List<Asked>> sender;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "gateway-queues");
        made.setDaemon(true);
        return made;
    });

    /** By routing key, of which there are a few; guarded by itself. */
    private final Map<String, List<Asked>> waiting = new HashMap<>();

    /** When the last have left, by routing key; guarded by what waits. */
    private final Map<String, Long> leftAt = new HashMap<>();

    /**
     * @param moment the least time between two that leave with one routing key
     * @param sender sends entries with one routing key; always called by the same thread
     */
    Gathering(Duration moment, BiConsumer<String, List<Asked>> sender) {
        momentNanos = moment.toNanos();
        this.sender = sender;
    }

    /** Takes entries, of which those with one routing key leave together. Throws {@link RejectedExecutionException} once closed. */
    void add(List<Asked> entries) {
        Set<String> first = new LinkedHashSet<>(1);
        synchronized (waiting) {
            if (thread.isShutdown()) {
                throw new RejectedExecutionException("no more entries leave: the gateway stops");
            }
            for (Asked entry : entries) {
                List<Asked> others = waiting.computeIfAbsent(entry.key, key -> new ArrayList<>());
                if (others.isEmpty()) {
                    first.add(entry.key);
                }
                others.add(entry);
            }
            for (String key : first) {
                Long left = leftAt.get(key);
                long wait = left == null ? 0 : Math.max(0, left + momentNanos - System.nanoTime());
                var unused = thread.schedule(() -> leave(key), wait, TimeUnit.NANOSECONDS);
            }
        }
    }

    private void leave(String key) {
        List<Asked> entries;
        synchronized (waiting) {
            entries = waiting.remove(key);
            leftAt.put(key, System.nanoTime());
        }
        sender.accept(key, entries);
    }

    @Override
    public void close() {
        synchronized (waiting) {
            thread.shutdownNow();
        }
    }
}
