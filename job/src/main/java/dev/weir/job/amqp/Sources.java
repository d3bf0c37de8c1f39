package dev.weir.job.amqp;

import dev.weir.connectors.rabbitmq.source.Delivery;
import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.RabbitMqSource;
import dev.weir.connectors.rabbitmq.source.RabbitMqSourceBuilder;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import java.util.UUID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;

/**
 * The sources of the jobs. They pass every body on unread, so no message fails here; the next operator reports what is
 * wrong with it.
 */
public final class Sources {

    /** What a job that lags holds of a queue: a window of messages of a megabyte would fill the heap. */
    private static final long MOST_BYTES = 32L << 20;

    /** Of those with many messages: reports of pilots, and what is pushed and reported to the queues. */
    private static final long MOST_BYTES_OF_BUSY = 64L << 20;

    private final Configuration configuration;

    public Sources(Configuration configuration) {
        this.configuration = configuration;
    }

    /**
     * Reads a queue at least once, which is enough where the core recognises repeated events.
     *
     * @param what the content of the queue; part of the operator's name and of its uid
     */
    public SingleOutputStreamOperator<Inbound> read(
            StreamExecutionEnvironment env, Kind kind, String queue, String what) {
        RabbitMqSource<Inbound> source = source(queue, new AsItIs(kind))
                .setMaxBufferedBytes(kind == Kind.REPORT ? MOST_BYTES_OF_BUSY : MOST_BYTES)
                .build();
        return add(env, queue, what, source);
    }

    /** Reads a queue of requests to queues, each once, by the id of its message. Those that may have come before say so. */
    public SingleOutputStreamOperator<Inbound> readOnce(StreamExecutionEnvironment env, String queue, String what) {
        RabbitMqSource<Inbound> source = source(queue, new Requests())
                .setMaxBufferedBytes(MOST_BYTES_OF_BUSY)
                .setGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                .setMessageId(Sources::id)
                .build();
        return add(env, queue, what, source);
    }

    /** What has no id is a message of its own each time. */
    private static String id(Delivery delivery) {
        String id = delivery.properties().getMessageId();
        return id == null || id.isEmpty() ? UUID.randomUUID().toString() : id;
    }

    private RabbitMqSourceBuilder<Inbound> source(String queue, DeliveryDeserializer<Inbound> deserializer) {
        return RabbitMqSource.<Inbound>builder()
                .setConnection(Broker.connection(configuration))
                .setTopology(WeirTopology.of(configuration))
                .setReconnect(Broker.RECONNECT)
                .setQueues(queue)
                .setPrefetch(configuration.get(AmqpOptions.PREFETCH))
                .setDeserializer(deserializer);
    }

    private static SingleOutputStreamOperator<Inbound> add(
            StreamExecutionEnvironment env, String queue, String what, RabbitMqSource<Inbound> source) {
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "Read " + what + " from " + queue, Inbound.TYPE)
                .uid("read-" + what.replace(' ', '-'));
    }

    private static Inbound arrived(Kind kind, Delivery delivery) {
        return Inbound.arrived(kind, delivery.queue(), System.currentTimeMillis(), delivery.body());
    }

    /** Wraps a body without looking into it. */
    private record AsItIs(Kind kind) implements DeliveryDeserializer<Inbound> {

        @Override
        public void deserialize(Delivery delivery, Collector<Inbound> out) {
            out.collect(arrived(kind, delivery));
        }

        @Override
        public TypeInformation<Inbound> getProducedType() {
            return Inbound.TYPE;
        }
    }

    /** Wraps a request to the queues. */
    private static final class Requests implements DeliveryDeserializer<Inbound> {

        @Override
        public void deserialize(Delivery delivery, Collector<Inbound> out) {
            boolean again = delivery.envelope().isRedeliver();
            out.collect(arrived(again ? Kind.QUEUE_REQUEST_AGAIN : Kind.QUEUE_REQUEST, delivery));
        }

        @Override
        public TypeInformation<Inbound> getProducedType() {
            return Inbound.TYPE;
        }
    }
}
