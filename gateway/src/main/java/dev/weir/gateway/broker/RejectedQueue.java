package dev.weir.gateway.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Looks into the queue of rejected messages, on a channel of its own. AMQP has no way to look at a message without taking it: each is taken without an
 * acknowledgement, and all go back to their places at the end of the look. Until then others see the queue without them. If the connection breaks, the
 * broker puts them back. One look at a time; safe for use from many threads.
 */
public final class RejectedQueue {

    /** Of the queue, from its head; later ones are seen when these are gone. */
    public static final int MOST = 1_000;

    private static final int ACCESS_REFUSED = 403;
    /** More than the time for the confirm of a message. */
    private static final long SENT_SECONDS = 15;

    private final Connection connection;
    private final String queue;
    private Channel channel;

    RejectedQueue(Connection connection, String queue) {
        this.connection = connection;
        this.queue = queue;
    }

    private interface Step<T> {
        T run(Channel open) throws IOException, InterruptedException;
    }

    /**
     * Shows messages, the oldest first, until there is none, one is refused, or {@value #MOST} were shown.
     *
     * @param goesOn is given each message, and says whether it wants another one
     * @return how many messages the queue had
     */
    public synchronized int look(Predicate<RejectedMessage> goesOn) {
        return run(open -> {
            Deque<Long> taken = new ArrayDeque<>();
            int seen = 0;
            int left = 0;
            try {
                for (boolean more = true; more && seen < MOST; ) {
                    GetResponse got = open.basicGet(queue, false);
                    if (got == null) {
                        return seen;
                    }
                    taken.push(got.getEnvelope().getDeliveryTag());
                    left = got.getMessageCount();
                    seen++;
                    more = goesOn.test(RejectedMessage.of(got));
                }
                return seen + left;
            } finally {
                giveBack(open, taken);
            }
        });
    }

    /**
     * Takes the first message with the id out of the queue once it was sent, or need not be. If that fails, or is not known, the message stays.
     *
     * @param send sends it; it completes when the message may go, as the broker has it elsewhere. Exceptions of it are passed on
     * @return whether there was such a message
     */
    public synchronized boolean move(String id, Function<RejectedMessage, CompletableFuture<Void>> send) {
        return run(open -> {
            Deque<Long> taken = new ArrayDeque<>();
            try {
                for (int seen = 0; seen < MOST; seen++) {
                    GetResponse got = open.basicGet(queue, false);
                    if (got == null) {
                        return false;
                    }
                    RejectedMessage message = RejectedMessage.of(got);
                    taken.push(message.tag());
                    if (message.id().equals(id)) {
                        await(send.apply(message));
                        open.basicAck(message.tag(), false);
                        taken.pop();
                        return true;
                    }
                }
                return false;
            } finally {
                giveBack(open, taken);
            }
        });
    }

    /** The newest first, each by itself: the broker inside {@code up} gives only the last one back when it is told of several at once. */
    private static void giveBack(Channel open, Deque<Long> taken) throws IOException {
        for (long tag : taken) {
            open.basicNack(tag, false, true);
        }
    }

    private static void await(CompletableFuture<Void> sent) throws InterruptedException {
        try {
            sent.get(SENT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : Publisher.unsure(e.getCause());
        } catch (TimeoutException e) {
            throw Publisher.unsure(e);
        }
    }

    private <T> T run(Step<T> step) {
        try {
            if (channel == null || !channel.isOpen()) {
                channel = connection.createChannel();
                if (channel == null) {
                    throw new IOException("the broker allows this connection no further channel; ask again later");
                }
            }
            return step.run(channel);
        } catch (IOException | ShutdownSignalException e) {
            // What it was asked may be answered later, and would be taken for the answer to the next question.
            Session.abort(channel);
            boolean isRefused = e.getCause() instanceof ShutdownSignalException signal
                    && signal.getReason() instanceof AMQP.Channel.Close close
                    && close.getReplyCode() == ACCESS_REFUSED;
            throw new BrokerAway(
                    isRefused
                            ? "the gateway's account at the broker may not read queue " + queue
                                    + "; flink-conf/rabbitmq-accounts makes accounts that may"
                            : "the rejected messages cannot be read: " + Link.reason(e),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerAway("the gateway stops", e);
        }
    }
}
