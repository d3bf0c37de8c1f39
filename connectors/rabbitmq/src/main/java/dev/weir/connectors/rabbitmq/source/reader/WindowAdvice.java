package dev.weir.connectors.rabbitmq.source.reader;

import java.time.Duration;
import java.util.Optional;

/**
 * Says when the prefetch window or the broker's consumer timeout does not fit the checkpoints. Messages wait for their
 * acknowledgement until the checkpoint after the one under way, so a steady stream needs a window of 2 × rate × interval.
 * A warning comes at most once in five minutes. Not thread-safe.
 */
final class WindowAdvice {

    private static final long SILENCE_NANOS = Duration.ofMinutes(5).toNanos();

    private final int prefetch;
    private final Duration consumerTimeout;
    private boolean measuring;
    private long lastNanos;
    private long lastTaken;
    private boolean warned;
    private long warnedNanos;

    WindowAdvice(int prefetch, Duration consumerTimeout) {
        this.prefetch = prefetch;
        this.consumerTimeout = consumerTimeout;
    }

    /**
     * Looks at the time since the checkpoint before.
     *
     * @param taken messages taken since the start, of all queues
     * @param queues how many queues share them
     */
    Optional<String> afterCheckpoint(long nowNanos, long taken, int queues) {
        Duration interval = Duration.ofNanos(nowNanos - lastNanos);
        long perQueue = (taken - lastTaken) / queues;
        boolean first = !measuring;
        measuring = true;
        lastNanos = nowNanos;
        lastTaken = taken;
        if (first || (warned && nowNanos - warnedNanos < SILENCE_NANOS)) {
            return Optional.empty();
        }
        Optional<String> advice = advice(interval, perQueue);
        if (advice.isPresent()) {
            warned = true;
            warnedNanos = nowNanos;
        }
        return advice;
    }

    private Optional<String> advice(Duration interval, long perQueue) {
        if (interval.multipliedBy(2).compareTo(consumerTimeout) > 0) {
            return Optional.of("Checkpoints complete every " + interval.toSeconds()
                    + " s, but the broker closes a channel whose messages are unacknowledged for "
                    + consumerTimeout.toSeconds()
                    + " s (consumer_timeout): make checkpoints at least twice as frequent, or raise consumer_timeout and"
                    + " setConsumerTimeout");
        }
        if (2 * perQueue > prefetch) {
            return Optional.of(
                    "The prefetch window of " + prefetch + " is smaller than 2 × rate × checkpoint interval = "
                            + 2 * perQueue + " (" + perQueue + " messages of a queue in " + interval.toMillis()
                            + " ms), so it limits the rate: raise setPrefetch (at most 65535) or checkpoint more often");
        }
        return Optional.empty();
    }
}
