package dev.weir.connectors.rabbitmq.source.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.broker.FreePort;
import dev.weir.connectors.rabbitmq.broker.SharedRabbit;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.SourceOptions;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.junit.jupiter.api.Test;

class ConsumersTest {

    private static Consumers consumers(RMQConnectionConfig to, Duration giveUpAfter, String queue) {
        return consumers(to, giveUpAfter, queue, Topology.NONE);
    }

    private static Consumers consumers(RMQConnectionConfig to, Duration giveUpAfter, String queue, Topology topology) {
        SourceOptions options = new SourceOptions(
                new Broker(to, null, null),
                List.of(queue),
                topology,
                new BackOff(Duration.ofMillis(20), Duration.ofMillis(100), giveUpAfter),
                false,
                delivery -> "",
                10,
                1 << 20,
                10,
                Duration.ofMinutes(30),
                Bound.never());
        Consumers consumers = new Consumers(options, "test");
        consumers.add(List.of(queue));
        return consumers;
    }

    private static ConsumerEvent.Delivered nextDelivery(Consumers consumers) throws Exception {
        for (int tries = 0; tries < 500; tries++) {
            consumers.keepOpen();
            ConsumerEvent event = consumers.next(Duration.ofMillis(20));
            if (event instanceof ConsumerEvent.Interrupted interrupted) {
                consumers.interrupted(interrupted);
            } else if (event instanceof ConsumerEvent.Delivered delivered) {
                return delivered;
            }
        }
        throw new AssertionError("nothing was delivered within 10 s");
    }

    @Test
    void anAcknowledgementThatFailsBringsTheMessageAgainAndOldChannelsAreNotAcknowledged() throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker)) {
            String queue = queues.create("failing-ack");
            queues.write(queue, List.of("precious"));
            try (Consumers consumers = consumers(broker.config(), Duration.ofSeconds(30), queue)) {
                ConsumerEvent.Delivered first = nextDelivery(consumers);
                long tag = first.delivery().envelope().getDeliveryTag();
                // The broker closes a channel that acknowledges what it never delivered.
                consumers.acknowledge(queue, first.channel(), tag + 1_000);
                ConsumerEvent.Delivered again = nextDelivery(consumers);
                assertThat(again.delivery().body()).isEqualTo(first.delivery().body());
                assertThat(again.channel()).isNotEqualTo(first.channel());
                assertThat(consumers.acknowledge(queue, first.channel(), tag)).isFalse();
                assertThat(consumers.acknowledge(
                                queue,
                                again.channel(),
                                again.delivery().envelope().getDeliveryTag()))
                        .isTrue();
            }
            assertThat(queues.take(queue)).isEmpty();
        }
    }

    private static void openUntilItFails(Consumers consumers) throws Exception {
        while (true) {
            consumers.keepOpen();
            consumers.next(Duration.ofMillis(10));
        }
    }

    @Test
    void wrongCredentialsFailTheSourceAtOnce() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start()) {
            RMQConnectionConfig stranger = new RMQConnectionConfig.Builder()
                    .setUri(broker.uri().replace("guest:guest", "somebody:secret"))
                    .build();
            try (Consumers consumers = consumers(stranger, Duration.ofMinutes(10), "q")) {
                assertThatThrownBy(() -> openUntilItFails(consumers))
                        .hasMessageContaining("Queue q at 127.0.0.1")
                        .hasMessageContaining("cannot be consumed")
                        .hasMessageNotContaining("secret")
                        .hasMessageNotContaining("somebody");
            }
        }
    }

    @Test
    void anotherDeclarationOfAQueueIsReportedWithTheNameOfThatQueue() throws Exception {
        TestBroker broker = SharedRabbit.orSkip();
        try (TextQueues queues = new TextQueues(broker)) {
            String mine = queues.create("mine");
            String unequal = queues.create("unequal");
            Topology topology =
                    Topology.queues(mine).withQueue(new Topology.Queue(unequal, Map.of("x-max-length", 5), Map.of()));
            try (Consumers consumers = consumers(broker.config(), Duration.ofMinutes(10), mine, topology)) {
                assertThatThrownBy(() -> openUntilItFails(consumers))
                        .hasMessageContaining("queue '" + unequal + "' cannot be declared as in setTopology: 406")
                        .hasMessageContaining("x-max-length");
            }
        }
    }

    @Test
    void aQueueThatIsMissingIsWaitedFor() throws Exception {
        String queue = TestBroker.unique("later");
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker);
                Consumers consumers = consumers(broker.config(), Duration.ofMinutes(10), queue)) {
            assertThat(consumers.keepOpen()).isPositive();
            queues.declare(queue);
            queues.write(queue, List.of("patience"));
            assertThat(nextDelivery(consumers).delivery().queue()).isEqualTo(queue);
        }
    }

    @Test
    void aBrokerThatStaysAwayFailsTheSourceAfterItsLimitWithoutTellingThePassword() {
        RMQConnectionConfig nowhere = new RMQConnectionConfig.Builder()
                .setUri("amqp://somebody:secret@127.0.0.1:" + FreePort.next())
                .build();
        try (Consumers consumers = consumers(nowhere, Duration.ofMillis(200), "q")) {
            assertThatThrownBy(() -> openUntilItFails(consumers))
                    .hasMessageContaining("could not be consumed")
                    .hasMessageContaining("setReconnect")
                    .hasMessageNotContaining("secret")
                    .hasMessageNotContaining("somebody");
        }
    }
}
