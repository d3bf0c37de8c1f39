package dev.weir.connectors.rabbitmq.broker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;

/** A RabbitMQ of our own, which tests may kill. */
public final class PrivateRabbit extends dev.weir.testing.PrivateRabbit implements TestBroker {

    private PrivateRabbit(List<String> settings) throws IOException {
        super(settings);
    }

    /** Starts it; skips the test if RabbitMQ is not installed, unless WEIR_REQUIRE_SERVICES asks for a failure. */
    public static PrivateRabbit orSkip() throws IOException {
        return orSkip(List.of());
    }

    /** The same with further lines of rabbitmq.conf. */
    public static PrivateRabbit orSkip(List<String> settings) throws IOException {
        assumeTrue(isInstalled(), "RabbitMQ is not installed");
        return new PrivateRabbit(settings);
    }
}
