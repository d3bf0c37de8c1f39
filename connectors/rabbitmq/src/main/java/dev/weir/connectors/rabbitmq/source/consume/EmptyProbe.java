package dev.weir.connectors.rabbitmq.source.consume;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import dev.weir.connectors.rabbitmq.common.Peer;
import dev.weir.connectors.rabbitmq.common.Reason;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a queue has nothing for its consumer. Its depth is no answer: some brokers count what is unacknowledged.
 * Asking for a message does; one that comes because it arrived just now goes back. RabbitMQ refuses that for a quorum queue with a
 * single active consumer, and closes the channel: there the depth has to suffice, which it counts without the unacknowledged. Used by the
 * thread that fetches.
 */
final class EmptyProbe {

    private static final Logger LOG = LoggerFactory.getLogger(EmptyProbe.class);

    private static final long PAUSE_NANOS = Duration.ofMillis(200).toNanos();
    /** A broker that has just lost a connection has its messages back within that. */
    private static final long GIVE_BACK_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long NOT_SEEN = -1;

    private final Channel channel;
    private final String queue;
    private final Window window;
    private long dueNanos = System.nanoTime() + GIVE_BACK_NANOS;
    private boolean tried;
    private boolean getRefused;
    /** The newest delivery when the depth was 0. */
    private long emptyAfter = NOT_SEEN;

    EmptyProbe(Channel channel, String queue, Window window) {
        this.channel = channel;
        this.queue = queue;
        this.window = window;
    }

    /** What the broker is asked, for errors. */
    String question() {
        return getRefused ? "queue.declare" : "basic.get";
    }

    /**
     * Asks, if it is time to. While the prefetch window is full the question has to wait: a quorum queue counts how often a message goes
     * back.
     *
     * @return whether there is nothing; false if that is not known yet
     * @throws IOException if the broker does not answer, or refuses
     */
    boolean seesNothing() throws IOException {
        if (window.isFull() || System.nanoTime() - dueNanos < 0) {
            return false;
        }
        boolean nothing = getRefused ? countsNothingTwice() : tried ? getsNothing(channel) : tryToGet();
        dueNanos = System.nanoTime() + PAUSE_NANOS;
        return nothing;
    }

    /** On a channel of its own, which a refusal costs; the consumer's would take all that is unacknowledged with it. */
    private boolean tryToGet() throws IOException {
        Channel apart = channel.getConnection().createChannel();
        if (apart == null) {
            return getsNothing(channel);
        }
        try {
            boolean nothing = getsNothing(apart);
            tried = true;
            apart.abort();
            return nothing;
        } catch (IOException e) {
            // A broker that did not answer is not asked to close the channel: that would wait again. The channel ends
            // with its connection.
            if (Reason.channelCloseCode(e) != AMQP.RESOURCE_LOCKED) {
                throw e;
            }
            if (!Peer.isRabbit(channel)) {
                throw new UnknowableException(
                        "Whether queue " + queue + " is empty cannot be known: the broker answers " + Reason.of(e)
                                + ". Read it with Bound.afterCount, or without a single active consumer");
            }
            getRefused = true;
            LOG.info("Queue {} has a single active consumer: it counts as empty when its depth is 0", queue);
            return false;
        }
    }

    private boolean getsNothing(Channel on) throws IOException {
        GetResponse got = on.basicGet(queue, false);
        if (got != null) {
            on.basicNack(got.getEnvelope().getDeliveryTag(), false, true);
        }
        return got == null;
    }

    /** Twice, with nothing delivered in between, because deliveries may be on their way. A queue without a leader counts no consumer either. */
    private boolean countsNothingTwice() throws IOException {
        AMQP.Queue.DeclareOk state = channel.queueDeclarePassive(queue);
        boolean nothing = state.getMessageCount() == 0 && state.getConsumerCount() > 0;
        boolean twice = nothing && emptyAfter == window.newest();
        emptyAfter = nothing ? window.newest() : NOT_SEEN;
        return twice;
    }

    /** Trying again would not help. */
    static final class UnknowableException extends IOException {
        private static final long serialVersionUID = 1L;

        UnknowableException(String message) {
            super(message);
        }
    }
}
