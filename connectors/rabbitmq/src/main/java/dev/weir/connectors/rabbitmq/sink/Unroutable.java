package dev.weir.connectors.rabbitmq.sink;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;

/** What to do with a message that no queue is bound for, and which the broker therefore returns. */
public sealed interface Unroutable extends Serializable {

    /** Fails the task: nothing is lost, and the job restarts from its last checkpoint. */
    static Unroutable fail() {
        return new Fail();
    }

    /** Counts it (metric {@code unroutable}) and goes on. */
    static Unroutable dropAndCount() {
        return new DropAndCount();
    }

    /**
     * Publishes it again with growing pauses, before anything that came after it, and fails the task when a message is
     * still unroutable after {@code limit}.
     */
    static Unroutable retryUntil(Duration limit) {
        return new Retry(limit);
    }

    /** See {@link #fail()}. */
    record Fail() implements Unroutable {}

    /** See {@link #dropAndCount()}. */
    record DropAndCount() implements Unroutable {}

    /** See {@link #retryUntil(Duration)}. */
    record Retry(Duration limit) implements Unroutable {
        public Retry {
            Objects.requireNonNull(limit, "limit");
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException("the limit must be positive, not " + limit);
            }
        }
    }
}
