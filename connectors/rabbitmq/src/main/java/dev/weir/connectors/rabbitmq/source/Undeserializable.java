package dev.weir.connectors.rabbitmq.source;

import java.io.Serializable;
import java.util.Objects;
import org.apache.flink.annotation.PublicEvolving;

/** What to do with a message that cannot be read. Whatever it is, the message does not block its queue. */
@PublicEvolving
public sealed interface Undeserializable<T> extends Serializable {

    /** Fails the task. The message stays in its queue and fails the job again until it is removed. */
    static <T> Undeserializable<T> fail() {
        return new Fail<>();
    }

    /** Counts it ({@code numRecordsInErrors}) and acknowledges it. */
    static <T> Undeserializable<T> dropAndCount() {
        return new DropAndCount<>();
    }

    /** Emits a record made of the message and the reason, which the job can split off to a side stream; counts it too. */
    static <T> Undeserializable<T> handOn(Rejection<T> rejection) {
        return new HandOn<>(rejection);
    }

    /** Makes a record of an unreadable message. */
    @FunctionalInterface
    interface Rejection<T> extends Serializable {
        /** The record that stands for {@code delivery}; null for none. */
        T reject(Delivery delivery, String reason);
    }

    /** See {@link #fail()}. */
    record Fail<T>() implements Undeserializable<T> {}

    /** See {@link #dropAndCount()}. */
    record DropAndCount<T>() implements Undeserializable<T> {}

    /** See {@link #handOn(Rejection)}. */
    record HandOn<T>(Rejection<T> rejection) implements Undeserializable<T> {
        public HandOn {
            Objects.requireNonNull(rejection, "rejection");
        }
    }
}
