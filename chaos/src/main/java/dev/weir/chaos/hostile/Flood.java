package dev.weir.chaos.hostile;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import dev.weir.protocol.Json;
import dev.weir.protocol.Rejected;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends bad messages at a rate, or as fast as Weir takes them, and reads the queue of rejected ones, which keeps only the newest. For one thread;
 * rejections are read by another.
 */
public final class Flood implements AutoCloseable {

    /** Messages between two looks at the queues. */
    private static final int BATCH = 200;
    /** More do not wait in one queue: what is good would stand behind them, and that is no merit of Weir. */
    private static final int MOST_WAITING = 300;

    private static final int CONFIRM_MILLIS = 60_000;
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int UNREAD = 1_000;
    private static final long SECOND_NANOS = 1_000_000_000;

    private final Site site;
    private final Hostility hostility;
    private final int perSecond;
    private final Ledger ledger = new Ledger();
    private final Connection connection;
    private final Channel sending;
    private final CountDownLatch never = new CountDownLatch(1);

    /**
     * Begins to read the rejected messages.
     *
     * @param perSecond most messages a second; 0 for no such limit
     */
    public Flood(Site site, Hostility hostility, int perSecond) throws IOException {
        this.site = site;
        this.perSecond = perSecond;
        this.hostility = hostility;
        connection = site.broker().connect();
        sending = connection.createChannel();
        sending.confirmSelect();
        Channel reading = connection.createChannel();
        reading.basicQos(UNREAD);
        reading.basicConsume(
                site.queue("rejected"),
                false,
                (tag, message) -> {
                    Rejected rejection = Json.readKept(message.getBody(), Rejected.class);
                    ledger.rejected(rejection, door(rejection.queue()));
                    reading.basicAck(message.getEnvelope().getDeliveryTag(), false);
                },
                tag -> {});
    }

    private Door door(String queue) {
        for (Door door : Door.values()) {
            if (site.queue(door.queue()).equals(queue)) {
                return door;
            }
        }
        return null;
    }

    public Ledger ledger() {
        return ledger;
    }

    /**
     * Sends this many.
     *
     * @throws IOException also when Weir takes none for two minutes
     */
    public void send(long count) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        try {
            for (long i = 0; i < count; i++) {
                if (perSecond > 0) {
                    long due = i * SECOND_NANOS / perSecond;
                    never.await(due - (System.nanoTime() - begun), TimeUnit.NANOSECONDS);
                }
                if (i % BATCH == 0) {
                    sending.waitForConfirmsOrDie(CONFIRM_MILLIS);
                    awaitRoom();
                }
                BadMessage next = hostility.next();
                // Before it is sent: its rejection may be here at once.
                ledger.sent(next);
                sending.basicPublish(
                        "", site.queue(next.door().queue()), MessageProperties.MINIMAL_PERSISTENT_BASIC, next.body());
            }
            sending.waitForConfirmsOrDie(CONFIRM_MILLIS);
        } catch (TimeoutException e) {
            throw new IOException("the broker does not confirm messages", e);
        }
    }

    private void awaitRoom() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (waiting() > MOST_WAITING) {
            if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new IOException(
                        "Weir does not read its queues: " + waiting() + " messages wait in one of them; see its log");
            }
            never.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** In the longest of the queues. */
    private int waiting() throws IOException {
        int most = 0;
        for (Door door : Door.values()) {
            most = Math.max(
                    most, sending.queueDeclarePassive(site.queue(door.queue())).getMessageCount());
        }
        return most;
    }

    /** Waits until every message that must be rejected is, or none has been for a while; what is left is a violation. */
    public void awaitRejections(Duration patience) throws InterruptedException {
        long last = -1;
        long since = System.nanoTime();
        while (ledger.awaited() > 0 && System.nanoTime() - since < patience.toNanos()) {
            if (ledger.rejected() != last) {
                last = ledger.rejected();
                since = System.nanoTime();
            }
            never.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        connection.abort();
    }
}
