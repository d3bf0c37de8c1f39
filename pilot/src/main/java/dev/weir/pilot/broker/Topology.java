package dev.weir.pilot.broker;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/**
 * Makes sure that the queues and exchanges that a pilot uses exist. They are Weir's: a site may have made its queues with
 * arguments that a pilot cannot know, so a pilot makes none unless configured to.
 */
final class Topology {

    /** Asks for something by its name, or makes it. */
    private interface Step {
        void on(Channel channel) throws IOException;
    }

    private final Connection connection;
    private final BrokerSettings settings;

    Topology(Connection connection, BrokerSettings settings) {
        this.connection = connection;
        this.settings = settings;
    }

    /** Throws when something is missing and may not be made; says what. */
    void check() throws IOException {
        exchange(settings.exchange());
        if (settings.declare()) {
            need(
                    "queue " + settings.reportsQueue(),
                    channel -> channel.queueDeclarePassive(settings.reportsQueue()),
                    this::declareReports);
        }
        exchange(settings.noticesExchange());
        for (String pool : settings.pools()) {
            String queue = settings.queue(pool);
            need(
                    "queue " + queue,
                    channel -> channel.queueDeclarePassive(queue),
                    channel -> channel.queueDeclare(queue, true, false, false, null));
        }
    }

    private void exchange(String name) throws IOException {
        need(
                "exchange " + name,
                channel -> channel.exchangeDeclarePassive(name),
                channel -> channel.exchangeDeclare(name, BuiltinExchangeType.DIRECT, true));
    }

    private void declareReports(Channel channel) throws IOException {
        channel.queueDeclare(settings.reportsQueue(), true, false, false, null);
        channel.queueBind(settings.reportsQueue(), settings.exchange(), settings.reportsKey());
    }

    private void need(String what, Step ask, Step make) throws IOException {
        if (succeeds(ask)) {
            return;
        }
        if (!settings.declare()) {
            throw new IOException("there is no " + what + " at " + settings.shownUrl()
                    + " yet; start Weir, which makes it, or let the pilot do it with --declare");
        }
        try (Channel channel = connection.createChannel()) {
            make.on(channel);
        } catch (TimeoutException e) {
            throw new IOException("no answer to the declaration of " + what, e);
        }
    }

    /** On a channel of its own, because "not found" closes the channel. */
    private boolean succeeds(Step ask) throws IOException {
        Channel channel = connection.createChannel();
        try {
            ask.on(channel);
            channel.close();
            return true;
        } catch (IOException e) {
            if (Session.isNotFound(e)) {
                return false;
            }
            throw e;
        } catch (TimeoutException e) {
            throw new IOException("no answer from " + settings.shownUrl(), e);
        }
    }
}
