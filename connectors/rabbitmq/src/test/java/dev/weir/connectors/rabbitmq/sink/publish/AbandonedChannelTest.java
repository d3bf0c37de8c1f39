package dev.weir.connectors.rabbitmq.sink.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.Refused;
import dev.weir.connectors.rabbitmq.sink.Unroutable;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A publisher that is closed when its channel has been given up, and its connection is still open. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AbandonedChannelTest extends OnSharedRabbitPublishing {

    /** How often: who closes and who replaces the channel are on their way at the same time. */
    private static final int TIMES = 10;

    private static Connection connectionOf(Publisher publisher) {
        Channel channel = await().until(publisher::currentChannel, there -> there != null);
        return channel.getConnection();
    }

    private static void assertClosesSoon(Connection connection) {
        Jobs.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(connection.isOpen()).isFalse());
    }

    @Test
    void itsConnectionIsClosedWhileItWaitsToBeReplaced() throws Exception {
        String full = declareFullSoon(TestBroker.unique("full"));
        // The first pause is longer than this test.
        BackOff slow = new BackOff(Duration.ofMinutes(2), Duration.ofMinutes(2), Duration.ofMinutes(10));
        Connection connection;
        try (Publisher publisher = publisher(slow, Unroutable.fail(), Refused.fail())) {
            connection = connectionOf(publisher);
            for (int n = 0; n < 60; n++) {
                publisher.publish(AmqpMessage.persistent("", full, "m" + n, new byte[1]));
            }
            await().until(() -> publisher.currentChannel() == null);
            assertThat(connection.isOpen()).isTrue();
        } finally {
            queues.channel().queueDelete(full);
        }
        assertClosesSoon(connection);
    }

    @Test
    void itsConnectionIsClosedWhenTheBrokerRefusedAMessageAndTheSinkFails() throws Exception {
        for (int n = 0; n < TIMES; n++) {
            BasicProperties unusable = new BasicProperties.Builder()
                    .messageId("m")
                    .expiration("never")
                    .build();
            failsAndCloses(new AmqpMessage("", "any", unusable, new byte[1]), "PRECONDITION_FAILED");
        }
    }

    @Test
    void itsConnectionIsClosedWhenAnExchangeIsMissingAndTheSinkFails() throws Exception {
        for (int n = 0; n < TIMES; n++) {
            failsAndCloses(
                    AmqpMessage.persistent("weir-connector-test.no-exchange", "key", "m", new byte[1]),
                    "create the exchange");
        }
    }

    private void failsAndCloses(AmqpMessage message, String why) throws Exception {
        Connection connection;
        try (Publisher publisher = publisher(BackOff.DEFAULT, Unroutable.fail(), Refused.fail())) {
            connection = connectionOf(publisher);
            publisher.publish(message);
            assertThatThrownBy(publisher::awaitAllConfirmed).hasMessageContaining(why);
        }
        assertClosesSoon(connection);
    }
}
