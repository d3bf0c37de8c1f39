package dev.weir.connectors.rabbitmq.sink.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.broker.FreePort;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.common.Broker;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.PublisherMetrics;
import dev.weir.connectors.rabbitmq.sink.Refused;
import dev.weir.connectors.rabbitmq.sink.SinkOptions;
import dev.weir.connectors.rabbitmq.sink.Unroutable;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PublisherTest {

    private static final BackOff SOON =
            new BackOff(Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofSeconds(60));

    private static final Duration CONFIRM_TIMEOUT = Duration.ofMillis(500);

    private static EmbeddedBroker broker;
    private static TextQueues queues;

    private final PublisherMetrics metrics = PublisherMetrics.detached(new UnregisteredMetricsGroup());

    @BeforeAll
    static void start() throws Exception {
        broker = EmbeddedBroker.start();
        queues = new TextQueues(broker);
    }

    @AfterAll
    static void stop() throws Exception {
        queues.close();
        broker.close();
    }

    private Publisher publisher(Unroutable unroutable, BackOff backOff, Topology topology, RMQConnectionConfig to) {
        SinkOptions options = new SinkOptions(
                new Broker(to, null, null),
                topology,
                backOff,
                100,
                1 << 20,
                1 << 20,
                CONFIRM_TIMEOUT,
                unroutable,
                Refused.fail());
        Publisher publisher = new Publisher(options, "test", metrics);
        publisher.start();
        return publisher;
    }

    private Publisher publisher(Unroutable unroutable) {
        return publisher(unroutable, SOON, Topology.NONE, broker.config());
    }

    private static AmqpMessage message(String queue, String text) {
        return AmqpMessage.persistent("", queue, text, text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void messagesArriveInOrderAndAreConfirmed() throws Exception {
        String queue = queues.create("ordered");
        List<String> texts = new ArrayList<>();
        try (Publisher publisher = publisher(Unroutable.fail())) {
            for (int i = 0; i < 500; i++) {
                texts.add("m" + i);
                publisher.publish(message(queue, "m" + i));
            }
            publisher.awaitAllConfirmed();
            assertThat(publisher.unconfirmed()).isEmpty();
        }
        assertThat(queues.take(queue)).isEqualTo(texts);
    }

    @Test
    void theOrderIsKeptAcrossReconnects() throws Exception {
        String queue = queues.create("reconnects");
        List<String> texts = new ArrayList<>();
        try (Publisher publisher = publisher(Unroutable.fail())) {
            for (int i = 0; i < 1_000; i++) {
                texts.add("m" + i);
                publisher.publish(message(queue, "m" + i));
                var channel = i % 250 == 249 ? publisher.currentChannel() : null;
                if (channel != null) {
                    channel.getConnection().abort();
                }
            }
            publisher.awaitAllConfirmed();
        }
        assertThat(metrics.reconnects().getCount()).isPositive();
        List<String> arrived = queues.take(queue);
        assertThat(new LinkedHashSet<>(arrived)).containsExactlyElementsOf(texts);
    }

    @Test
    void anUnroutableMessageFailsTheSinkWithItsName() throws Exception {
        try (Publisher publisher = publisher(Unroutable.fail())) {
            publisher.publish(message("weir-connector-test.nowhere", "lost"));
            assertThatThrownBy(publisher::awaitAllConfirmed)
                    .hasMessageContaining("weir-connector-test.nowhere")
                    .hasMessageContaining("setUnroutable");
        }
    }

    @Test
    void anUnroutableMessageCanBeDroppedAndIsCounted() throws Exception {
        String queue = queues.create("dropping");
        try (Publisher publisher = publisher(Unroutable.dropAndCount())) {
            publisher.publish(message("weir-connector-test.nowhere", "lost"));
            publisher.publish(message(queue, "kept"));
            publisher.awaitAllConfirmed();
        }
        assertThat(metrics.unroutable().getCount()).isEqualTo(1);
        assertThat(queues.take(queue)).containsExactly("kept");
    }

    @Test
    void onlyMessagesToTheNamedExchangesAreDropped() throws Exception {
        try (Publisher publisher = publisher(Unroutable.dropAndCountTo("amq.topic"))) {
            publisher.publish(AmqpMessage.persistent("amq.topic", "nobody.listens", "event", new byte[] {1}));
            publisher.awaitAllConfirmed();
            publisher.publish(message("weir-connector-test.nowhere", "needed"));
            assertThatThrownBy(publisher::awaitAllConfirmed).hasMessageContaining("weir-connector-test.nowhere");
        }
        assertThat(metrics.unroutable().getCount()).isEqualTo(2);
    }

    @Test
    void anUnroutableMessageCanWaitForItsQueue() throws Exception {
        String queue = TestBroker.unique("late");
        try (Publisher publisher = publisher(Unroutable.retryUntil(Duration.ofSeconds(60)))) {
            publisher.publish(message(queue, "patient"));
            await().until(() -> metrics.unroutable().getCount() > 1);
            queues.declare(queue);
            publisher.awaitAllConfirmed();
        }
        assertThat(queues.take(queue)).contains("patient");
    }

    @Test
    void anUnroutableMessageWaitsNoLongerThanItsLimit() throws Exception {
        try (Publisher publisher = publisher(Unroutable.retryUntil(Duration.ofMillis(300)))) {
            publisher.publish(message("weir-connector-test.nowhere", "impatient"));
            assertThatThrownBy(publisher::awaitAllConfirmed).hasMessageContaining("was returned by the broker");
        }
    }

    @Test
    void whatIsUnconfirmedWhenTheBrokerIsAwayStaysForTheCheckpointAndIsTakenOver() throws Exception {
        String queue = queues.create("taken-over");
        RMQConnectionConfig nowhere = new RMQConnectionConfig.Builder()
                .setUri("amqp://guest:guest@127.0.0.1:" + FreePort.next())
                .build();
        List<AmqpMessage> left = List.of(message(queue, "a"), message(queue, "b"));
        List<AmqpMessage> kept;
        try (Publisher away = publisher(Unroutable.fail(), SOON, Topology.NONE, nowhere)) {
            away.takeOver(left);
            away.awaitConfirmsForACheckpoint();
            kept = away.unconfirmed();
        }
        assertThat(kept).containsExactlyElementsOf(left);
        SinkOptions options = new SinkOptions(
                new Broker(broker.config(), null, null),
                Topology.NONE,
                SOON,
                100,
                1 << 20,
                1 << 20,
                Duration.ofSeconds(5),
                Unroutable.fail(),
                Refused.fail());
        try (Publisher back = new Publisher(options, "test", metrics)) {
            back.takeOver(kept);
            back.start();
            back.publish(message(queue, "c"));
            back.awaitAllConfirmed();
        }
        assertThat(queues.take(queue)).containsExactly("a", "b", "c");
    }

    /** Or a queue that never confirms would hold up each checkpoint, and with it everything that waits for one. */
    @Test
    void whatOneCheckpointHasWaitedForIsNotWaitedForByTheNextOnes() throws Exception {
        RMQConnectionConfig nowhere = new RMQConnectionConfig.Builder()
                .setUri("amqp://guest:guest@127.0.0.1:" + FreePort.next())
                .build();
        try (Publisher publisher = publisher(Unroutable.fail(), SOON, Topology.NONE, nowhere)) {
            long begun = System.nanoTime();
            publisher.publish(message("any", "old"));
            publisher.awaitConfirmsForACheckpoint();
            Duration first = Duration.ofNanos(System.nanoTime() - begun);
            for (int checkpoint = 0; checkpoint < 20; checkpoint++) {
                publisher.publish(message("any", "young" + checkpoint));
                publisher.awaitConfirmsForACheckpoint();
            }
            Duration all = Duration.ofNanos(System.nanoTime() - begun);
            assertThat(first).isGreaterThanOrEqualTo(CONFIRM_TIMEOUT);
            assertThat(all.minus(first)).isLessThan(CONFIRM_TIMEOUT.multipliedBy(10));
            assertThat(publisher.unconfirmed()).hasSize(21);
        }
    }

    @Test
    void messagesAreTakenWhileTheBrokerIsAwayUntilTheWindowIsFull() throws Exception {
        RMQConnectionConfig nowhere = new RMQConnectionConfig.Builder()
                .setUri("amqp://guest:guest@127.0.0.1:" + FreePort.next())
                .build();
        BackOff patient = new BackOff(Duration.ofMillis(20), Duration.ofMillis(50), Duration.ofSeconds(2));
        try (Publisher publisher = publisher(Unroutable.fail(), patient, Topology.NONE, nowhere)) {
            for (int i = 0; i < 100; i++) {
                publisher.publish(message("any", "m" + i));
            }
            assertThat(publisher.unconfirmed()).hasSize(100);
            assertThatThrownBy(() -> publisher.publish(message("any", "one too many")))
                    .hasMessageContaining("stood still");
        }
    }

    @Test
    void anExchangeThatDoesNotExistFailsTheSinkAtOnceWithItsName() throws Exception {
        try (Publisher publisher = publisher(Unroutable.dropAndCount())) {
            publisher.publish(AmqpMessage.persistent("weir-connector-test.no-exchange", "key", "id", new byte[1]));
            assertThatThrownBy(publisher::awaitAllConfirmed)
                    .hasMessageContaining("weir-connector-test.no-exchange")
                    .hasMessageContaining("setTopology");
        }
    }

    @Test
    void anExchangeThatDoesNotExistCanBeWaitedFor() throws Exception {
        String queue = queues.create("late-exchange");
        String exchange = TestBroker.unique("late");
        try (Publisher publisher = publisher(Unroutable.retryUntil(Duration.ofSeconds(60)))) {
            publisher.publish(AmqpMessage.persistent(exchange, "key", "id", new byte[] {'x'}));
            await().until(() -> metrics.reconnects().getCount() > 2);
            queues.channel().exchangeDeclare(exchange, "direct", true);
            queues.channel().queueBind(queue, exchange, "key");
            publisher.awaitAllConfirmed();
            // Each try waits longer than the one before: 20, 40, 80, 160 ms and so on.
            assertThat(metrics.reconnects().getCount()).isLessThan(60);
        }
        assertThat(queues.take(queue)).containsOnly("x");
        queues.channel().exchangeDelete(exchange);
    }

    @Test
    void wrongCredentialsFailTheSinkAtOnce() throws Exception {
        RMQConnectionConfig stranger = new RMQConnectionConfig.Builder()
                .setUri(broker.uri().replace("guest:guest", "somebody:secret"))
                .build();
        try (Publisher publisher = publisher(Unroutable.fail(), SOON, Topology.NONE, stranger)) {
            // The broker may have refused before anything is published.
            assertThatThrownBy(() -> {
                        publisher.publish(message("any", "text"));
                        publisher.awaitAllConfirmed();
                    })
                    .hasMessageContaining("Cannot publish to the broker at 127.0.0.1")
                    .hasMessageNotContaining("secret")
                    .hasMessageNotContaining("somebody");
        }
    }

    @Test
    void aBrokerThatStaysAwayFailsTheSinkAfterItsLimit() throws Exception {
        RMQConnectionConfig nowhere = new RMQConnectionConfig.Builder()
                .setUri("amqp://somebody:secret@127.0.0.1:" + FreePort.next())
                .build();
        BackOff brief = new BackOff(Duration.ofMillis(20), Duration.ofMillis(50), Duration.ofMillis(300));
        try (Publisher publisher = publisher(Unroutable.fail(), brief, Topology.NONE, nowhere)) {
            publisher.publish(message("any", "text"));
            assertThatThrownBy(publisher::awaitAllConfirmed)
                    .hasMessageContaining("stood still")
                    .hasMessageContaining("Connection refused")
                    .hasMessageNotContaining("secret")
                    .hasMessageNotContaining("somebody");
        }
    }

    @Test
    void queuesExchangesAndBindingsAreDeclaredOnlyWhenAsked() throws Exception {
        String queue = TestBroker.unique("declared");
        String exchange = TestBroker.unique("exchange");
        Topology topology = Topology.NONE
                .withExchange(exchange, "direct")
                .withQueue(new Topology.Queue(queue, Map.of(), Map.of("x-queue-type", "classic", "x-max-priority", 9)))
                .withBinding(queue, exchange, "key");
        try (Publisher publisher = publisher(Unroutable.fail(), SOON, topology, broker.config())) {
            publisher.publish(AmqpMessage.persistent(exchange, "key", "id", new byte[] {'x'}));
            publisher.awaitAllConfirmed();
        }
        assertThat(queues.take(queue)).containsExactly("x");
        queues.channel().queueDelete(queue);
        queues.channel().exchangeDelete(exchange);
    }

    @Test
    void aHeadersExchangeIsBoundByItsArguments() throws Exception {
        String queue = TestBroker.unique("headers");
        String exchange = TestBroker.unique("by-headers");
        Topology topology = Topology.NONE
                .withExchange(new Topology.Exchange(exchange, "headers", Map.of(), Map.of()))
                .withQueue(queue)
                .withBinding(new Topology.Binding(queue, exchange, "", Map.of("x-match", "all", "kind", "wanted")));
        try (Publisher publisher = publisher(Unroutable.dropAndCount(), SOON, topology, broker.config())) {
            for (String kind : List.of("wanted", "other")) {
                BasicProperties properties = new BasicProperties.Builder()
                        .headers(Map.of("kind", kind))
                        .build();
                publisher.publish(new AmqpMessage(exchange, "", properties, kind.getBytes(StandardCharsets.UTF_8)));
            }
            publisher.awaitAllConfirmed();
        }
        assertThat(queues.take(queue)).containsExactly("wanted");
        queues.channel().queueDelete(queue);
        queues.channel().exchangeDelete(exchange);
    }
}
