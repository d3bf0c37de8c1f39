package dev.weir.connectors.rabbitmq.source.reader;

import dev.weir.connectors.rabbitmq.source.consume.Consumers;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks how old unacknowledged messages are, on a thread of its own: under back-pressure both the task's thread and the one that fetches
 * stand still, for as long as it lasts, and that is when messages grow old. The thread ends with {@link #close}.
 */
final class TimeoutWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TimeoutWatch.class);
    private static final long MOST_MILLIS = Duration.ofSeconds(5).toMillis();
    /** So often within the timeout, if it is short. */
    private static final int LOOKS = 20;

    private final Consumers consumers;
    private final TimeoutAdvice advice;
    private final ScheduledExecutorService thread;

    TimeoutWatch(Duration consumerTimeout, Consumers consumers, String name) {
        this.consumers = consumers;
        this.advice = new TimeoutAdvice(consumerTimeout);
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread watching = new Thread(task, name + "-watch");
            watching.setDaemon(true);
            return watching;
        });
        long pause = Math.max(1, Math.min(MOST_MILLIS, consumerTimeout.toMillis() / LOOKS));
        var unused = thread.scheduleWithFixedDelay(this::look, pause, pause, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            advice.look(System.nanoTime(), consumers.oldestUnacknowledged()).ifPresent(LOG::warn);
        } catch (RuntimeException e) {
            // An exception would end this timer silently.
            LOG.warn("The age of unacknowledged messages could not be checked", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
