package dev.weir.connectors.rabbitmq.broker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;

/** The RabbitMQ that this machine shares: at WEIR_AMQP_URL, or on the usual port. */
public final class SharedRabbit implements TestBroker {

    private static final String DEFAULT = "amqp://guest:guest@127.0.0.1:5672";

    private final String uri;

    private SharedRabbit(String uri) {
        this.uri = uri;
    }

    /** The broker; skips the test if there is none, unless WEIR_REQUIRE_SERVICES asks for a failure. */
    public static SharedRabbit orSkip() {
        String given = System.getenv("WEIR_AMQP_URL");
        String uri = given == null || given.isEmpty() ? DEFAULT : given;
        boolean there = answers(uri);
        boolean required = "1".equals(System.getenv("WEIR_REQUIRE_SERVICES"));
        if (!there && required) {
            throw new IllegalStateException("WEIR_REQUIRE_SERVICES=1, but no RabbitMQ answers; set WEIR_AMQP_URL");
        }
        assumeTrue(there, "no RabbitMQ answers at the usual port");
        return new SharedRabbit(uri);
    }

    private static boolean answers(String uri) {
        URI address = URI.create(uri);
        try (Socket socket = new Socket()) {
            int port = address.getPort() < 0 ? 5672 : address.getPort();
            socket.connect(new InetSocketAddress(address.getHost(), port), 2_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public void close() {
        // Shared: it stays.
    }
}
