package dev.weir.gateway.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.gateway.options.BrokerNames;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.queue.QueueAnswers;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to Weir's queues and back. It has a name of its own, to which the answers come; when one of its channels ends, all of it has
 * ended, and answers that have not come never come. Safe for use from many threads.
 */
public final class QueueChannel {

    private static final Logger LOG = LoggerFactory.getLogger(QueueChannel.class);
    private static final int NOT_FOUND = 404;
    private static final int ACCESS_REFUSED = 403;

    private final String id = UUID.randomUUID().toString();
    private final String exchange;
    private final Channel sending;
    private final Channel hearing;
    private final Publisher publisher;

    /** Hears what comes; must not block. */
    public interface Listener {

        void came(QueueAnswers answers);

        /** No answer can be relied on any more. Close it. */
        void ended(QueueChannel channel);
    }

    private QueueChannel(String exchange, Channel sending, Runnable cut, Channel hearing) throws IOException {
        this.exchange = exchange;
        this.sending = sending;
        this.hearing = hearing;
        publisher = new Publisher(sending, cut);
    }

    /** Throws {@link NoQueues}, or {@link BrokerAway}. Waits for the broker. */
    static QueueChannel open(
            Connection publishing, Runnable cut, Connection hearing, BrokerNames names, Listener listener) {
        Channel sends = null;
        Channel hears = null;
        try {
            sends = Session.channel(publishing);
            // Weir declares both.
            sends.exchangeDeclarePassive(names.sendQueues());
            hears = Session.channel(hearing);
            QueueChannel opened = new QueueChannel(names.sendQueues(), sends, cut, hears);
            opened.listen(names.answers(), listener);
            return opened;
        } catch (IOException | ShutdownSignalException e) {
            Session.abort(sends);
            Session.abort(hears);
            throw failure(names, e);
        }
    }

    private static RuntimeException failure(BrokerNames names, Exception e) {
        int code = e.getCause() instanceof ShutdownSignalException signal
                        && signal.getReason() instanceof AMQP.Channel.Close close
                ? close.getReplyCode()
                : 0;
        return switch (code) {
            case NOT_FOUND ->
                new NoQueues(
                        "Weir runs without queues: the broker has no exchange " + names.sendQueues()
                                + ", or none called " + names.answers() + "; Weir declares them when its queues start",
                        e);
            case ACCESS_REFUSED ->
                new NoQueues(
                        "the gateway's account at the broker may not use the queues: it must send to "
                                + names.sendQueues() + " and read " + names.answers(),
                        e);
            default -> new BrokerAway("the queues cannot be reached: " + Link.reason(e), e);
        };
    }

    private void listen(String answers, Listener listener) throws IOException {
        String queue = hearing.queueDeclare().getQueue();
        hearing.queueBind(queue, answers, id);
        hearing.basicConsume(queue, true, (tag, message) -> heard(message.getBody(), listener), tag -> close());
        hearing.addShutdownListener(cause -> listener.ended(this));
        sending.addShutdownListener(cause -> listener.ended(this));
    }

    private static void heard(byte[] body, Listener listener) {
        try {
            listener.came(Json.readKept(body, QueueAnswers.class));
        } catch (InvalidMessage e) {
            LOG.warn("Answers of the queues cannot be read: {}", e.getMessage());
        }
    }

    /** The name of the gateway on this channel. */
    public String id() {
        return id;
    }

    public boolean isOpen() {
        return sending.isOpen() && hearing.isOpen();
    }

    /**
     * Sends a request that must not be lost. Completes when the broker has it, fails with {@link BrokerAway} when it does not say so
     * within ten seconds.
     */
    public CompletableFuture<Void> send(String key, byte[] body) {
        return told(publisher.publish(exchange, key, UUID.randomUUID().toString(), body));
    }

    /** As {@link #send}, for a question that the broker forgets when no client waits any more, or when it ends itself. */
    public CompletableFuture<Void> ask(byte[] body, long waitMillis) {
        String id = UUID.randomUUID().toString();
        return told(publisher.publishTransient(exchange, Names.ASKS_KEY, id, body, waitMillis));
    }

    private static CompletableFuture<Void> told(CompletableFuture<Void> confirmed) {
        return confirmed.exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                failure instanceof TimeoutException ? Publisher.unsure(failure) : failure));
    }

    /** Ends what is left of it; its listener hears so. Waits for the broker, and must not be called by a listener. */
    public void close() {
        Session.abort(sending);
        Session.abort(hearing);
    }
}
