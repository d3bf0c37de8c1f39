package dev.weir.cli.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerTest {

    private static final int MESSAGES = 100;

    @TempDir
    Path directory;

    private final Secret secret = Secret.random("weir");

    @Test
    void queuesBindingsAndPersistentMessagesAreThereAfterARestart() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, FreePort.any(), secret);
                Connection connection = connect(broker.uri());
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare("weir", "direct", true);
            channel.queueDeclare("weir.tasks", true, false, false, null);
            channel.queueBind("weir.tasks", "weir", "tasks");
            channel.confirmSelect();
            for (int i = 0; i < MESSAGES; i++) {
                channel.basicPublish(
                        "weir", "tasks", MessageProperties.PERSISTENT_BASIC, ("task " + i).getBytes(UTF_8));
            }
            channel.waitForConfirmsOrDie(60_000);
        }
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, FreePort.any(), secret);
                Connection connection = connect(broker.uri());
                Channel channel = connection.createChannel()) {
            assertThat(channel.messageCount("weir.tasks")).isEqualTo(MESSAGES);
            assertThat(new String(channel.basicGet("weir.tasks", true).getBody(), UTF_8))
                    .isEqualTo("task 0");
            channel.basicPublish("weir", "tasks", MessageProperties.PERSISTENT_BASIC, new byte[1 << 20]);
        }
    }

    @Test
    void onlyTheSecretsUserMayConnect() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, FreePort.any(), secret)) {
            String guest = "amqp://guest:guest@127.0.0.1:" + broker.port();
            assertThatThrownBy(() -> connect(guest).close()).isInstanceOf(PossibleAuthenticationFailureException.class);
        }
    }

    @Test
    void theErrorNamesATakenPort() throws Exception {
        try (EmbeddedBroker first = EmbeddedBroker.start(directory.resolve("a"), FreePort.any(), secret)) {
            assertThatThrownBy(() -> EmbeddedBroker.start(directory.resolve("b"), first.port(), secret)
                            .close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(String.valueOf(first.port()));
        }
    }

    private static Connection connect(String uri) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        return factory.newConnection();
    }
}
