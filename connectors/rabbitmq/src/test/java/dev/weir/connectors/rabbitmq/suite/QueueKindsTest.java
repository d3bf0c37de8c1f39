package dev.weir.connectors.rabbitmq.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.MessageProperties;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.Delivery;
import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.RabbitMqSourceBuilder;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;

/** Queues and messages out of the ordinary, on a RabbitMQ: replicated, empty, and very large. */
class QueueKindsTest extends OnSharedRabbit {

    private static Tally read(RabbitMqSourceBuilder<String> source, String queue) throws Exception {
        Tally seen = new Tally(queue);
        var flink = Jobs.flink(0);
        flink.fromSource(source.setBounded(Bound.untilEmpty()).build(), WatermarkStrategy.noWatermarks(), "source")
                .map(seen)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        flink.execute();
        return seen;
    }

    @Test
    void aQuorumQueueIsDeclaredFilledAndReadToItsEndThoughTheWindowIsSmall() throws Exception {
        int messages = 1_000;
        String queue = TestBroker.unique("quorum");
        Topology quorum =
                Topology.NONE.withQueue(new Topology.Queue(queue, Map.of(), Map.of("x-queue-type", "quorum")));
        var flink = Jobs.flink(0);
        flink.fromSequence(1, messages)
                .map(n -> "m" + n)
                .returns(Types.STRING)
                .sinkTo(Jobs.sink(broker, queue, Publishing.AT_ONCE)
                        .setTopology(quorum)
                        .build());
        flink.execute();
        try {
            Tally seen = read(
                    Jobs.source(broker, queue, DeliveryGuarantee.EXACTLY_ONCE).setPrefetch(100), queue);
            assertThat(seen.distinct()).isEqualTo(messages);
            assertThat(seen.repetitions()).isZero();
            Jobs.await().until(() -> queues.ready(queue) == 0);
        } finally {
            queues.channel().queueDelete(queue);
        }
    }

    @Test
    void anEmptyQueueIsReadToItsEnd() throws Exception {
        String queue = queues.create("empty");
        assertThat(read(Jobs.source(broker, queue, DeliveryGuarantee.EXACTLY_ONCE), queue)
                        .distinct())
                .isZero();
    }

    /** The client library refuses more than 64 MiB unless told otherwise, and the broker would deliver it for ever. */
    @Test
    void aMessageAsLargeAsTheBrokerTakesIsRead() throws Exception {
        int bytes = 70 << 20;
        String queue = queues.create("large");
        queues.channel().basicPublish("", queue, MessageProperties.MINIMAL_PERSISTENT_BASIC, new byte[bytes]);
        queues.awaitConfirms();
        Tally seen =
                read(Jobs.source(broker, queue, DeliveryGuarantee.AT_LEAST_ONCE).setDeserializer(new Length()), queue);
        assertThat(seen.counts()).containsOnlyKeys("" + bytes);
    }

    private static final class Length implements DeliveryDeserializer<String> {
        @Override
        public void deserialize(Delivery delivery, Collector<String> out) {
            out.collect("" + delivery.body().length);
        }

        @Override
        public TypeInformation<String> getProducedType() {
            return Types.STRING;
        }
    }
}
