package dev.weir.connectors.rabbitmq.sink;

import dev.weir.connectors.rabbitmq.common.Durations;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.annotation.PublicEvolving;

/** What to do with a message that no queue is bound for, and which the broker therefore returns. */
@PublicEvolving
public sealed interface Unroutable extends Serializable {

    /**
     * Fails the task: nothing is lost, and the job restarts from its last checkpoint. If that holds the message, as it does publishing
     * on commit, or at once if the message was unconfirmed then, another router does not help: bind a queue, or choose another handler.
     * A missing exchange is no different: create it.
     */
    static Unroutable fail() {
        return new Fail();
    }

    /** Counts it (metric {@code unroutable}) and goes on. */
    static Unroutable dropAndCount() {
        return new DropAndCount(Set.of());
    }

    /** Counts and drops unroutable messages to these exchanges; one to any other fails the task. */
    static Unroutable dropAndCountTo(String... exchanges) {
        if (exchanges.length == 0) {
            throw new IllegalArgumentException("name at least one exchange, or use dropAndCount()");
        }
        return new DropAndCount(Set.of(exchanges));
    }

    /**
     * Publishes it again with growing pauses, before what came after it and is not confirmed yet, and fails the task when a message is
     * still unroutable after {@code limit}.
     */
    static Unroutable retryUntil(Duration limit) {
        return new Retry(limit);
    }

    /** See {@link #fail()}. */
    record Fail() implements Unroutable {}

    /** Whether a returned message to this exchange is counted and forgotten. */
    default boolean drops(String exchange) {
        return false;
    }

    /** See {@link #dropAndCount()} and {@link #dropAndCountTo}. No exchanges means all. */
    record DropAndCount(Set<String> exchanges) implements Unroutable {
        @Override
        public boolean drops(String exchange) {
            return exchanges.isEmpty() || exchanges.contains(exchange);
        }
    }

    /** See {@link #retryUntil(Duration)}. */
    record Retry(Duration limit) implements Unroutable {
        public Retry {
            Objects.requireNonNull(limit, "limit");
            limit = Durations.positive("the limit", limit);
        }
    }
}
