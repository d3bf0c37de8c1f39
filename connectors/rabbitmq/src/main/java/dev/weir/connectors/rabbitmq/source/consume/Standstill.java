package dev.weir.connectors.rabbitmq.source.consume;

import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.SourceOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens when a queue's prefetch window is full, everything in it has been taken, and no checkpoint has ever begun, so that nothing is
 * acknowledged: a source that ends reads on beyond its window, as in Flink's batch mode it would never end else; one that does not end
 * stands still, and logs it. A source cannot ask Flink whether checkpoints are on. The thread that fetches looks; the task's
 * reports checkpoints.
 */
final class Standstill {

    private static final Logger LOG = LoggerFactory.getLogger(Standstill.class);

    /** How long a full window of a source that ends waits for the first checkpoint. */
    private static final Duration BEFORE_READING_ON = Duration.ofSeconds(2);

    /** How long a queue stands still before that is worth a warning. */
    private static final Duration BEFORE_WARNING = Duration.ofSeconds(5);

    private static final long SILENCE_NANOS = Duration.ofMinutes(5).toNanos();

    private final SourceOptions options;
    private final String name;
    private final Map<String, Long> warnedNanos = new HashMap<>();
    private volatile boolean checkpoints;

    Standstill(SourceOptions options, String name) {
        this.options = options;
        this.name = name;
    }

    /** A checkpoint has begun: acknowledgements are to be expected from now on. */
    void checkpointBegan() {
        checkpoints = true;
    }

    boolean isExpectingCheckpoints() {
        return checkpoints;
    }

    boolean isBounded() {
        return !(options.bound() instanceof Bound.Never);
    }

    /**
     * Looks at a queue of which everything delivered has been taken.
     *
     * @throws IOException if it is to be read on, and the broker delivers no more without an acknowledgement
     */
    void look(QueueConsumer consumer) throws IOException {
        if (checkpoints) {
            return;
        }
        Window window = consumer.window();
        long now = System.nanoTime();
        if (isBounded()) {
            boolean first = !window.isWidened();
            if (window.isStuck(now, BEFORE_READING_ON)) {
                consumer.readBeyondWindow();
                if (first) {
                    warnOfReadingOn(consumer.queue());
                }
            }
        } else if (window.isStuck(now, BEFORE_WARNING)) {
            warnOfStandstill(now, consumer.queue());
        }
    }

    private void warnOfReadingOn(String queue) {
        LOG.warn(
                "{}: no checkpoint has begun yet that would acknowledge what is read from queue {}: it is read beyond its prefetch"
                        + " window of {}. If checkpoints are on, they acknowledge all of it when they come; else its messages go back to"
                        + " it when the task ends, and only a job in streaming mode with checkpoints on consumes them",
                name,
                queue,
                options.prefetch());
    }

    private void warnOfStandstill(long now, String queue) {
        Long before = warnedNanos.get(queue);
        if (before != null && now - before < SILENCE_NANOS) {
            return;
        }
        warnedNanos.put(queue, now);
        LOG.warn(
                "{}: queue {} at {} STANDS STILL: its prefetch window of {} is full, and no checkpoint has begun since the start,"
                        + " so nothing is acknowledged. Switch checkpoints on (execution.checkpointing.interval, or"
                        + " StreamExecutionEnvironment.enableCheckpointing): without them this source reads no further. If they are"
                        + " on, it goes on with the first; make them more frequent, or raise setPrefetch",
                name,
                queue,
                options.broker(),
                options.prefetch());
    }
}
