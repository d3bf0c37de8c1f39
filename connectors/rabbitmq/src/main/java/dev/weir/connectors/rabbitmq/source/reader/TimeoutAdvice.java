package dev.weir.connectors.rabbitmq.source.reader;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Warns before the broker's consumer timeout: it closes a channel when a message has been unacknowledged for so long, and
 * messages wait for the checkpoint after the one under way. A warning about what is seen comes at most once in five minutes.
 * Not thread-safe.
 */
final class TimeoutAdvice {

    private static final long SILENCE_NANOS = Duration.ofMinutes(5).toNanos();

    private final Duration consumerTimeout;
    private boolean warned;
    private long warnedNanos;

    TimeoutAdvice(Duration consumerTimeout) {
        this.consumerTimeout = consumerTimeout;
    }

    /** What to say about a checkpoint interval before any checkpoint. */
    static Optional<String> atStart(Duration interval, Duration consumerTimeout) {
        if (interval.multipliedBy(2).compareTo(consumerTimeout) <= 0) {
            return Optional.empty();
        }
        return Optional.of("The checkpoint interval is " + interval.toSeconds()
                + " s, but the broker closes a channel when a message is unacknowledged for "
                + consumerTimeout.toSeconds()
                + " s (consumer_timeout): make checkpoints at least twice as frequent, or raise consumer_timeout and"
                + " setConsumerTimeout");
    }

    /** What to say when half of the timeout has passed for a message, whatever the reason. */
    Optional<String> look(long nowNanos, Map<String, Duration> oldestUnacknowledged) {
        if (warned && nowNanos - warnedNanos < SILENCE_NANOS) {
            return Optional.empty();
        }
        Optional<Map.Entry<String, Duration>> oldest =
                oldestUnacknowledged.entrySet().stream().max(Map.Entry.comparingByValue());
        if (oldest.isEmpty() || oldest.get().getValue().multipliedBy(2).compareTo(consumerTimeout) <= 0) {
            return Optional.empty();
        }
        warned = true;
        warnedNanos = nowNanos;
        return Optional.of("Messages of queue " + oldest.get().getKey() + " have been unacknowledged for "
                + oldest.get().getValue().toSeconds() + " s, and the broker closes the channel after "
                + consumerTimeout.toSeconds()
                + " s (consumer_timeout). They are acknowledged when a checkpoint completes:"
                + " are checkpoints on, and do they complete? If they are only rare, make them more frequent, or raise"
                + " consumer_timeout and setConsumerTimeout");
    }
}
