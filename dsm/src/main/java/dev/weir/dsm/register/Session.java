package dev.weir.dsm.register;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Rejected;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One connection's worth of consuming. The broker delivers what is unacknowledged at its end to the next session. */
final class Session implements AutoCloseable {

    private static final long CONFIRM_MILLIS = 30_000;
    private static final int CLOSE_MILLIS = 5_000;
    /** Of the bodies of a batch: a part of a check-list has up to a megabyte, and is several times that as objects. */
    private static final long MAX_BATCH_BYTES = 16 << 20;

    private final Connection connection;
    private final Channel consuming;
    private final Channel rejecting;
    private final RegisterOptions options;
    private final BlockingQueue<Delivery> arrived;

    /** The broker has returned a rejected message: no queue is bound for it. Comes before the message's confirm. */
    private volatile boolean leadsNowhere;

    Session(Connection connection, RegisterOptions options) throws IOException {
        this.connection = connection;
        this.options = options;
        // Bounded by the prefetch: the broker gives no more.
        arrived = new LinkedBlockingQueue<>();
        try {
            new Topology(connection, options).ensure();
            rejecting = connection.createChannel();
            rejecting.confirmSelect();
            rejecting.addReturnListener(returned -> leadsNowhere = true);
            consuming = connection.createChannel();
            consuming.basicQos(options.prefetch());
            consuming.basicConsume(options.queue(), false, consumer());
        } catch (IOException | RuntimeException e) {
            connection.abort(CLOSE_MILLIS);
            throw e;
        }
    }

    private DefaultConsumer consumer() {
        return new DefaultConsumer(consuming) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
                arrived.add(new Delivery(envelope, properties, body));
            }

            @Override
            public void handleCancel(String tag) {
                // The queue was deleted: a new session declares it again.
                connection.abort();
            }
        };
    }

    /**
     * The next messages, at most a batch, and none more once they have 16 MiB; empty when none came within the time. Throws when the
     * connection is gone.
     */
    List<Delivery> next(long waitMillis) throws IOException, InterruptedException {
        Delivery next = arrived.poll(waitMillis, TimeUnit.MILLISECONDS);
        checkOpen();
        List<Delivery> batch = new ArrayList<>();
        long bytes = 0;
        while (next != null) {
            batch.add(next);
            bytes += next.getBody().length;
            next = batch.size() < options.batch() && bytes < MAX_BATCH_BYTES ? arrived.poll() : null;
        }
        return batch;
    }

    /** Not every broker notifies consumers that their queue was deleted; such a queue looks empty. */
    void checkConsumed() throws IOException {
        Channel asking = connection.createChannel();
        if (asking.queueDeclarePassive(options.queue()).getConsumerCount() == 0) {
            throw new IOException("queue " + options.queue() + " was deleted and made again");
        }
        asking.abort();
    }

    /** Whether no message waits, here or in the queue. */
    boolean isCaughtUp() throws IOException {
        if (!arrived.isEmpty()) {
            return false;
        }
        Channel asking = connection.createChannel();
        boolean none = asking.messageCount(options.queue()) == 0;
        asking.abort();
        return none;
    }

    void checkOpen() throws IOException {
        if (!consuming.isOpen() || !rejecting.isOpen()) {
            ShutdownSignalException why = consuming.isOpen() ? rejecting.getCloseReason() : consuming.getCloseReason();
            throw new IOException("the connection is gone: " + (why == null ? "closed" : why.getMessage()), why);
        }
    }

    /** Publishes the rejected messages, and acknowledges the whole batch when that is confirmed. */
    void settle(List<Delivery> batch, Map<Integer, InvalidMessage> refused) throws IOException, InterruptedException {
        if (!refused.isEmpty()) {
            for (Map.Entry<Integer, InvalidMessage> one : refused.entrySet()) {
                reject(batch.get(one.getKey()).getBody(), one.getValue());
            }
            try {
                rejecting.waitForConfirmsOrDie(CONFIRM_MILLIS);
            } catch (TimeoutException e) {
                throw new IOException(
                        "the broker did not confirm rejected messages within " + CONFIRM_MILLIS + " ms", e);
            }
            if (leadsNowhere) {
                throw new IOException("exchange " + options.rejectedExchange() + " leads to no queue: bind queue "
                        + options.rejectedQueue() + " to it with key " + Names.REJECTED_KEY
                        + ", or restart Weir, which does so");
            }
        }
        consuming.basicAck(batch.get(batch.size() - 1).getEnvelope().getDeliveryTag(), true);
    }

    private void reject(byte[] body, InvalidMessage why) throws IOException {
        Rejected rejected = Rejected.of(why.getMessage(), why.field(), options.queue(), Instant.now(), body);
        rejecting.basicPublish(
                options.rejectedExchange(),
                Names.REJECTED_KEY,
                true,
                MessageProperties.MINIMAL_PERSISTENT_BASIC
                        .builder()
                        .contentType("application/json")
                        .messageId(UUID.nameUUIDFromBytes(body).toString())
                        .build(),
                Json.write(rejected));
    }

    @Override
    public void close() {
        connection.abort(CLOSE_MILLIS);
    }
}
