package dev.weir.gateway.broker;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Outcome;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection: publishes with confirms, and hears outcomes on a queue of its own. What is unconfirmed at its end has failed. */
final class Session implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final int CLOSE_MILLIS = 5_000;
    private static final long CONFIRM_SECONDS = 10;

    private final Connection connection;
    private final Channel publishing;
    private final GatewayOptions options;
    private final ConcurrentNavigableMap<Long, Sent> unconfirmed = new ConcurrentSkipListMap<>();
    /** Ids of messages that no queue took; the confirm follows. */
    private final Set<String> returned = ConcurrentHashMap.newKeySet();

    private volatile String blocked;

    private record Sent(String id, String exchange, CompletableFuture<Void> confirmed) {}

    /** Throws when an exchange does not exist: Weir declares them. */
    Session(Connection connection, GatewayOptions options, Outcomes outcomes) throws IOException {
        this.connection = connection;
        this.options = options;
        publishing = connection.createChannel();
        publishing.exchangeDeclarePassive(options.tasksExchange());
        publishing.exchangeDeclarePassive(options.commandsExchange());
        publishing.confirmSelect();
        publishing.addReturnListener(
                message -> returned.add(message.getProperties().getMessageId()));
        publishing.addConfirmListener(
                (number, more) -> settle(number, more, true), (number, more) -> settle(number, more, false));
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
        hearing.exchangeDeclarePassive(options.eventsExchange());
        String queue = hearing.queueDeclare().getQueue();
        hearing.queueBind(queue, options.eventsExchange(), "outcome.*");
        hearing.basicConsume(
                queue, true, (tag, message) -> heard(message.getBody(), outcomes), tag -> connection.abort());
        connection.addShutdownListener(cause -> fail(cause));
        if (!connection.isOpen()) {
            fail(connection.getCloseReason());
        }
    }

    private static void heard(byte[] body, Outcomes outcomes) {
        try {
            outcomes.came(Json.read(body, Outcome.class));
        } catch (InvalidMessage e) {
            LOG.warn("An outcome cannot be read: {}", e.getMessage());
        }
    }

    boolean isOpen() {
        return connection.isOpen() && publishing.isOpen();
    }

    /** Why it takes nothing now; null when it does. */
    String blocked() {
        return blocked;
    }

    /** Completes when the broker has the message in a queue, fails with {@link BrokerAway} when it does not say so. */
    CompletableFuture<Void> send(Outcome.About about, String id, byte[] body) {
        boolean isTask = about == Outcome.About.TASK;
        String exchange = isTask ? options.tasksExchange() : options.commandsExchange();
        String key = isTask ? Names.TASKS_KEY : Names.COMMANDS_KEY;
        CompletableFuture<Void> confirmed = new CompletableFuture<>();
        BasicProperties properties = MessageProperties.MINIMAL_PERSISTENT_BASIC
                .builder()
                .contentType("application/json")
                .messageId(id)
                .build();
        synchronized (publishing) {
            long number = publishing.getNextPublishSeqNo();
            unconfirmed.put(number, new Sent(id, exchange, confirmed));
            try {
                publishing.basicPublish(exchange, key, true, false, properties, body);
            } catch (IOException | RuntimeException e) {
                unconfirmed.remove(number);
                confirmed.completeExceptionally(unsure(e));
            }
        }
        return confirmed.orTimeout(CONFIRM_SECONDS, TimeUnit.SECONDS);
    }

    static BrokerAway unsure(Throwable cause) {
        return new BrokerAway(
                "the broker did not confirm the message; it may have been sent. Repeat the request, with the same"
                        + " Idempotency-Key if it had one",
                cause);
    }

    private void settle(long number, boolean more, boolean taken) {
        var settled = more ? unconfirmed.headMap(number, true) : unconfirmed.subMap(number, true, number, true);
        settled.values().forEach(sent -> {
            if (returned.remove(sent.id())) {
                sent.confirmed()
                        .completeExceptionally(new BrokerAway(
                                "no queue takes the message at exchange " + sent.exchange()
                                        + "; Weir's jobs declare it at their start. Nothing was sent",
                                null));
            } else if (taken) {
                sent.confirmed().complete(null);
            } else {
                sent.confirmed()
                        .completeExceptionally(new BrokerAway("the broker refused the message; repeat it", null));
            }
        });
        settled.clear();
    }

    private void fail(Throwable cause) {
        unconfirmed.values().forEach(sent -> sent.confirmed().completeExceptionally(unsure(cause)));
        unconfirmed.clear();
    }

    @Override
    public void close() {
        connection.abort(CLOSE_MILLIS);
    }
}
