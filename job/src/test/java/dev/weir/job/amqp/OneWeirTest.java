package dev.weir.job.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import dev.weir.job.options.AmqpOptions;
import dev.weir.testing.ScratchBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OneWeirTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    static List<ScratchBroker> brokers() {
        return ScratchBroker.createAll();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aConsumerOfAQueueThatThisWeirReadsBlocksTheStartUntilItEnds(ScratchBroker broker) throws Exception {
        Configuration names = namesAt(broker);
        try (broker;
                Connection other = broker.connect();
                Connection own = broker.connect();
                Channel channel = other.createChannel()) {
            String reports = names.get(AmqpOptions.REPORTS);
            channel.queueDeclare(reports, true, false, false, null);
            String consumer = channel.basicConsume(reports, new DefaultConsumer(channel));

            assertThat(OneWeir.inTheWay(own, names, OneWeir.READ_BY_SCHEDULE, Duration.ZERO))
                    .contains("queue " + reports + " has a consumer");

            CompletableFuture<Optional<String>> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return OneWeir.inTheWay(own, names, OneWeir.READ_BY_SCHEDULE, LONG);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            channel.basicCancel(consumer);
            assertThat(waiting.join()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void queuesThatAreMissingOrOnlyWrittenDoNotBlockTheStart(ScratchBroker broker) throws Exception {
        Configuration names = namesAt(broker);
        try (broker;
                Connection own = broker.connect();
                Channel channel = own.createChannel()) {
            String register = broker.name("register");
            names.set(AmqpOptions.DSM_REGISTER, register);
            channel.queueDeclare(register, true, false, false, null);
            channel.basicConsume(register, new DefaultConsumer(channel));

            assertThat(OneWeir.inTheWay(own, names, OneWeir.READ_BY_SCHEDULE, Duration.ZERO))
                    .isEmpty();
        }
    }

    private static Configuration namesAt(ScratchBroker broker) {
        Configuration names = new Configuration();
        for (ConfigOption<String> queue :
                List.of(AmqpOptions.TASKS, AmqpOptions.COMMANDS, AmqpOptions.REPORTS, AmqpOptions.PAGES)) {
            names.set(queue, broker.name(queue.defaultValue()));
        }
        return names;
    }
}
