package dev.weir.connectors.rabbitmq.sink;

import java.io.IOException;
import java.io.Serializable;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * What to do with a message that will never be taken: one at which the broker closes the channel (406: too large, an expiration
 * that is no number, another user's id), or that AMQP cannot encode.
 */
@PublicEvolving
public sealed interface Refused extends Serializable {

    /**
     * Fails the task: nothing is lost. Publishing at once, a router that makes it no more, or makes it better, is enough to go on,
     * unless a checkpoint holds it as unconfirmed, because the broker was away or blocked; publishing on commit a checkpoint always
     * does. Then it comes again whatever the router makes, and fails the job until another handler takes it. What no AMQP
     * message can hold is in no checkpoint; properties larger than a frame of the connection (128 KiB on most brokers) are found out only when it is written.
     */
    static Refused fail() {
        return new Fail();
    }

    /** Counts it (metric {@code refused}), says so in the log, and goes on. */
    static Refused dropAndCount() {
        return new DropAndCount();
    }

    /** Publishes another message in its place, such as one with its body and the reason to an exchange for such; counts it too. */
    static Refused handOn(Substitution substitution) {
        return new HandOn(substitution);
    }

    /**
     * Makes a message that stands for a refused one. Called by whichever thread learns of it, so it must not wait. What it throws fails
     * the task.
     */
    @FunctionalInterface
    interface Substitution extends Serializable {
        /**
         * What to publish instead of {@code message}; null for nothing. If that is refused as well, the task fails; only if the broker
         * refuses what stands for a message that cannot be encoded, this is asked about it first.
         *
         * @param reason what the broker said, or why it cannot be encoded
         */
        @Nullable AmqpMessage substitute(AmqpMessage message, String reason);
    }

    /**
     * What to publish instead of a refused message; null for nothing.
     *
     * @throws IOException if the task is to fail
     */
    @Nullable AmqpMessage instead(AmqpMessage message, String reason) throws IOException;

    /** See {@link #fail()}. */
    record Fail() implements Refused {
        @Override
        public AmqpMessage instead(AmqpMessage message, String reason) throws IOException {
            throw new IOException("The broker does not accept " + message + ": " + reason
                    + ". Have the router make another, or choose with setRefused what to do");
        }
    }

    /** See {@link #dropAndCount()}. */
    record DropAndCount() implements Refused {
        @Nullable @Override
        public AmqpMessage instead(AmqpMessage message, String reason) {
            return null;
        }
    }

    /** See {@link #handOn(Substitution)}. */
    record HandOn(Substitution substitution) implements Refused {
        public HandOn {
            Objects.requireNonNull(substitution, "substitution");
        }

        @Nullable @Override
        public AmqpMessage instead(AmqpMessage message, String reason) {
            return substitution.substitute(message, reason);
        }
    }
}
