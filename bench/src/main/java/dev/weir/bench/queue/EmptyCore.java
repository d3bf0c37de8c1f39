package dev.weir.bench.queue;

import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.RabbitMqSink;
import dev.weir.connectors.rabbitmq.sink.Unroutable;
import dev.weir.connectors.rabbitmq.source.Delivery;
import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.RabbitMqSource;
import dev.weir.job.FlinkDefaults;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.apache.flink.util.Collector;

/**
 * A Flink job with Weir's defaults and Weir's connector, whose core answers at once: each message of asks becomes one message of answers
 * to the gateway that its first line names. Runs in this JVM until closed.
 */
final class EmptyCore implements AutoCloseable {

    private static final int PREFETCH = 10_000;

    private final JobClient job;

    /**
     * @param state a directory for checkpoints
     * @param asks the queue that it reads
     * @param answers the exchange that it writes; both exist
     */
    EmptyCore(String uri, String asks, String answers, Path state) throws Exception {
        Configuration flink = new Configuration();
        flink.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                state.resolve("checkpoints").toUri().toString());
        RMQConnectionConfig broker =
                new RMQConnectionConfig.Builder().setUri(uri).build();
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(1, FlinkDefaults.under(flink));
        env.fromSource(
                        RabbitMqSource.<byte[]>builder()
                                .setConnection(broker)
                                .setTopology(Topology.NONE)
                                .setQueues(asks)
                                .setPrefetch(PREFETCH)
                                .setDeserializer(new Body())
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "asks")
                .keyBy(body -> 0, Types.INT)
                .process(new Answer())
                .returns(PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)
                .sinkTo(RabbitMqSink.<byte[]>builder()
                        .setConnection(broker)
                        .setUnroutable(Unroutable.dropAndCount())
                        .setRouter(body -> AmqpMessage.persistent(answers, gateway(body), "a", body))
                        .build())
                .disableChaining();
        job = env.executeAsync("empty core");
    }

    /** The first line of a message. */
    private static String gateway(byte[] body) {
        int end = 0;
        while (body[end] != '\n') {
            end++;
        }
        return new String(body, 0, end, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws Exception {
        job.cancel().get(1, TimeUnit.MINUTES);
    }

    private static final class Body implements DeliveryDeserializer<byte[]> {
        private static final long serialVersionUID = 1L;

        @Override
        public void deserialize(Delivery delivery, Collector<byte[]> out) {
            out.collect(delivery.body());
        }

        @Override
        public TypeInformation<byte[]> getProducedType() {
            return PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
        }
    }

    private static final class Answer extends KeyedProcessFunction<Integer, byte[], byte[]> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(byte[] asks, Context context, Collector<byte[]> out) {
            out.collect(asks);
        }
    }
}
