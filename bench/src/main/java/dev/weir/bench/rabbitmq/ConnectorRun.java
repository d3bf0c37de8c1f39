package dev.weir.bench.rabbitmq;

import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.RabbitMqSink;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.Delivery;
import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.RabbitMqSource;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.apache.flink.util.Collector;

/**
 * One Flink job at parallelism 1 with a checkpoint every second, in a separate JVM; prints messages per second, from the
 * first message to the last. Arguments: sink or source, URI, queue, messages, bytes or prefetch.
 */
public final class ConnectorRun {

    private static final AtomicLong FIRST = new AtomicLong();
    private static final AtomicLong LAST = new AtomicLong();
    private static final int CHECKPOINT_MILLIS = 1_000;

    private ConnectorRun() {}

    public static void main(String[] arguments) throws Exception {
        RMQConnectionConfig broker =
                new RMQConnectionConfig.Builder().setUri(arguments[1]).build();
        String queue = arguments[2];
        int messages = Integer.parseInt(arguments[3]);
        int size = Integer.parseInt(arguments[4]);
        StreamExecutionEnvironment flink = StreamExecutionEnvironment.getExecutionEnvironment();
        flink.setParallelism(1);
        flink.enableCheckpointing(CHECKPOINT_MILLIS);
        int unfinished = 0;
        if (arguments[0].equals("sink")) {
            byte[] body = new byte[size];
            // Messages that may be unconfirmed at the last record are not counted.
            unfinished = ConnectorBenchmark.IN_FLIGHT;
            flink.fromSequence(1, messages)
                    .sinkTo(RabbitMqSink.<Long>builder()
                            .setConnection(broker)
                            .setMaxInFlight(ConnectorBenchmark.IN_FLIGHT)
                            .setRouter(n -> {
                                passed();
                                return AmqpMessage.persistent("", queue, Long.toString(n), body);
                            })
                            .build());
        } else {
            flink.fromSource(
                            RabbitMqSource.<Integer>builder()
                                    .setConnection(broker)
                                    .setQueues(queue)
                                    .setPrefetch(size)
                                    .setBounded(Bound.afterCount(messages))
                                    .setDeserializer(new Length())
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    .sinkTo(new DiscardingSink<>());
        }
        flink.execute();
        System.out.println((messages - unfinished) * 1e9 / (LAST.get() - FIRST.get()));
    }

    private static void passed() {
        long now = System.nanoTime();
        if (FIRST.get() == 0) {
            FIRST.set(now);
        }
        LAST.set(now);
    }

    private static final class Length implements DeliveryDeserializer<Integer> {
        private static final long serialVersionUID = 1L;

        @Override
        public void deserialize(Delivery delivery, Collector<Integer> out) {
            passed();
            out.collect(delivery.body().length);
        }

        @Override
        public TypeInformation<Integer> getProducedType() {
            return Types.INT;
        }
    }
}
