package dev.weir.job.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import dev.weir.connectors.rabbitmq.common.Topology;
import dev.weir.job.options.AmqpOptions;
import dev.weir.testing.ScratchBroker;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class RejectedQueueTest {

    static List<ScratchBroker> brokers() {
        return ScratchBroker.createAll();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void beyondItsMaximumRabbitDropsTheOldestAndAnotherBrokerKeepsAll(ScratchBroker broker) throws Exception {
        Configuration configuration = at(broker);
        configuration.set(AmqpOptions.REJECTED_MAX_BYTES, new MemorySize(5_000));
        String queue = configuration.get(AmqpOptions.REJECTED);
        try (broker;
                Connection connection = broker.connect();
                Channel channel = connection.createChannel()) {
            RejectedQueue.prepare(connection, configuration);
            channel.confirmSelect();
            for (int i = 0; i < 20; i++) {
                byte[] body = new byte[1_000];
                body[0] = (byte) i;
                channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, body);
            }
            channel.waitForConfirmsOrDie(30_000);

            List<byte[]> kept = broker.drain(queue);

            assertThat(kept).hasSize(broker.toString().equals("real") ? 5 : 20);
            assertThat(kept.get(kept.size() - 1)[0]).isEqualTo((byte) 19);
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aQueueThatExistsWithOtherArgumentsIsUsedAsItIs(ScratchBroker broker) throws Exception {
        Configuration configuration = at(broker);
        try (broker;
                Connection connection = broker.connect();
                Channel channel = connection.createChannel()) {
            Map<String, Object> other = broker.toString().equals("real") ? Map.of("x-max-length", 7) : Map.of();
            channel.queueDeclare(configuration.get(AmqpOptions.REJECTED), true, false, false, other);

            RejectedQueue.prepare(connection, configuration);

            assertThatCode(() ->
                            RejectedQueue.addTo(Topology.NONE, configuration).declareOn(connection.createChannel()))
                    .doesNotThrowAnyException();
        }
    }

    private static Configuration at(ScratchBroker broker) {
        Configuration configuration = new Configuration();
        configuration.set(AmqpOptions.REJECTED, broker.name(AmqpOptions.REJECTED.defaultValue()));
        return configuration;
    }
}
