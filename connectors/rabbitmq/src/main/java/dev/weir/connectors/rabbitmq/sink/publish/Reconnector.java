package dev.weir.connectors.rabbitmq.sink.publish;

import dev.weir.connectors.rabbitmq.common.Reason;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.PublisherMetrics;
import dev.weir.connectors.rabbitmq.sink.SinkOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a channel, and another with growing pauses when it breaks. Connecting, and repeating what is unconfirmed, is done by
 * one maintenance thread.
 */
final class Reconnector {

    private static final Logger LOG = LoggerFactory.getLogger(Reconnector.class);

    private final SinkOptions options;
    private final String name;
    private final PublisherMetrics metrics;
    private final PublisherState state;
    private final Sender sender;
    private final Answers answers;
    private final ScheduledExecutorService maintenance;
    /** Losses and failed tries since the last confirm. */
    private final AtomicInteger failures = new AtomicInteger();
    /** Refused messages since nothing was left to confirm, or since the oldest has changed. */
    private final AtomicInteger refusals = new AtomicInteger();

    /** The oldest message when one was refused last. */
    private final AtomicReference<AmqpMessage> oldestRefused = new AtomicReference<>();

    /** Abandoned, and not cut off yet: the only reference to its connection. */
    private final AtomicReference<ConfirmingChannel> abandoned = new AtomicReference<>();

    private volatile boolean connectedBefore;

    Reconnector(SinkOptions options, String name, PublisherMetrics metrics, PublisherState state, Sender sender) {
        this.options = options;
        this.name = name;
        this.metrics = metrics;
        this.state = state;
        this.sender = sender;
        this.answers = new Answers(state, options, metrics, this);
        this.maintenance = DaemonThreads.scheduler(name + "-maintenance");
    }

    void start() {
        after(Duration.ZERO, this::connect);
    }

    /** Has the maintenance thread write what is in the window. */
    void writeOn() {
        after(Duration.ZERO, sender::write);
    }

    void after(Duration pause, Runnable task) {
        try {
            var unused = maintenance.schedule(task, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("{} is closing", name);
            // Abandoned only after close() had looked for it.
            cutOffAbandoned();
        }
    }

    private void connect() {
        if (state.isClosed() || state.current() != null) {
            return;
        }
        ConfirmingChannel fresh = null;
        try {
            fresh = ConfirmingChannel.open(options, name, answers);
            int repeated = state.use(fresh);
            if (repeated < 0) {
                fresh.cutOff();
                return;
            }
            metrics.republished().inc(repeated);
            if (connectedBefore) {
                metrics.reconnects().inc();
            }
            connectedBefore = true;
            LOG.info("{}: publishing to {}", name, options.broker());
            sender.write();
        } catch (IOException | RuntimeException | Error e) {
            // Also after an error, as when no thread can be started: there is no other retry.
            notConnected(fresh, e);
        }
    }

    private void notConnected(@Nullable ConfirmingChannel fresh, Throwable e) {
        if (fresh != null) {
            fresh.cutOff();
        }
        if (state.isClosed()) {
            return;
        }
        String why = Reason.of(e);
        if (!connectedBefore && Reason.isRefusal(e)) {
            state.fail(new IOException(
                    "Cannot publish to the broker at " + options.broker().describe() + ": " + why,
                    Reason.withoutNames(e)));
            return;
        }
        state.trouble(why);
        failures.incrementAndGet();
        Duration pause = pause();
        LOG.warn("{}: {}; next try in {} ms", name, why, pause.toMillis());
        after(pause, this::connect);
    }

    private Duration pause() {
        int count = Math.max(failures.get(), refusals.get());
        return count == 0 ? Duration.ZERO : options.backOff().pauseAfter(count);
    }

    /** The broker has confirmed something: it works. */
    void confirmed(boolean nothingLeft) {
        failures.set(0);
        if (nothingLeft) {
            refusals.set(0);
        }
    }

    /**
     * The broker does not take a message: it is repeated, with what followed, on another channel after a pause. As long as the
     * oldest is taken between refusals, as by a queue that is full and being read, there is progress, and pauses do not grow.
     */
    void refused(ConfirmingChannel on, String why) {
        AmqpMessage oldest = state.oldest();
        if (oldestRefused.getAndSet(oldest) != oldest) {
            refusals.set(0);
        }
        refusals.incrementAndGet();
        lost(on, why);
    }

    /** The channel is of no use any more: another one takes its place after a pause. */
    void lost(ConfirmingChannel on, String why) {
        if (state.abandon(on, why)) {
            replace(on, why);
        }
    }

    /** Opens another channel, after a pause, in place of one that has been abandoned. */
    void replace(ConfirmingChannel on, String why) {
        if (!on.isYoungerThan(options.backOff().max())) {
            failures.set(0);
        }
        Duration pause = pause();
        // A channel that never confirms anything must not be replaced again and again without a pause.
        failures.incrementAndGet();
        LOG.warn(
                "{}: lost the channel to {} ({}), {} messages to repeat, next try in {} ms",
                name,
                options.broker(),
                why,
                state.size(),
                pause.toMillis());
        abandoned.set(on);
        after(pause, () -> {
            cutOffAbandoned();
            connect();
        });
    }

    private void cutOffAbandoned() {
        ConfirmingChannel left = abandoned.getAndSet(null);
        if (left != null) {
            left.cutOff();
        }
    }

    /** Also cuts off a channel that waits to be replaced: the task that would have done it never runs. */
    void close() {
        maintenance.shutdownNow();
        cutOffAbandoned();
    }
}
