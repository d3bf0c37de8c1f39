package dev.weir.connectors.rabbitmq.sink.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.Refused;
import dev.weir.connectors.rabbitmq.sink.Unroutable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What RabbitMQ refuses or returns, and how it answers then, which is not how other brokers do. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RefusedTest extends OnSharedRabbitPublishing {

    private Publisher publisher(Unroutable unroutable) {
        return publisher(SOON, unroutable, Refused.fail());
    }

    @Test
    void whatAFullQueueRefusesIsRepeatedAlthoughLaterMessagesAreConfirmedTogether() throws Exception {
        String full = declareFullSoon(TestBroker.unique("full"));
        Set<String> arrived = ConcurrentHashMap.newKeySet();
        List<String> sent = new ArrayList<>();
        var consumer = queues.channel().getConnection().createChannel();
        // One by one: slower than what is published, so that the queue is full most of the time.
        consumer.basicQos(1);
        consumer.basicConsume(
                full,
                false,
                (tag, delivery) -> {
                    arrived.add(new String(delivery.getBody(), StandardCharsets.UTF_8));
                    consumer.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
                },
                tag -> {});
        try (Publisher publisher = publisher(Unroutable.fail())) {
            for (int i = 0; i < 3_000; i++) {
                sent.add("m" + i);
                publisher.publish(
                        AmqpMessage.persistent("", full, "m" + i, ("m" + i).getBytes(StandardCharsets.UTF_8)));
            }
            publisher.awaitAllConfirmed();
        }
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(arrived).containsAll(sent));
        queues.channel().queueDelete(full);
    }

    @Test
    void aReturnedMessageIsFoundAmongOthersOfTheSameIdByWhereItWasToGo() throws Exception {
        String there = queues.create("there");
        String late = TestBroker.unique("late");
        try (Publisher publisher = publisher(Unroutable.retryUntil(Duration.ofSeconds(60)))) {
            for (int i = 0; i < 20; i++) {
                publisher.publish(AmqpMessage.persistent("", there, "order-" + i, new byte[] {'a'}));
                publisher.publish(AmqpMessage.persistent("", late, "order-" + i, new byte[] {'b'}));
            }
            org.awaitility.Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> queues.ready(there) > 0);
            queues.declare(late);
            publisher.awaitAllConfirmed();
        }
        assertThat(queues.take(late)).hasSizeGreaterThanOrEqualTo(20).containsOnly("b");
        assertThat(queues.take(there)).hasSizeGreaterThanOrEqualTo(20).containsOnly("a");
    }
}
