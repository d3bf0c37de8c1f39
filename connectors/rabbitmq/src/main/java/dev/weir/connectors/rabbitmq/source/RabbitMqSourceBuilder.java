package dev.weir.connectors.rabbitmq.source;

import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Credentials;
import dev.weir.connectors.rabbitmq.common.Durations;
import dev.weir.connectors.rabbitmq.common.Tls;
import dev.weir.connectors.rabbitmq.common.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.function.SerializableFunction;

/** Describes a {@link RabbitMqSource}. Connection, queues and deserializer are required, everything else has a default. */
@PublicEvolving
public final class RabbitMqSourceBuilder<T> {

    /** AMQP counts the prefetch window in 16 bits. */
    static final int MAX_PREFETCH = 65_535;

    private static final int DEFAULT_PREFETCH = 10_000;
    /** For all queues together: by default their ids shall fit into a checkpoint of 5 MiB; see {@code StateAdvice}. */
    private static final int DEFAULT_REMEMBERED = 100_000;

    @Nullable private RMQConnectionConfig connection;

    @Nullable private Credentials credentials;

    @Nullable private Tls tls;

    private List<String> queues = List.of();

    @Nullable private DeliveryDeserializer<T> deserializer;

    private boolean exactlyOnce;
    private SerializableFunction<Delivery, String> messageId =
            delivery -> delivery.properties().getMessageId();
    private int prefetch;
    private long maxBufferedBytes = 128L << 20;

    @Nullable private Integer remembered;

    private Undeserializable<T> undeserializable = Undeserializable.fail();
    private Bound bound = Bound.never();
    private Topology topology = Topology.NONE;
    private BackOff backOff = BackOff.DEFAULT;
    private Duration consumerTimeout = Duration.ofMinutes(30);

    RabbitMqSourceBuilder() {}

    /** Where the broker is. Required. Its prefetch count is used unless {@link #setPrefetch} is. */
    public RabbitMqSourceBuilder<T> setConnection(RMQConnectionConfig connection) {
        this.connection = connection;
        return this;
    }

    /** Takes user and password from files or the environment instead of from the connection. */
    public RabbitMqSourceBuilder<T> setCredentials(Credentials credentials) {
        this.credentials = credentials;
        return this;
    }

    /** Uses TLS and sets which authorities to trust. A URI with {@code amqps} uses TLS without this, trusting the runtime. */
    public RabbitMqSourceBuilder<T> setTls(Tls tls) {
        this.tls = tls;
        return this;
    }

    /** The queues to consume, at least one. Required. */
    public RabbitMqSourceBuilder<T> setQueues(String... queues) {
        this.queues = new ArrayList<>(new LinkedHashSet<>(List.of(queues)));
        return this;
    }

    /** Makes records of messages. Required; must be serializable. */
    public RabbitMqSourceBuilder<T> setDeserializer(DeliveryDeserializer<T> deserializer) {
        this.deserializer = deserializer;
        return this;
    }

    /**
     * {@code AT_LEAST_ONCE} (default) or {@code EXACTLY_ONCE}.
     *
     * @throws IllegalArgumentException for {@code NONE}: what is acknowledged before it is safe may be lost
     */
    public RabbitMqSourceBuilder<T> setGuarantee(DeliveryGuarantee guarantee) {
        if (guarantee == DeliveryGuarantee.NONE) {
            throw new IllegalArgumentException("this source loses nothing: choose AT_LEAST_ONCE or EXACTLY_ONCE");
        }
        this.exactlyOnce = guarantee == DeliveryGuarantee.EXACTLY_ONCE;
        return this;
    }

    /** What identifies a message for {@code EXACTLY_ONCE}; default its {@code message_id}. Null or empty: unreadable. */
    public RabbitMqSourceBuilder<T> setMessageId(SerializableFunction<Delivery, String> messageId) {
        this.messageId = Objects.requireNonNull(messageId);
        return this;
    }

    /**
     * Most messages of one queue that are delivered and not acknowledged, 1 to 65,535; default 10,000. Acknowledgements come with
     * checkpoints, so a steady stream needs 2 × messages per second × checkpoint interval in seconds; a warning says so when
     * it has less. All of them may be in memory at once, up to {@link #setMaxBufferedBytes}.
     */
    public RabbitMqSourceBuilder<T> setPrefetch(int messages) {
        if (messages < 1 || messages > MAX_PREFETCH) {
            throw new IllegalArgumentException("the prefetch must be between 1 and " + MAX_PREFETCH
                    + " (AMQP counts it in 16 bits), not " + messages);
        }
        this.prefetch = messages;
        return this;
    }

    /**
     * Most bytes of message bodies that one reader, for all its queues, holds delivered and not yet made into records, 1 or more; default
     * 128 MiB. AMQP counts a prefetch window in messages only. When a window holds more bytes, what is beyond is dropped at the door,
     * unacknowledged, and its queue is opened again with a window of fewer messages for ten minutes (by a source that ends, to its end). What was unacknowledged
     * comes again then, as after a lost connection. So a reader holds at most this much, and one more message of each queue.
     */
    public RabbitMqSourceBuilder<T> setMaxBufferedBytes(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("at least one byte must be allowed to wait, not " + bytes);
        }
        this.maxBufferedBytes = bytes;
        return this;
    }

    /**
     * With {@code EXACTLY_ONCE}: how many messages of each queue are still recognised after they were acknowledged, 0 or more, and never
     * fewer than the prefetch; default 100,000 divided by the number of queues. Each takes 16 bytes of state. A broker that is killed forgets
     * acknowledgements that it had not written to disk, and delivers those messages again.
     */
    public RabbitMqSourceBuilder<T> setRememberedAcknowledged(int messages) {
        if (messages < 0) {
            throw new IllegalArgumentException("the number of remembered messages cannot be negative: " + messages);
        }
        this.remembered = messages;
        return this;
    }

    /** What to do with a message that cannot be read; default {@link Undeserializable#fail()}. */
    public RabbitMqSourceBuilder<T> setUndeserializable(Undeserializable<T> handler) {
        this.undeserializable = Objects.requireNonNull(handler);
        return this;
    }

    /**
     * When the source ends; default {@link Bound#never()}. Messages are acknowledged by checkpoints, so a job that is to consume them
     * runs in Flink's streaming mode with checkpoints on. In batch mode, which has none, queues are read however deep they are, and
     * keep their messages: those go back when the task ends. In memory is one prefetch window of each queue at most.
     *
     * <p>If a queue's connection breaks before its last messages are acknowledged, or, without checkpoints, at all, the task fails, so that a
     * restart takes what comes again; {@code EXACTLY_ONCE} recognises it.
     */
    public RabbitMqSourceBuilder<T> setBounded(Bound bound) {
        this.bound = Objects.requireNonNull(bound);
        return this;
    }

    /** Declares queues, exchanges and bindings after every connect; default none. */
    public RabbitMqSourceBuilder<T> setTopology(Topology topology) {
        this.topology = Objects.requireNonNull(topology);
        return this;
    }

    /** Pauses between reconnects, and when to fail the task; default {@link BackOff#DEFAULT}. */
    public RabbitMqSourceBuilder<T> setReconnect(BackOff backOff) {
        this.backOff = Objects.requireNonNull(backOff);
        return this;
    }

    /**
     * The broker's {@code consumer_timeout}, which it does not announce: how long a message may stay unacknowledged before the
     * broker closes the channel. Default 30 minutes, as RabbitMQ's. A warning comes at the start if the checkpoint interval in Flink's
     * configuration is more than half of it, and whenever a message has been unacknowledged for that long, also while the job's
     * output holds the source back; the age is looked at every 5 s, or 20 times in the timeout if that is more often.
     */
    public RabbitMqSourceBuilder<T> setConsumerTimeout(Duration timeout) {
        this.consumerTimeout = Durations.positive("the consumer timeout", timeout);
        return this;
    }

    /**
     * The source.
     *
     * @throws NullPointerException if connection or deserializer is missing
     * @throws IllegalArgumentException if there is no queue, or something given cannot be serialized
     */
    public RabbitMqSource<T> build() {
        Objects.requireNonNull(connection, "a connection is needed: setConnection(RMQConnectionConfig)");
        Objects.requireNonNull(deserializer, "a deserializer is needed: setDeserializer");
        if (queues.isEmpty()) {
            throw new IllegalArgumentException("at least one queue is needed: setQueues");
        }
        requireSerializable(deserializer, "deserializer");
        requireSerializable(undeserializable, "handler of unreadable messages");
        requireSerializable(messageId, "message id function");
        return new RabbitMqSource<>(options(), deserializer, undeserializable);
    }

    SourceOptions options() {
        if (prefetch == 0) {
            setPrefetch(connection.getPrefetchCount().orElse(DEFAULT_PREFETCH));
        }
        int perQueue = remembered == null ? DEFAULT_REMEMBERED / queues.size() : remembered;
        return new SourceOptions(
                new Broker(connection, credentials, tls),
                queues,
                topology,
                backOff,
                exactlyOnce,
                messageId,
                prefetch,
                maxBufferedBytes,
                // One acknowledgement may be for a whole window, and a broker that crashes forgets it as one.
                Math.max(perQueue, prefetch),
                consumerTimeout,
                bound);
    }

    private static void requireSerializable(Object given, String what) {
        if (!InstantiationUtil.isSerializable(given)) {
            throw new IllegalArgumentException(
                    "the " + what + " must be serializable: does it hold on to something that is not?");
        }
    }
}
