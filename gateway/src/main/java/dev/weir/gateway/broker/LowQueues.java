package dev.weir.gateway.broker;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.protocol.queue.QueueLow;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Announcements of low queues that somebody expects, each for a few minutes. Safe for use from many threads. */
public final class LowQueues {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final long MOST = 10_000;

    private final Cache<String, CompletableFuture<QueueLow>> expected =
            Caffeine.newBuilder().expireAfterAccess(PATIENCE).maximumSize(MOST).build();

    /** Completes with the next announcement of this queue; never when none comes. */
    public CompletableFuture<QueueLow> next(String queue) {
        return expected.get(queue, absent -> new CompletableFuture<>()).copy();
    }

    void came(QueueLow low) {
        CompletableFuture<QueueLow> future = expected.asMap().remove(low.queue());
        if (future != null) {
            future.complete(low);
        }
    }
}
