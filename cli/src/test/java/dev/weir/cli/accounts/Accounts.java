package dev.weir.cli.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.testing.PrivateRabbit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The accounts of the script at a RabbitMQ of our own. */
final class Accounts implements AutoCloseable {

    static final List<String> ALL = List.of("core", "store", "flows", "worker", "anna", "door");

    private static final int PATIENCE_MILLIS = 60_000;

    private final PrivateRabbit rabbit = new PrivateRabbit(List.of());

    Accounts() throws IOException {}

    /** Has the script make them for a virtual host, with pilots of the pool cpu only. */
    void make(Path directory, String virtualHost) throws Exception {
        Path file = Files.writeString(directory.resolve("password"), "of-pi%lots\"\\\nnot this line\n");
        AccountsScript made = AccountsScript.run(
                directory,
                Map.ofEntries(
                        Map.entry("WEIR_USER", "core"),
                        Map.entry("WEIR_PASSWORD", "of core"),
                        Map.entry("DSM_USER", "store"),
                        Map.entry("DSM_PASSWORD", "of store"),
                        Map.entry("WFMS_USER", "flows"),
                        Map.entry("WFMS_PASSWORD", "of flows"),
                        Map.entry("PILOT_USER", "worker"),
                        Map.entry("PILOT_PASSWORD_FILE", file.toString()),
                        Map.entry("PILOT_POOLS", "cpu"),
                        Map.entry("OPERATOR_USER", "anna"),
                        Map.entry("OPERATOR_PASSWORD", "of anna"),
                        Map.entry("GATEWAY_USER", "door"),
                        Map.entry("GATEWAY_PASSWORD", "of door")),
                virtualHost);
        assertThat(made.errors()).isEmpty();
        rabbit.importDefinitions(Files.writeString(directory.resolve("definitions.json"), made.output()));
        // RabbitMQ imports beside its other work.
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            for (String name : ALL) {
                connect(name, virtualHost).close();
            }
            return true;
        });
    }

    PrivateRabbit rabbit() {
        return rabbit;
    }

    private static String password(String name) {
        return name.equals("worker") ? "of-pi%lots\"\\" : "of " + name;
    }

    /** Its address with name and password, on the default virtual host. */
    String uri(String name) {
        String password = password(name)
                .replace("%", "%25")
                .replace(" ", "%20")
                .replace("\"", "%22")
                .replace("\\", "%5C");
        return rabbit.uri().replace("guest:guest", name + ":" + password);
    }

    Connection connect(String name, String virtualHost) throws IOException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setAutomaticRecoveryEnabled(false);
        factory.setHandshakeTimeout(PATIENCE_MILLIS);
        factory.setChannelRpcTimeout(PATIENCE_MILLIS);
        try {
            factory.setUri(uri(name));
            factory.setVirtualHost(virtualHost);
            return factory.newConnection("weir test of " + name);
        } catch (java.util.concurrent.TimeoutException
                | java.security.GeneralSecurityException
                | java.net.URISyntaxException e) {
            throw new IOException("no connection as " + name, e);
        }
    }

    /** Something that an account tries. */
    interface Attempt {
        void on(Channel channel) throws Exception;
    }

    /** Whether RabbitMQ lets it do that; everything but a refusal of access is an error. */
    static boolean may(Connection connection, Attempt attempt) throws Exception {
        Channel channel = connection.createChannel();
        try {
            attempt.on(channel);
            channel.close();
            return true;
        } catch (IOException | ShutdownSignalException e) {
            Throwable cause =
                    e instanceof AlreadyClosedException || e instanceof ShutdownSignalException ? e : e.getCause();
            if (cause instanceof ShutdownSignalException signal
                    && signal.getReason() instanceof AMQP.Channel.Close close
                    && close.getReplyCode() == AMQP.ACCESS_REFUSED) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void close() throws Exception {
        rabbit.close();
    }
}
