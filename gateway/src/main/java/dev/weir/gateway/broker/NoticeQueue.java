package dev.weir.gateway.broker;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Notice;
import java.io.IOException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears notices for the pilots that use this gateway, on one queue of a connection. It is made for the first pilot, so that a gateway
 * without pilots needs no right to it. Safe for use from many threads.
 */
final class NoticeQueue {

    private static final Logger LOG = LoggerFactory.getLogger(NoticeQueue.class);

    /** Bindings that one look at forgotten pilots removes. */
    private static final int MOST_REMOVED = 100;

    private final Connection connection;
    private final String exchange;
    private final Notices notices;
    private final Set<String> bound = new HashSet<>();
    private Channel channel;
    private String queue;

    NoticeQueue(Connection connection, String exchange, Notices notices) {
        this.connection = connection;
        this.exchange = exchange;
        this.notices = notices;
    }

    private interface Step {
        void run() throws IOException;
    }

    /** A channel on which a step failed is not used again. To close it waits for the broker once more, and nobody else need wait for that. */
    private void run(Step step) throws IOException {
        Channel broken = null;
        try {
            synchronized (this) {
                try {
                    step.run();
                } catch (IOException | ShutdownSignalException e) {
                    broken = channel;
                    channel = null;
                    bound.clear();
                    throw e;
                }
            }
        } finally {
            Session.abort(broken);
        }
    }

    /** Hears what is for the pilot from now on. Throws {@link BrokerAway}. */
    void hear(String pilot) {
        try {
            run(() -> bind(pilot));
        } catch (IOException | ShutdownSignalException e) {
            String reason = Link.reason(e);
            LOG.warn("Notices for pilots cannot be heard from exchange {}: {}", exchange, reason);
            throw new BrokerAway("notices for pilots cannot be heard: " + reason, e);
        }
    }

    private void bind(String pilot) throws IOException {
        if (channel == null || !channel.isOpen()) {
            open();
        }
        if (!bound.contains(pilot)) {
            channel.queueBind(queue, exchange, pilot);
            bound.add(pilot);
        }
    }

    private void open() throws IOException {
        bound.clear();
        Channel opened = connection.createChannel();
        if (opened == null) {
            throw new IOException("the broker allows no further channel");
        }
        try {
            queue = opened.queueDeclare().getQueue();
            opened.queueBind(queue, exchange, Names.NOTICE_ALL);
            opened.basicConsume(
                    queue,
                    true,
                    (tag, message) -> heard(message.getEnvelope().getRoutingKey(), message.getBody()),
                    tag -> {
                        LOG.warn(
                                "The broker removed the queue of notices; the next request of a pilot makes another one");
                        Session.abort(opened);
                    });
        } catch (IOException | ShutdownSignalException e) {
            Session.abort(opened);
            throw e;
        }
        channel = opened;
    }

    private void heard(String key, byte[] body) {
        try {
            notices.came(key, Json.read(body, Notice.class));
        } catch (InvalidMessage e) {
            LOG.warn("A notice cannot be read: {}", e.getMessage());
        }
    }

    /** Removes bindings of pilots that are forgotten, until one is not removed: each further one would take as long. */
    void tidy() {
        try {
            run(this::unbind);
        } catch (IOException | ShutdownSignalException e) {
            LOG.info("Bindings of forgotten pilots were not removed: {}", Link.reason(e));
        }
    }

    private void unbind() throws IOException {
        int removed = 0;
        for (Iterator<String> pilots = bound.iterator(); pilots.hasNext() && removed < MOST_REMOVED; ) {
            String pilot = pilots.next();
            if (!notices.knows(pilot)) {
                channel.queueUnbind(queue, exchange, pilot);
                pilots.remove();
                removed++;
            }
        }
    }
}
