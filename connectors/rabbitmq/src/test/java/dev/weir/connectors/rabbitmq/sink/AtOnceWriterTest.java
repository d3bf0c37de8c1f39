package dev.weir.connectors.rabbitmq.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.weir.connectors.rabbitmq.broker.FreePort;
import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.connectors.rabbitmq.sink.publish.Publisher;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.junit.jupiter.api.Test;

/** What a writer that publishes at once leaves to a checkpoint when its broker is away. */
class AtOnceWriterTest {

    private static final Duration SOON = Duration.ofMillis(10);

    private final PublisherMetrics metrics = PublisherMetrics.detached(new UnregisteredMetricsGroup());

    /** The text {@code strange} has a header for which AMQP has no type. */
    private static AmqpMessage message(String text) {
        Map<String, Object> headers = text.equals("strange") ? Map.of("when", Instant.EPOCH) : Map.of();
        BasicProperties properties =
                new BasicProperties.Builder().messageId(text).headers(headers).build();
        return new AmqpMessage("", "any", properties, text.getBytes(UTF_8));
    }

    private AtOnceWriter<String> writer(Refused refused) throws IOException {
        RMQConnectionConfig nobody = new RMQConnectionConfig.Builder()
                .setUri("amqp://guest:guest@127.0.0.1:" + FreePort.next())
                .build();
        SinkOptions options = new SinkOptions(
                new Broker(nobody, null, null),
                Topology.NONE,
                BackOff.DEFAULT,
                100,
                1 << 20,
                1 << 20,
                SOON,
                Unroutable.fail(),
                refused);
        Publisher publisher = new Publisher(options, "test", metrics);
        publisher.start();
        return new AtOnceWriter<>(new Routing<>(AtOnceWriterTest::message, refused, metrics), publisher);
    }

    /** The ids, as a restored job has them. */
    private static List<String> checkpointed(AtOnceWriter<String> writer) throws Exception {
        MessageBatchSerializer serializer = new MessageBatchSerializer();
        List<String> ids = new ArrayList<>();
        writer.flush(false);
        for (MessageBatch batch : writer.snapshotState(1)) {
            byte[] bytes = serializer.serialize(batch);
            for (AmqpMessage message :
                    serializer.deserialize(serializer.getVersion(), bytes).messages()) {
                ids.add(message.properties().getMessageId());
            }
        }
        return ids;
    }

    private static void write(AtOnceWriter<String> writer, String... texts) throws Exception {
        for (String text : texts) {
            writer.write(text, null);
        }
    }

    @Test
    void aMessageThatCannotBeEncodedIsDroppedIfSoToldAndTheCheckpointCompletes() throws Exception {
        try (AtOnceWriter<String> writer = writer(Refused.dropAndCount())) {
            write(writer, "m1", "strange", "m2");
            assertThat(checkpointed(writer)).containsExactly("m1", "m2");
        }
        assertThat(metrics.refused().getCount()).isEqualTo(1);
        assertThat(metrics.sent().getCount()).isEqualTo(2);
    }

    @Test
    void anotherTakesItsPlaceIfSoToldAndIsInTheCheckpoint() throws Exception {
        try (AtOnceWriter<String> writer = writer(Refused.handOn((message, reason) -> message("instead")))) {
            write(writer, "m1", "strange", "m2");
            assertThat(checkpointed(writer)).containsExactly("m1", "instead", "m2");
        }
    }

    @Test
    void unlessToldOtherwiseOrIfTheOtherCannotBeEncodedEitherItFailsTheTask() throws Exception {
        try (AtOnceWriter<String> writer = writer(Refused.fail())) {
            assertThatThrownBy(() -> write(writer, "strange")).hasMessageContaining("setRefused");
        }
        try (AtOnceWriter<String> writer = writer(Refused.handOn((message, reason) -> message("strange")))) {
            assertThatThrownBy(() -> write(writer, "strange")).hasMessageContaining("setRefused");
        }
    }
}
