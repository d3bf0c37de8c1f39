package dev.weir.connectors.rabbitmq.source.consume;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ChannelContinuationTimeoutException;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.weir.connectors.rabbitmq.common.Peer;
import dev.weir.connectors.rabbitmq.common.Reason;
import dev.weir.connectors.rabbitmq.source.Delivery;
import java.io.IOException;
import java.time.Duration;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The consumer of one queue on one channel. Its callbacks only pass on what they receive. */
final class QueueConsumer extends DefaultConsumer {

    private static final Logger LOG = LoggerFactory.getLogger(QueueConsumer.class);

    /** How many bodies make an average: few, as their size may change. */
    private static final int RECENT = 8;

    private final Consumers consumers;
    private final Channel channel;
    private final long number;
    private final String queue;
    private final Window window;
    private final EmptyProbe probe;
    private final Consumers.Retry openedBy;
    private final Buffered buffered;
    private final boolean toldOfCancellations;
    private final long openedNanos = System.nanoTime();
    private volatile boolean delivered;
    private volatile boolean cancelled;
    private volatile long depth;
    private volatile boolean condemned;
    private int started;
    // Of the connection's thread:
    private boolean overflowed;
    private double averageBody;

    /** Of the consumer that is at work; null before there is one. */
    @Nullable private volatile String tag;

    QueueConsumer(
            Consumers consumers,
            Channel channel,
            long number,
            String queue,
            int prefetch,
            Consumers.Retry openedBy,
            Buffered buffered) {
        super(channel);
        this.consumers = consumers;
        this.channel = channel;
        this.number = number;
        this.queue = queue;
        this.window = new Window(prefetch);
        this.probe = new EmptyProbe(channel, queue, window);
        this.openedBy = openedBy;
        this.buffered = buffered;
        this.toldOfCancellations = Peer.tellsOfCancelledConsumers(channel);
    }

    void start() throws IOException {
        String fresh = "weir-" + number + "-" + ++started;
        tag = fresh;
        channel.basicConsume(queue, false, fresh, this);
    }

    String queue() {
        return queue;
    }

    Window window() {
        return window;
    }

    long number() {
        return number;
    }

    long depth() {
        return depth;
    }

    /** Whether this channel delivered, or lived as long as the longest pause; else it counts as a failed try. */
    boolean wasOfUse(Duration longEnough) {
        return delivered || System.nanoTime() - openedNanos > longEnough.toNanos();
    }

    /** The try that opened it. */
    Consumers.Retry openedBy() {
        return openedBy;
    }

    @Override
    public void handleDelivery(String consumerTag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
        delivered = true;
        if (overflowed || !isTaken(body)) {
            // Not acknowledged: it comes again.
            return;
        }
        window.delivered(envelope.getDeliveryTag());
        consumers.post(new ConsumerEvent.Delivered(number, new Delivery(queue, envelope, properties, body)));
    }

    private boolean isTaken(byte[] body) {
        averageBody = averageBody == 0 ? body.length : averageBody + (body.length - averageBody) / RECENT;
        if (window.limit() == 1) {
            // There is no smaller window.
            buffered.takeAnyway(body.length);
        } else if (!buffered.takes(body.length)) {
            overflowed = true;
            consumers.overflowed(this, (long) averageBody);
        }
        return !overflowed;
    }

    @Override
    public void handleCancel(String consumerTag) {
        consumers.post(new ConsumerEvent.Interrupted(
                number, queue, "the broker cancelled the consumer: was the queue deleted?"));
    }

    @Override
    public void handleCancelOk(String consumerTag) {
        if (consumerTag.equals(tag)) {
            consumers.post(new ConsumerEvent.Drained(number, queue));
        }
    }

    @Override
    public void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
        consumers.post(new ConsumerEvent.Interrupted(number, queue, Reason.of(signal)));
    }

    /**
     * A question was not answered in time. Its answer may still come, and would be taken for that of the next question, or bring
     * a message that is not recorded anywhere and that a later acknowledgement would cover: nothing more is done on this channel.
     */
    private void unanswered(String question, ChannelContinuationTimeoutException e) {
        condemned = true;
        consumers.post(new ConsumerEvent.Interrupted(
                number, queue, "the broker did not answer " + question + ": " + Reason.of(e)));
    }

    boolean acknowledge(long deliveryTag) {
        if (condemned) {
            return false;
        }
        try {
            channel.basicAck(deliveryTag, true);
            window.acknowledged(deliveryTag);
            return true;
        } catch (IOException | AlreadyClosedException e) {
            LOG.info("Acknowledging messages of queue {} failed, they will come again: {}", queue, Reason.of(e));
            return false;
        }
    }

    boolean isOpen() {
        return !condemned && channel.isOpen();
    }

    /** Asks something harmless: the broker answers a channel in the order in which it was spoken to. */
    boolean isAnswered() {
        if (condemned) {
            return false;
        }
        try {
            channel.basicQos(window.limit());
            return true;
        } catch (ChannelContinuationTimeoutException e) {
            unanswered("whether it has the last acknowledgement", e);
        } catch (IOException | AlreadyClosedException e) {
            LOG.info(
                    "It is unknown whether the broker has the last acknowledgement for queue {}: {}",
                    queue,
                    Reason.of(e));
        }
        return false;
    }

    /**
     * Cancels if the queue has nothing for us; see {@link EmptyProbe}.
     *
     * @throws IOException if that can never be known
     */
    void cancelIfEmpty() throws IOException {
        if (condemned || cancelled) {
            return;
        }
        try {
            if (probe.seesNothing()) {
                cancel();
            }
        } catch (EmptyProbe.UnknowableException e) {
            throw e;
        } catch (ChannelContinuationTimeoutException e) {
            unanswered(probe.question(), e);
        } catch (IOException | AlreadyClosedException e) {
            LOG.debug("It is unknown whether queue {} is empty: {}", queue, Reason.of(e));
        }
    }

    /**
     * Has the broker deliver another window's worth although nothing was acknowledged. RabbitMQ counts the prefetch for each
     * consumer, so that another consumer on the same channel gets as many again; the one before is full and not needed any
     * more. Other brokers count it for the channel, as AMQP says.
     *
     * @throws IOException if AMQP can count no further
     */
    void readBeyondWindow() throws IOException {
        String full = tag;
        if (condemned || cancelled || full == null) {
            return;
        }
        boolean rabbit = Peer.isRabbit(channel);
        int before = window.limit();
        if (!rabbit && window.widen() == before) {
            throw new IOException(
                    "Queue " + queue + " holds more than the " + before + " messages that this broker delivers"
                            + " without an acknowledgement, and no checkpoint has begun yet that would acknowledge any; nothing"
                            + " is lost. Run the job in Flink's streaming mode with checkpoints on, and the first one soon");
        }
        try {
            if (rabbit) {
                window.startAnew();
                start();
                channel.basicCancel(full);
            } else {
                channel.basicQos(window.limit());
            }
        } catch (ChannelContinuationTimeoutException e) {
            unanswered("a question for more messages", e);
        } catch (IOException | AlreadyClosedException e) {
            LOG.debug("Queue {} was lost while more messages were requested: {}", queue, Reason.of(e));
        }
    }

    void cancel() {
        String consuming = tag;
        if (condemned || cancelled || consuming == null) {
            return;
        }
        try {
            channel.basicCancel(consuming);
            cancelled = true;
        } catch (ChannelContinuationTimeoutException e) {
            unanswered("basic.cancel", e);
        } catch (IOException | AlreadyClosedException e) {
            LOG.debug("Cancelling the consumer of queue {} failed: {}", queue, Reason.of(e));
        }
    }

    /**
     * Also notices that the queue has no consumer: some brokers do not say when it is deleted, and it may be back already. Of one that
     * does say, this is not believed: it counts no consumers of a quorum queue that has no leader just now.
     */
    void refreshDepth() {
        if (condemned) {
            return;
        }
        try {
            AMQP.Queue.DeclareOk state = channel.queueDeclarePassive(queue);
            depth = state.getMessageCount();
            if (state.getConsumerCount() == 0 && !toldOfCancellations && !cancelled) {
                consumers.post(new ConsumerEvent.Interrupted(
                        number, queue, "the queue has no consumer any more: was it deleted and created again?"));
            }
        } catch (ChannelContinuationTimeoutException e) {
            unanswered("queue.declare", e);
        } catch (IOException | AlreadyClosedException e) {
            LOG.debug("The depth of queue {} is unknown: {}", queue, Reason.of(e));
        }
    }

    void abort() {
        try {
            channel.abort();
        } catch (IOException | RuntimeException e) {
            LOG.debug("The channel of queue {} was closed already: {}", queue, Reason.of(e));
        }
    }
}
