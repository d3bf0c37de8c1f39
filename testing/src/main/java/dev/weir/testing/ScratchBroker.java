package dev.weir.testing;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;

/**
 * An AMQP 0-9-1 broker for one test: its queues and exchanges have names with a unique prefix and are deleted when it is
 * closed. It is real or embedded; the only difference for a test is that the embedded one refuses RabbitMQ's own queue arguments.
 */
public final class ScratchBroker implements AutoCloseable {

    private static final int PORT = 5672;
    private static EmbeddedBroker embedded;

    private static final int PATIENCE_MILLIS = 60_000;

    private final String label;
    private final String uri;
    private final String prefix = Services.uniqueName() + ".";
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    private ScratchBroker(String label, String uri) {
        this.label = label;
        this.uri = uri;
    }

    /** On a real broker if there is one, otherwise on an embedded one. */
    public static ScratchBroker create() {
        String real = realUri();
        return real == null ? createEmbedded() : new ScratchBroker("real", real);
    }

    /** On the broker at this address, with user and password. */
    public static ScratchBroker at(String uri) {
        return new ScratchBroker("given", uri);
    }

    /** On the embedded broker, which starts with the first call, keeps all data in memory and ends with the JVM. */
    public static synchronized ScratchBroker createEmbedded() {
        if (embedded == null) {
            embedded = EmbeddedBroker.start();
            Runtime.getRuntime().addShutdownHook(new Thread(embedded::close));
        }
        return new ScratchBroker("embedded", embedded.uri());
    }

    /** For tests on both: the embedded broker, and a real one if there is one. */
    public static List<ScratchBroker> createAll() {
        List<ScratchBroker> all = new ArrayList<>(List.of(createEmbedded()));
        String real = realUri();
        if (real != null) {
            all.add(new ScratchBroker("real", real));
        }
        return all;
    }

    private static String realUri() {
        String given = System.getenv("WEIR_AMQP_URL");
        if (given != null && !given.isBlank()) {
            return URI.create(given).toString();
        }
        if (Services.answersLocally(PORT)) {
            return "amqp://guest:guest@127.0.0.1:" + PORT;
        }
        if (Services.required()) {
            throw Services.missing("RabbitMQ", "WEIR_AMQP_URL", PORT);
        }
        return null;
    }

    public String uri() {
        return uri;
    }

    /** The name of a queue or exchange of the protocol in this test. */
    public String name(String plain) {
        String full = prefix + plain;
        names.add(full);
        return full;
    }

    /** A new connection without automatic recovery. */
    public Connection connect() throws IOException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setAutomaticRecoveryEnabled(false);
        // A busy machine is no failure of a test.
        factory.setHandshakeTimeout(PATIENCE_MILLIS);
        try {
            factory.setUri(uri);
            return factory.newConnection("weir test");
        } catch (TimeoutException | java.security.GeneralSecurityException | java.net.URISyntaxException e) {
            throw new IOException("no connection to " + label + " broker", e);
        }
    }

    /** Takes all messages of a queue. */
    public List<byte[]> drain(String queue) throws IOException {
        try (Connection connection = connect()) {
            Channel channel = connection.createChannel();
            List<byte[]> bodies = new ArrayList<>();
            for (GetResponse next = channel.basicGet(queue, true); next != null; next = channel.basicGet(queue, true)) {
                bodies.add(next.getBody());
            }
            return bodies;
        }
    }

    @Override
    public String toString() {
        return label;
    }

    @Override
    public void close() throws IOException {
        try (Connection connection = connect()) {
            for (String name : names) {
                delete(connection, name, true);
                delete(connection, name, false);
            }
        }
    }

    private static void delete(Connection connection, String name, boolean queue) throws IOException {
        Channel channel = connection.createChannel();
        try {
            if (queue) {
                channel.queueDelete(name);
            } else {
                channel.exchangeDelete(name);
            }
            channel.abort();
        } catch (IOException e) {
            // The queue does not exist; the broker has closed the channel.
        }
    }
}
