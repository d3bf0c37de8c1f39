package dev.weir.connectors.rabbitmq.sink;

import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Credentials;
import dev.weir.connectors.rabbitmq.common.Durations;
import dev.weir.connectors.rabbitmq.common.Tls;
import dev.weir.connectors.rabbitmq.common.Topology;
import java.time.Duration;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.apache.flink.util.InstantiationUtil;

/** Describes a {@link RabbitMqSink}. Connection and router are required, everything else has a default. */
@PublicEvolving
public final class RabbitMqSinkBuilder<T> {

    @Nullable private RMQConnectionConfig connection;

    @Nullable private Credentials credentials;

    @Nullable private Tls tls;

    @Nullable private MessageRouter<T> router;

    private Publishing publishing = Publishing.AT_ONCE;
    private Topology topology = Topology.NONE;
    private BackOff backOff = BackOff.DEFAULT;
    private int maxInFlight = 4_096;
    private long maxInFlightBytes = 64L << 20;
    private long maxHeldBytes = 64L << 20;
    private Duration confirmTimeout = Duration.ofSeconds(30);
    private Unroutable unroutable = Unroutable.fail();
    private Refused refused = Refused.fail();

    RabbitMqSinkBuilder() {}

    /** Where the broker is. Required. */
    public RabbitMqSinkBuilder<T> setConnection(RMQConnectionConfig connection) {
        this.connection = connection;
        return this;
    }

    /** Takes user and password from files or the environment instead of from the connection. */
    public RabbitMqSinkBuilder<T> setCredentials(Credentials credentials) {
        this.credentials = credentials;
        return this;
    }

    /** Uses TLS and sets which authorities to trust. A URI with {@code amqps} uses TLS without this, trusting the runtime. */
    public RabbitMqSinkBuilder<T> setTls(Tls tls) {
        this.tls = tls;
        return this;
    }

    /** Makes messages of records. Required; must be serializable. See {@link MessageRouter#ofBody} for a schema of Flink's. */
    public RabbitMqSinkBuilder<T> setRouter(MessageRouter<T> router) {
        this.router = router;
        return this;
    }

    /** When messages leave; default {@link Publishing#AT_ONCE}. */
    public RabbitMqSinkBuilder<T> setPublishing(Publishing publishing) {
        this.publishing = Objects.requireNonNull(publishing);
        return this;
    }

    /** Most messages that may be unconfirmed, 1 or more; default 4,096. At the limit the sink holds its input back. */
    public RabbitMqSinkBuilder<T> setMaxInFlight(int messages) {
        if (messages < 1) {
            throw new IllegalArgumentException("at least one message must be allowed in flight, not " + messages);
        }
        this.maxInFlight = messages;
        return this;
    }

    /** Most bytes that may be unconfirmed, 1 or more; default 64 MiB. A message larger than this goes alone. */
    public RabbitMqSinkBuilder<T> setMaxInFlightBytes(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("at least one byte must be allowed in flight, not " + bytes);
        }
        this.maxInFlightBytes = bytes;
        return this;
    }

    /**
     * Publishing on commit: most bytes that one writer hands to one checkpoint, 1 or more; default 64 MiB. When more wait in memory, the
     * sink holds its input back, to as many bytes in a minute; what is beyond goes with the checkpoints that follow. So a writer holds
     * this much times one more than the minutes between two checkpoints, and each state it leaves is of about 4 MiB at most. A
     * committer's state is one value: this much for each of its writers, and as much again for each checkpoint in a row that fails.
     * Flink copies that value while it takes a checkpoint, so have five times this much heap.
     * If no checkpoint has ever come, as in batch mode, the task fails at twice this much.
     */
    public RabbitMqSinkBuilder<T> setMaxHeldBytes(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("at least one byte must be allowed to wait, not " + bytes);
        }
        this.maxHeldBytes = bytes;
        return this;
    }

    /**
     * How long to wait for confirms; default 30 s. A checkpoint waits until the oldest message is as old as this, and not at all while the
     * broker blocks the connection: what is unconfirmed then goes into the checkpoint. A connection that confirms nothing for this long,
     * though it is not blocked, is replaced.
     */
    public RabbitMqSinkBuilder<T> setConfirmTimeout(Duration timeout) {
        this.confirmTimeout = Durations.positive("the confirm timeout", timeout);
        return this;
    }

    /** What to do with messages that no queue is bound for; default {@link Unroutable#fail()}. */
    public RabbitMqSinkBuilder<T> setUnroutable(Unroutable unroutable) {
        this.unroutable = Objects.requireNonNull(unroutable);
        return this;
    }

    /** What to do with messages that the broker will never take; default {@link Refused#fail()}. Must be serializable. */
    public RabbitMqSinkBuilder<T> setRefused(Refused refused) {
        this.refused = Objects.requireNonNull(refused);
        return this;
    }

    /** Declares queues, exchanges and bindings after every connect; default none. */
    public RabbitMqSinkBuilder<T> setTopology(Topology topology) {
        this.topology = Objects.requireNonNull(topology);
        return this;
    }

    /** Pauses between reconnects, and when to fail the task; default {@link BackOff#DEFAULT}. */
    public RabbitMqSinkBuilder<T> setReconnect(BackOff backOff) {
        this.backOff = Objects.requireNonNull(backOff);
        return this;
    }

    /**
     * The sink.
     *
     * @throws NullPointerException if connection or router is missing
     * @throws IllegalArgumentException if the router or the handler of refused messages cannot be serialized
     */
    public RabbitMqSink<T> build() {
        Objects.requireNonNull(connection, "a connection is needed: setConnection(RMQConnectionConfig)");
        Objects.requireNonNull(router, "a router is needed: setRouter(record -> message)");
        requireSerializable(router, "router");
        requireSerializable(refused, "handler of refused messages");
        SinkOptions options = new SinkOptions(
                new Broker(connection, credentials, tls),
                topology,
                backOff,
                maxInFlight,
                maxInFlightBytes,
                maxHeldBytes,
                confirmTimeout,
                unroutable,
                refused);
        return publishing == Publishing.AT_ONCE
                ? new AtOnceSink<>(router, options)
                : new OnCommitSink<>(router, options);
    }

    private static void requireSerializable(Object given, String what) {
        if (!InstantiationUtil.isSerializable(given)) {
            throw new IllegalArgumentException(
                    "the " + what + " must be serializable: does it hold on to something that is not?");
        }
    }
}
