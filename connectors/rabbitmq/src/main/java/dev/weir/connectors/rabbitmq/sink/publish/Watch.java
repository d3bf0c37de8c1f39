package dev.weir.connectors.rabbitmq.sink.publish;

import dev.weir.connectors.rabbitmq.sink.SinkOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Looks twice a second whether something hangs: a write, for too long or in a task that is being cancelled, a connection that is
 * open but confirms nothing, or everything for so long that the task must fail. Has a thread of its own, which never touches a socket except to cut it off.
 */
final class Watch {

    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final SinkOptions options;
    private final PublisherState state;
    private final Sender sender;
    private final Reconnector reconnector;
    private final ScheduledExecutorService clock;

    Watch(SinkOptions options, String name, PublisherState state, Sender sender, Reconnector reconnector) {
        this.options = options;
        this.state = state;
        this.sender = sender;
        this.reconnector = reconnector;
        this.clock = DaemonThreads.scheduler(name + "-watch");
    }

    void start() {
        long millis = INTERVAL.toMillis();
        var unused = clock.scheduleWithFixedDelay(this::lookOrFail, millis, millis, TimeUnit.MILLISECONDS);
    }

    private void lookOrFail() {
        try {
            look();
        } catch (RuntimeException | Error e) {
            // It would never be called again, and nothing would end a wait that hangs.
            state.fail(new IOException("The watch for hanging writes has failed: " + e, e));
            throw e;
        }
    }

    private void look() {
        long now = System.nanoTime();
        Sender.Write write = sender.underWay();
        if (write != null && write.isInterrupted()) {
            cutOff(write.on(), "the thread that writes to it is interrupted");
        } else if (write != null
                && now - write.sinceNanos() > options.confirmTimeout().toNanos()) {
            cutOff(write.on(), "a write took longer than " + options.confirmTimeout());
        }
        ConfirmingChannel silent = state.silent(now);
        if (silent != null) {
            cutOff(silent, "no confirm for " + options.confirmTimeout());
        }
        long still = state.standstillSeconds(now);
        if (still > 0) {
            state.fail(new IOException("Publishing to the broker at "
                    + options.broker().describe() + " has stood still for " + still + " s with " + state.size()
                    + " messages unconfirmed (" + state.whyStill()
                    + "); nothing is lost, the job goes on from its last checkpoint. Check the broker, or allow more time"
                    + " with setReconnect"));
        }
    }

    private void cutOff(ConfirmingChannel channel, String why) {
        channel.cutOff();
        reconnector.lost(channel, why);
    }

    void close() {
        clock.shutdownNow();
    }
}
