package dev.weir.connectors.rabbitmq.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.junit.jupiter.api.Test;

class RabbitMqSourceBuilderTest {

    private static RabbitMqSourceBuilder<String> queues(int queues) {
        return RabbitMqSource.<String>builder()
                .setConnection(new RMQConnectionConfig.Builder()
                        .setUri("amqp://localhost")
                        .build())
                .setQueues(IntStream.range(0, queues).mapToObj(n -> "q" + n).toArray(String[]::new))
                .setDeserializer(DeliveryDeserializer.ofBody(new SimpleStringSchema()));
    }

    @Test
    void acknowledgedMessagesThatAreRememberedByDefaultAreSharedAmongTheQueues() {
        assertThat(queues(1).options().remembered()).isEqualTo(100_000);
        assertThat(queues(4).options().remembered()).isEqualTo(25_000);
        assertThat(queues(4).setRememberedAcknowledged(70_000).options().remembered())
                .isEqualTo(70_000);
    }

    @Test
    void neverFewerThanAWindowAreRemembered() {
        assertThat(queues(30).options().remembered()).isEqualTo(10_000);
        assertThat(queues(1)
                        .setRememberedAcknowledged(0)
                        .setPrefetch(500)
                        .options()
                        .remembered())
                .isEqualTo(500);
    }
}
