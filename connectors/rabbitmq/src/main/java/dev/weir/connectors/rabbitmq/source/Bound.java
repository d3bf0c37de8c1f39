package dev.weir.connectors.rabbitmq.source;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;

/** When a source ends. What was read is acknowledged only if checkpoints are on; see {@link RabbitMqSourceBuilder#setBounded}. */
@PublicEvolving
public sealed interface Bound extends Serializable {

    /** Never: the usual stream. */
    static Bound never() {
        return new Never();
    }

    /**
     * Each queue when it has been seen empty: nothing ready, and everything delivered to us read; not in the first second after it was
     * opened, because a broker gives back what a lost connection had.
     */
    static Bound untilEmpty() {
        return new UntilEmpty();
    }

    /** Each queue after that many messages, 1 or more; what comes after them stays in the queue. */
    static Bound afterCount(long messagesPerQueue) {
        return new AfterCount(messagesPerQueue);
    }

    /** How many messages of a queue are read at most. */
    default long limit() {
        return Long.MAX_VALUE;
    }

    /** See {@link #never()}. */
    record Never() implements Bound {}

    /** See {@link #untilEmpty()}. */
    record UntilEmpty() implements Bound {}

    /** See {@link #afterCount(long)}. */
    record AfterCount(long limit) implements Bound {
        public AfterCount {
            if (limit < 1) {
                throw new IllegalArgumentException("a source that ends after a count needs at least 1, not " + limit);
            }
        }
    }
}
