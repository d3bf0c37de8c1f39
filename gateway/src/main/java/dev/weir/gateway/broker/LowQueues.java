package dev.weir.gateway.broker;

import dev.weir.protocol.queue.QueueLow;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Who waits until a queue is announced as low, each for a time. Safe for use from many threads. */
public final class LowQueues {

    private final Map<String, Set<CompletableFuture<QueueLow>>> waiting = new ConcurrentHashMap<>();

    /** Completes with the next announcement of this queue, or with null when the time is over. */
    public CompletableFuture<QueueLow> next(String queue, long waitMillis) {
        CompletableFuture<QueueLow> next = new CompletableFuture<>();
        waiting.compute(queue, (name, all) -> {
            Set<CompletableFuture<QueueLow>> others = all == null ? ConcurrentHashMap.newKeySet() : all;
            others.add(next);
            return others;
        });
        var unused = next.completeOnTimeout(null, waitMillis, TimeUnit.MILLISECONDS)
                .whenComplete((low, failure) -> leave(queue, next));
        return next;
    }

    private void leave(String queue, CompletableFuture<QueueLow> one) {
        waiting.computeIfPresent(queue, (name, all) -> {
            all.remove(one);
            return all.isEmpty() ? null : all;
        });
    }

    void came(QueueLow low) {
        Set<CompletableFuture<QueueLow>> all = waiting.get(low.queue());
        if (all != null) {
            all.forEach(one -> one.complete(low));
        }
    }
}
