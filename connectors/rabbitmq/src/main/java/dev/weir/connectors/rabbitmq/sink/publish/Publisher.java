package dev.weir.connectors.rabbitmq.sink.publish;

import com.rabbitmq.client.Channel;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.PublisherMetrics;
import dev.weir.connectors.rabbitmq.sink.SinkOptions;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.annotation.Internal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes messages in order and keeps each until the broker has confirmed it. When the connection breaks, or the
 * broker refuses a message, a new connection is opened and everything unconfirmed is published again in its order before
 * anything new. While the broker is away or blocks, messages are taken as long as the window has room.
 *
 * <p>Threads: one caller publishes and waits; the connection's thread delivers confirms ({@link Answers}); a maintenance
 * thread reconnects and repeats ({@link Reconnector}); another looks for what hangs ({@link Watch}). What they share is
 * {@link PublisherState}.
 */
@Internal
public final class Publisher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

    private final PublisherMetrics metrics;
    private final PublisherState state;
    private final Sender sender;
    private final Reconnector reconnector;
    private final Watch watch;

    /**
     * A publisher that does nothing yet.
     *
     * @param name of its connection and threads
     */
    public Publisher(SinkOptions options, String name, PublisherMetrics metrics) {
        this.metrics = metrics;
        this.state = new PublisherState(options);
        this.sender = new Sender(state);
        this.reconnector = new Reconnector(options, name, metrics, state, sender);
        this.watch = new Watch(options, name, state, sender, reconnector);
        metrics.gauge("unconfirmed", () -> (long) state.size());
        metrics.gauge("blocked", () -> isBlocked() ? 1L : 0L);
    }

    private boolean isBlocked() {
        ConfirmingChannel current = state.current();
        return current != null && current.isBlocked();
    }

    /** Adds messages that an earlier publisher left unconfirmed; before {@link #start()}. */
    public void takeOver(Collection<AmqpMessage> messages) {
        state.takeOver(messages);
    }

    /** Begins to connect, in the background. */
    public void start() {
        reconnector.start();
        watch.start();
    }

    /**
     * Publishes a message, or takes it into the window until the broker can be written to. Waits while the window is full.
     *
     * @throws IOException if nothing was confirmed for the back-off's limit, or a message was refused for good
     */
    public void publish(AmqpMessage message) throws IOException, InterruptedException {
        state.take(message);
        sender.write();
        metrics.sent().inc();
        metrics.sentBytes().inc(message.body().length);
    }

    /**
     * Waits until the broker has confirmed everything, or the oldest message has waited for the confirm timeout, or the broker blocks; the
     * rest stays in flight.
     */
    public void awaitConfirmsForACheckpoint() throws IOException, InterruptedException {
        int left = state.awaitConfirms(true);
        if (left > 0) {
            LOG.warn(
                    "{} messages are unconfirmed ({}): they go into the checkpoint and stay in flight",
                    left,
                    state.whyStill());
        }
    }

    /**
     * Waits until the broker has confirmed everything.
     *
     * @throws IOException if nothing was confirmed for the back-off's limit, or a message was refused for good
     */
    public void awaitAllConfirmed() throws IOException, InterruptedException {
        var unused = state.awaitConfirms(false);
    }

    /**
     * The messages that are not confirmed now, oldest first.
     *
     * @throws IOException if one was refused for good
     */
    public List<AmqpMessage> unconfirmed() throws IOException {
        return state.unconfirmed();
    }

    /** Closes the connection; what is unconfirmed is in the last checkpoint or will be made again from it. */
    @Override
    public void close() {
        ConfirmingChannel last = state.close();
        watch.close();
        reconnector.close();
        Sender.Write hanging = sender.underWay();
        if (hanging != null) {
            hanging.on().cutOff();
        }
        // A write may also hang on the channel before.
        if (last != null && (hanging == null || hanging.on() != last)) {
            last.closeGently();
        }
    }

    /** For tests and diagnosis. */
    @Nullable Channel currentChannel() {
        ConfirmingChannel current = state.current();
        return current == null ? null : current.raw();
    }
}
