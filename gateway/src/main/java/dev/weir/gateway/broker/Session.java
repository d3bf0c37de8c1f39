package dev.weir.gateway.broker;

import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.gateway.options.BrokerNames;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Outcome;
import dev.weir.protocol.queue.QueueLow;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two connections: one publishes with confirms; the other takes jobs, and hears outcomes and notices. An alarm of the broker stops connections that
 * publish, and jobs must be given back even then. What pilots need has channels of its own, so that a missing right or queue of theirs ends nothing
 * else.
 */
final class Session implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final int CLOSE_MILLIS = 5_000;

    private final Connection publishing;
    private final Runnable cut;
    private final Connection hearing;
    private final BrokerNames names;
    private final Publisher publisher;
    private final NoticeQueue notices;
    private final RejectedQueue rejected;
    private Publisher reports;

    private volatile String blocked;

    /**
     * Throws when an exchange does not exist: Weir declares them.
     *
     * @param cut ends the connection that publishes, when a write to it hangs
     */
    Session(
            Connection publishing,
            Runnable cut,
            Connection hearing,
            BrokerNames names,
            Outcomes outcomes,
            LowQueues low,
            Notices notices)
            throws IOException {
        this.publishing = publishing;
        this.cut = cut;
        this.hearing = hearing;
        this.names = names;
        rejected = new RejectedQueue(hearing, names.queues().rejected());
        this.notices = new NoticeQueue(hearing, names.notices(), notices);
        Channel channel = publishing.createChannel();
        channel.exchangeDeclarePassive(names.tasks());
        channel.exchangeDeclarePassive(names.commands());
        publisher = new Publisher(channel, cut);
        publishing.addBlockedListener(new BlockedListener() {
            @Override
            public void handleBlocked(String reason) {
                blocked = reason;
            }

            @Override
            public void handleUnblocked() {
                blocked = null;
            }
        });
        Channel events = hearing.createChannel();
        events.exchangeDeclarePassive(names.events());
        String queue = events.queueDeclare().getQueue();
        events.queueBind(queue, names.events(), "outcome.*");
        events.queueBind(queue, names.events(), QueueLow.ROUTING_KEY);
        events.basicConsume(
                queue,
                true,
                (tag, message) -> heard(message.getEnvelope().getRoutingKey(), message.getBody(), outcomes, low),
                tag -> hearing.abort());
    }

    private static void heard(String key, byte[] event, Outcomes outcomes, LowQueues low) {
        try {
            if (key.equals(QueueLow.ROUTING_KEY)) {
                low.came(Json.read(event, QueueLow.class));
            } else {
                outcomes.came(Json.read(event, Outcome.class));
            }
        } catch (InvalidMessage e) {
            LOG.warn("An event {} cannot be read: {}", key, e.getMessage());
        }
    }

    boolean isOpen() {
        return publishing.isOpen() && hearing.isOpen() && publisher.isOpen();
    }

    /** Why it takes nothing now; null when it does. */
    String blocked() {
        return blocked;
    }

    RejectedQueue rejected() {
        return rejected;
    }

    /** Messages in the queue of rejected ones; empty when the broker does not say. Waits for the broker. */
    OptionalLong rejectedMessages() {
        Channel asked = null;
        try {
            asked = channel(hearing);
            return OptionalLong.of(asked.messageCount(names.queues().rejected()));
        } catch (IOException | ShutdownSignalException e) {
            LOG.debug("Rejected messages cannot be counted", e);
            return OptionalLong.empty();
        } finally {
            abort(asked);
        }
    }

    NoticeQueue notices() {
        return notices;
    }

    /** A channel for a job; throws {@link BrokerAway} when there is none. */
    JobChannel jobChannel() {
        Channel channel = null;
        try {
            channel = channel(hearing);
            return new JobChannel(channel, names.jobsPrefix());
        } catch (IOException | ShutdownSignalException e) {
            abort(channel);
            throw new BrokerAway("there are no jobs: " + Link.reason(e), e);
        }
    }

    /** Throws {@link NoQueues} or {@link BrokerAway}. */
    QueueChannel queueChannel(QueueChannel.Listener listener) {
        return QueueChannel.open(publishing, cut, hearing, names, listener);
    }

    /** A channel that was not answered in time is open all the same, and counts. Nothing for null. */
    static void abort(Channel channel) {
        if (channel == null) {
            return;
        }
        try {
            channel.abort();
        } catch (IOException | ShutdownSignalException e) {
            LOG.debug("Closed all the same", e);
        }
    }

    static Channel channel(Connection connection) throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the broker allows this connection no further channel; ask again later");
        }
        return channel;
    }

    /** Completes when the broker has the message in a queue, fails with {@link BrokerAway} when it does not say so. */
    CompletableFuture<Void> send(Outcome.About about, String id, byte[] body) {
        return about == Outcome.About.TASK
                ? publisher.publish(names.tasks(), Names.TASKS_KEY, id, body)
                : publisher.publish(names.commands(), Names.COMMANDS_KEY, id, body);
    }

    /** As {@link #send}. */
    CompletableFuture<Void> report(String id, byte[] body) {
        return reports().publish(names.reports(), Names.REPORTS_KEY, id, body);
    }

    /** As {@link #send}, for a report of which the next one says the same. */
    CompletableFuture<Void> heartbeat(String id, byte[] body) {
        return reports().publishFor(names.reports(), Names.REPORTS_KEY, id, body, Heartbeat.LIFE_MILLIS);
    }

    private synchronized Publisher reports() {
        if (reports == null || !reports.isOpen()) {
            Channel channel = null;
            try {
                channel = channel(publishing);
                reports = new Publisher(channel, cut);
            } catch (IOException | ShutdownSignalException e) {
                abort(channel);
                throw new BrokerAway("the broker takes no reports: " + Link.reason(e), e);
            }
        }
        return reports;
    }

    @Override
    public void close() {
        hearing.abort(CLOSE_MILLIS);
        publishing.abort(CLOSE_MILLIS);
    }
}
