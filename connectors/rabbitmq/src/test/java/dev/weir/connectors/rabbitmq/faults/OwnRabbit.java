package dev.weir.connectors.rabbitmq.faults;

import dev.weir.connectors.rabbitmq.broker.PrivateRabbit;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** A RabbitMQ for one class of tests, which may do to it what it likes; 60,000 messages pass it in about four seconds. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
abstract class OwnRabbit {

    static final int MESSAGES = 60_000;
    static final int PER_SECOND = 15_000;

    static PrivateRabbit rabbit;

    @BeforeAll
    static void startRabbit() throws Exception {
        rabbit = PrivateRabbit.orSkip();
    }

    @AfterAll
    static void stopRabbit() throws Exception {
        if (rabbit != null) {
            rabbit.close();
            rabbit = null;
        }
    }

    static long messagesIn(String queue) throws Exception {
        try (var connection = rabbit.connect();
                var channel = connection.createChannel()) {
            return channel.messageCount(queue);
        }
    }
}
