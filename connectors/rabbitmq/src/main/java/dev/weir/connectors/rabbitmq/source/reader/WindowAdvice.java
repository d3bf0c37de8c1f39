package dev.weir.connectors.rabbitmq.source.reader;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Says when the prefetch window does not fit the checkpoints. Messages wait for their acknowledgement until the checkpoint
 * after the one under way, so a steady stream needs a window of 2 × rate × interval. Each queue has a window of its own, so the
 * busiest is what counts. A warning comes at most once in five minutes. Not thread-safe.
 */
final class WindowAdvice {

    private static final long SILENCE_NANOS = Duration.ofMinutes(5).toNanos();

    private final int prefetch;
    private boolean measuring;
    private long lastNanos;
    private Map<String, Long> lastTaken = Map.of();
    private boolean warned;
    private long warnedNanos;

    WindowAdvice(int prefetch) {
        this.prefetch = prefetch;
    }

    /**
     * Looks at the time since the checkpoint before.
     *
     * @param taken messages taken since the start, by queue
     */
    Optional<String> afterCheckpoint(long nowNanos, Map<String, Long> taken) {
        Duration interval = Duration.ofNanos(nowNanos - lastNanos);
        Map<String, Long> before = lastTaken;
        boolean first = !measuring;
        measuring = true;
        lastNanos = nowNanos;
        lastTaken = Map.copyOf(taken);
        if (first || (warned && nowNanos - warnedNanos < SILENCE_NANOS)) {
            return Optional.empty();
        }
        String busiest = "";
        long most = 0;
        for (Map.Entry<String, Long> entry : taken.entrySet()) {
            long fresh = entry.getValue() - before.getOrDefault(entry.getKey(), 0L);
            if (fresh > most) {
                busiest = entry.getKey();
                most = fresh;
            }
        }
        if (2 * most <= prefetch) {
            return Optional.empty();
        }
        warned = true;
        warnedNanos = nowNanos;
        return Optional.of("The prefetch window of " + prefetch
                + " is smaller than 2 × rate × checkpoint interval = " + 2 * most + " (" + most + " messages of queue "
                + busiest + " in " + interval.toMillis()
                + " ms), so it limits the rate: raise setPrefetch (at most 65535) or checkpoint more often");
    }
}
