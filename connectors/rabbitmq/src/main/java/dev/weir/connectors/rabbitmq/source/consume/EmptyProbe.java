package dev.weir.connectors.rabbitmq.source.consume;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import dev.weir.connectors.rabbitmq.common.Peer;
import dev.weir.connectors.rabbitmq.common.Reason;
import java.io.IOException;
import java.time.Duration;

/**
 * Finds out whether a queue has nothing for its consumer. RabbitMQ counts what is ready, without the unacknowledged: there the depth says
 * it. The depth of other brokers may count those too; they are asked for a message, which goes back if it comes because it arrived just
 * now. That costs its place in the queue, so nobody is asked while messages flow. Used by the thread that fetches.
 */
final class EmptyProbe {

    private static final long PAUSE_NANOS = Duration.ofMillis(200).toNanos();
    /** A broker that has just lost a connection has its messages back within that. */
    private static final long GIVE_BACK_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long NOT_SEEN = -1;

    private final Channel channel;
    private final String queue;
    private final Window window;
    private final boolean rabbit;
    private long dueNanos = System.nanoTime() + GIVE_BACK_NANOS;
    private boolean mayGet;
    /** The newest delivery at the look before. */
    private long lookedAfter = NOT_SEEN;
    /** Whether the depth was 0 then. */
    private boolean wasEmpty;

    EmptyProbe(Channel channel, String queue, Window window) {
        this.channel = channel;
        this.queue = queue;
        this.window = window;
        this.rabbit = Peer.isRabbit(channel);
    }

    /** What the broker is asked, for errors. */
    String question() {
        return rabbit ? "queue.declare or basic.get" : "basic.get";
    }

    /**
     * Asks, if it is time to. While the prefetch window is full the question has to wait: the broker may have more that it may not
     * deliver.
     *
     * @return whether there is nothing; false if that is not known yet
     * @throws IOException if the broker does not answer, or refuses
     */
    boolean seesNothing() throws IOException {
        if (window.isFull() || System.nanoTime() - dueNanos < 0) {
            return false;
        }
        boolean nothing = rabbit ? countsNothingTwice() : isStill() && getsNothing();
        lookedAfter = window.newest();
        dueNanos = System.nanoTime() + PAUSE_NANOS;
        return nothing;
    }

    /** Whether nothing was delivered since the look before. */
    private boolean isStill() {
        return lookedAfter == window.newest();
    }

    /** Twice, with nothing delivered in between, because deliveries may be on their way. A queue without a leader counts no consumer either. */
    private boolean countsNothingTwice() throws IOException {
        AMQP.Queue.DeclareOk state = channel.queueDeclarePassive(queue);
        boolean before = wasEmpty;
        wasEmpty = state.getMessageCount() == 0 && state.getConsumerCount() > 0;
        if (!wasEmpty && isStill() && window.isWidened()) {
            // A classic queue that has changed its single active consumer goes on only when something happens to it.
            var unused = getsNothing();
        }
        return before && wasEmpty && isStill();
    }

    /** First on a channel of its own, which a refusal costs; the consumer's would take all that is unacknowledged with it. */
    private boolean getsNothing() throws IOException {
        Channel apart = mayGet ? null : channel.getConnection().createChannel();
        if (apart == null) {
            return getsNothing(channel);
        }
        try {
            boolean nothing = getsNothing(apart);
            mayGet = true;
            apart.abort();
            return nothing;
        } catch (IOException e) {
            // A broker that did not answer is not asked to close the channel: that would wait again. The channel ends
            // with its connection.
            if (Reason.channelCloseCode(e) != AMQP.RESOURCE_LOCKED) {
                throw e;
            }
            if (rabbit) {
                return false;
            }
            throw new UnknowableException("Whether queue " + queue + " is empty cannot be known: the broker answers "
                    + Reason.of(e) + ". Read it with Bound.afterCount, or without a single active consumer");
        }
    }

    private boolean getsNothing(Channel on) throws IOException {
        GetResponse got = on.basicGet(queue, false);
        if (got != null) {
            on.basicNack(got.getEnvelope().getDeliveryTag(), false, true);
        }
        return got == null;
    }

    /** Trying again would not help. */
    static final class UnknowableException extends IOException {
        private static final long serialVersionUID = 1L;

        UnknowableException(String message) {
            super(message);
        }
    }
}
