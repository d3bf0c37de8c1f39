package dev.weir.gateway.broker;

import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.gateway.options.BrokerNames;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Outcome;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: publishes with confirms, and hears outcomes on a queue of its own. What pilots need has channels of its own, so that a
 * missing right or queue of theirs ends nothing else.
 */
final class Session implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final int CLOSE_MILLIS = 5_000;

    private final Connection connection;
    private final BrokerNames names;
    private final Publisher publisher;
    private final NoticeQueue notices;
    private final RejectedQueue rejected;
    private Publisher reports;

    private volatile String blocked;

    /** Throws when an exchange does not exist: Weir declares them. */
    Session(Connection connection, BrokerNames names, Outcomes outcomes, Notices notices) throws IOException {
        this.connection = connection;
        this.names = names;
        rejected = new RejectedQueue(connection, names.queues().rejected());
        this.notices = new NoticeQueue(connection, names.notices(), notices);
        Channel publishing = connection.createChannel();
        publishing.exchangeDeclarePassive(names.tasks());
        publishing.exchangeDeclarePassive(names.commands());
        publisher = new Publisher(publishing);
        connection.addBlockedListener(new BlockedListener() {
            @Override
            public void handleBlocked(String reason) {
                blocked = reason;
            }

            @Override
            public void handleUnblocked() {
                blocked = null;
            }
        });
        Channel hearing = connection.createChannel();
        hearing.exchangeDeclarePassive(names.events());
        String queue = hearing.queueDeclare().getQueue();
        hearing.queueBind(queue, names.events(), "outcome.*");
        hearing.basicConsume(
                queue, true, (tag, message) -> heard(message.getBody(), outcomes), tag -> connection.abort());
    }

    private static void heard(byte[] body, Outcomes outcomes) {
        try {
            outcomes.came(Json.read(body, Outcome.class));
        } catch (InvalidMessage e) {
            LOG.warn("An outcome cannot be read: {}", e.getMessage());
        }
    }

    boolean isOpen() {
        return connection.isOpen() && publisher.isOpen();
    }

    /** Why it takes nothing now; null when it does. */
    String blocked() {
        return blocked;
    }

    RejectedQueue rejected() {
        return rejected;
    }

    NoticeQueue notices() {
        return notices;
    }

    /** A channel for a job; throws {@link BrokerAway} when there is none. */
    JobChannel jobChannel() {
        try {
            return new JobChannel(channel(), names.jobsPrefix());
        } catch (IOException | ShutdownSignalException e) {
            throw new BrokerAway("there are no jobs: " + Link.reason(e), e);
        }
    }

    private Channel channel() throws IOException {
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

    private synchronized Publisher reports() {
        if (reports == null || !reports.isOpen()) {
            try {
                reports = new Publisher(channel());
            } catch (IOException | ShutdownSignalException e) {
                throw new BrokerAway("the broker takes no reports: " + Link.reason(e), e);
            }
        }
        return reports;
    }

    @Override
    public void close() {
        connection.abort(CLOSE_MILLIS);
    }
}
