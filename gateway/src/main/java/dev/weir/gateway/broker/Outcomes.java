package dev.weir.gateway.broker;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.protocol.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Outcomes that somebody expects, each for a quarter of an hour; of very many the oldest are forgotten. Safe for use from many threads. */
public final class Outcomes {

    /** A command waits ten minutes for its task, unless configured otherwise. */
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private static final long MOST = 100_000;

    private final Cache<String, CompletableFuture<Outcome>> expected =
            Caffeine.newBuilder().expireAfterWrite(PATIENCE).maximumSize(MOST).build();

    /** Completes with the next outcome of this command or task; never when none comes. To be called before it is sent. */
    public CompletableFuture<Outcome> next(Outcome.About about, String id) {
        return expected.get(key(about, id), absent -> new CompletableFuture<>());
    }

    void came(Outcome outcome) {
        CompletableFuture<Outcome> future = expected.asMap().remove(key(outcome.about(), outcome.id()));
        if (future != null) {
            future.complete(outcome);
        }
    }

    private static String key(Outcome.About about, String id) {
        return about + ":" + id;
    }
}
