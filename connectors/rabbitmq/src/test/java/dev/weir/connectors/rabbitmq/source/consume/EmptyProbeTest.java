package dev.weir.connectors.rabbitmq.source.consume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.broker.SharedRabbit;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.SourceOptions;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a queue is empty is found out without touching what is in it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class EmptyProbeTest {

    private static final int MESSAGES = 300;
    private static final int PREFETCH = 10;
    /** Longer than a queue must be open before anybody asks, and than the pause between two questions. */
    private static final Duration UNTIL_ASKED = Duration.ofMillis(1_200);

    private static Consumers consumers(TestBroker broker, String queue) {
        SourceOptions options = new SourceOptions(
                new Broker(broker.config(), null, null),
                List.of(queue),
                Topology.NONE,
                BackOff.DEFAULT,
                false,
                delivery -> "",
                PREFETCH,
                1 << 20,
                PREFETCH,
                Duration.ofMinutes(30),
                Bound.untilEmpty());
        Consumers consumers = new Consumers(options, "probe");
        consumers.add(List.of(queue));
        consumers.expectAcknowledgements();
        return consumers;
    }

    private static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(n -> "m" + n).toList();
    }

    /** Reads to the end, acknowledging one by one, so that there is always room in the window. */
    private static List<String> read(Consumers consumers, String queue) throws Exception {
        List<String> read = new ArrayList<>();
        long asked = System.nanoTime() + UNTIL_ASKED.toNanos();
        while (true) {
            consumers.keepOpen();
            ConsumerEvent event = consumers.next(Duration.ofMillis(1));
            if (event instanceof ConsumerEvent.Drained) {
                return read;
            }
            if (event instanceof ConsumerEvent.Delivered delivered) {
                var delivery = delivered.delivery();
                assertThat(delivery.envelope().isRedeliver())
                        .as("whether message %s was given back", read.size())
                        .isFalse();
                read.add(new String(delivery.body(), StandardCharsets.UTF_8));
                while (System.nanoTime() < asked) {
                    Thread.onSpinWait();
                }
                consumers.acknowledge(
                        queue, delivered.channel(), delivery.envelope().getDeliveryTag());
            }
            consumers.drain(queue);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "quorum"})
    void onRabbitMqNoMessageIsGivenBackAndTheOrderStays(String type) throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker)) {
            String queue = TestBroker.unique("probed");
            queues.channel().queueDeclare(queue, true, false, false, Map.of("x-queue-type", type));
            queues.write(queue, texts(0, MESSAGES));
            try (Consumers consumers = consumers(broker, queue)) {
                assertThat(read(consumers, queue)).isEqualTo(texts(0, MESSAGES));
            }
            assertThat(queues.ready(queue)).isZero();
            queues.channel().queueDelete(queue);
        }
    }

    /** Such as Qpid, which counts what is unacknowledged too: it is asked for a message, but only when none come. */
    @Test
    void onAnotherBrokerNoMessageIsGivenBackWhileMessagesFlow() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker)) {
            String queue = queues.create("probed");
            queues.write(queue, texts(0, MESSAGES));
            try (Consumers consumers = consumers(broker, queue)) {
                assertThat(read(consumers, queue)).isEqualTo(texts(0, MESSAGES));
            }
            assertThat(queues.take(queue)).isEmpty();
        }
    }
}
