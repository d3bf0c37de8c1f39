package dev.weir.job.amqp;

import dev.weir.connectors.rabbitmq.source.Delivery;
import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.RabbitMqSource;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;

/**
 * The sources of the jobs. They pass every body on unread, so no message fails here; the next operator reports what is
 * wrong with it. At-least-once is enough, because the core recognises repeated events.
 */
public final class Sources {

    private final Configuration configuration;

    public Sources(Configuration configuration) {
        this.configuration = configuration;
    }

    /**
     * Reads a queue.
     *
     * @param what the content of the queue; part of the operator's name and of its uid
     */
    public SingleOutputStreamOperator<Inbound> read(
            StreamExecutionEnvironment env, Kind kind, String queue, String what) {
        RabbitMqSource<Inbound> source = RabbitMqSource.<Inbound>builder()
                .setConnection(Broker.connection(configuration))
                .setTopology(WeirTopology.of(configuration))
                .setQueues(queue)
                .setPrefetch(configuration.get(AmqpOptions.PREFETCH))
                .setDeserializer(new AsItIs(kind))
                .build();
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "Read " + what + " from " + queue, Inbound.TYPE)
                .uid("read-" + what.replace(' ', '-'));
    }

    /** Wraps a body without looking into it. */
    private record AsItIs(Kind kind) implements DeliveryDeserializer<Inbound> {

        @Override
        public void deserialize(Delivery delivery, Collector<Inbound> out) {
            out.collect(Inbound.arrived(kind, delivery.queue(), System.currentTimeMillis(), delivery.body()));
        }

        @Override
        public TypeInformation<Inbound> getProducedType() {
            return Inbound.TYPE;
        }
    }
}
