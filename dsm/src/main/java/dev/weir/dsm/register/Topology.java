package dev.weir.dsm.register;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.protocol.Names;
import java.io.IOException;
import java.util.Map;

/**
 * What a DSM uses at the broker. It is Weir's, which makes it at its start; a DSM takes it as it is, and makes what is missing if its
 * account may. Otherwise it has to wait for Weir.
 */
final class Topology {

    private interface Step {
        void on(Channel channel) throws IOException;
    }

    private final Connection connection;
    private final RegisterOptions options;

    Topology(Connection connection, RegisterOptions options) {
        this.connection = connection;
        this.options = options;
    }

    /** Throws when something is missing and may not be made; says what. */
    void ensure() throws IOException {
        queue(options.queue(), Map.of());
        queue(options.rejectedQueue(), boundOfRejected());
        ensure(
                "exchange " + options.rejectedExchange(),
                channel -> channel.exchangeDeclarePassive(options.rejectedExchange()),
                channel -> {
                    channel.exchangeDeclare(options.rejectedExchange(), BuiltinExchangeType.DIRECT, true);
                    channel.queueBind(options.rejectedQueue(), options.rejectedExchange(), Names.REJECTED_KEY);
                });
    }

    private void queue(String name, Map<String, Object> arguments) throws IOException {
        ensure(
                "queue " + name,
                channel -> channel.queueDeclarePassive(name),
                channel -> channel.queueDeclare(name, true, false, false, arguments));
    }

    /** As Weir makes it: nothing has to read it, and it must not fill the broker's disk. Only RabbitMQ knows the argument. */
    private Map<String, Object> boundOfRejected() {
        boolean rabbit = "RabbitMQ"
                .equals(String.valueOf(connection.getServerProperties().get("product")));
        return rabbit ? Map.of(Names.MAX_BYTES_ARGUMENT, Names.REJECTED_MAX_BYTES) : Map.of();
    }

    private void ensure(String what, Step ask, Step make) throws IOException {
        // A refusal closes a channel, so each question has its own.
        Channel asking = connection.createChannel();
        try {
            ask.on(asking);
            asking.abort();
        } catch (IOException absent) {
            Channel making = connection.createChannel();
            try {
                make.on(making);
            } catch (IOException e) {
                throw new IOException(
                        "there is no " + what + " yet, and this account may not make it; Weir makes it when it starts ("
                                + said(e) + ")",
                        e);
            }
            making.abort();
        }
    }

    /** The client wraps what the broker said in an exception without a message. */
    private static String said(IOException e) {
        return e.getMessage() == null && e.getCause() != null ? e.getCause().getMessage() : e.getMessage();
    }
}
