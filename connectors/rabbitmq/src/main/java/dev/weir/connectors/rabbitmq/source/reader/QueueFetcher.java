package dev.weir.connectors.rabbitmq.source.reader;

import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.SourceOptions;
import dev.weir.connectors.rabbitmq.source.consume.ConsumerEvent;
import dev.weir.connectors.rabbitmq.source.consume.Consumers;
import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes deliveries off the connection and hands them over as soon as there is one, with what else is there. Keeps the
 * queues open meanwhile, and finds out when a bounded source is at its end.
 */
final class QueueFetcher implements SplitReader<ConsumerEvent.Delivered, QueueSplit> {

    private static final Logger LOG = LoggerFactory.getLogger(QueueFetcher.class);
    private static final int MAX_BATCH = 1_000;
    private static final Duration IDLE = Duration.ofSeconds(1);
    private static final Duration LOOK_WHETHER_EMPTY = Duration.ofMillis(20);
    private static final long DEPTH_INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();

    private final SourceOptions options;
    private final Consumers consumers;
    private final Set<String> queues = new HashSet<>();
    /** Queues of which only repetitions are still wanted. */
    private final Set<String> restoredAtLimit = new HashSet<>();

    private final Queue<String> atLimit = new ConcurrentLinkedQueue<>();
    private long depthsAtNanos = System.nanoTime() - DEPTH_INTERVAL_NANOS;

    QueueFetcher(SourceOptions options, Consumers consumers) {
        this.options = options;
        this.consumers = consumers;
    }

    /** From the task's thread: a queue has been read up to the bound. */
    void limitReached(String queue) {
        atLimit.add(queue);
        consumers.nudge();
    }

    @Override
    public RecordsWithSplitIds<ConsumerEvent.Delivered> fetch() throws IOException {
        DeliveryBatch batch = new DeliveryBatch();
        Duration wait = consumers.keepOpen();
        try {
            ConsumerEvent event = consumers.next(patience(wait));
            while (event != null) {
                take(event, batch);
                event = batch.size() < MAX_BATCH ? consumers.next(Duration.ZERO) : null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return batch;
        }
        finishAtLimit(batch);
        if (batch.size() == 0) {
            for (String queue : queues) {
                if (endsWhenEmpty(queue)) {
                    consumers.drain(queue);
                }
            }
        }
        for (String queue : queues) {
            consumers.lookForStandstill(queue);
        }
        refreshDepths();
        return batch;
    }

    private boolean endsWhenEmpty(String queue) {
        return options.bound() instanceof Bound.UntilEmpty || restoredAtLimit.contains(queue);
    }

    private boolean isBounded() {
        return !(options.bound() instanceof Bound.Never);
    }

    private Duration patience(@javax.annotation.Nullable Duration untilDue) {
        Duration most = isBounded() ? LOOK_WHETHER_EMPTY : IDLE;
        return untilDue == null || untilDue.compareTo(most) > 0 ? most : untilDue;
    }

    private void take(ConsumerEvent event, DeliveryBatch batch) throws IOException {
        if (event instanceof ConsumerEvent.Delivered delivered) {
            if (queues.contains(delivered.delivery().queue())) {
                batch.add(delivered);
            } else {
                consumers.handled(delivered.delivery());
            }
        } else if (event instanceof ConsumerEvent.Interrupted interrupted) {
            if (queues.contains(interrupted.queue())) {
                consumers.interrupted(interrupted);
            }
        } else if (event instanceof ConsumerEvent.Drained drained && queues.remove(drained.queue())) {
            batch.finish(drained.queue());
        }
    }

    private void finishAtLimit(DeliveryBatch batch) {
        for (String queue = atLimit.poll(); queue != null; queue = atLimit.poll()) {
            if (queues.remove(queue)) {
                consumers.stop(queue);
                batch.finish(queue);
            }
        }
    }

    private void refreshDepths() {
        long now = System.nanoTime();
        if (now - depthsAtNanos >= DEPTH_INTERVAL_NANOS) {
            depthsAtNanos = now;
            consumers.refreshDepths();
        }
    }

    @Override
    public void handleSplitsChanges(SplitsChange<QueueSplit> change) {
        if (!(change instanceof SplitsAddition)) {
            throw new UnsupportedOperationException("Queues are only added, not " + change.getClass());
        }
        for (QueueSplit split : change.splits()) {
            queues.add(split.queue());
            if (split.read() < options.bound().limit()) {
                consumers.add(List.of(split.queue()));
            } else {
                takeRepetitionsOf(split.queue());
            }
        }
    }

    /** A queue that was read up to its limit before a restart, and may not have heard the last acknowledgement. */
    private void takeRepetitionsOf(String queue) {
        if (options.exactlyOnce()) {
            restoredAtLimit.add(queue);
            consumers.add(List.of(queue));
            return;
        }
        atLimit.add(queue);
        LOG.warn(
                "{} had been read up to its count before the restart. If its last acknowledgement was lost, those messages"
                        + " are still there: only EXACTLY_ONCE would recognise them",
                consumers.describe(queue));
    }

    @Override
    public void wakeUp() {
        consumers.nudge();
    }

    /** Leaves the connection open: a source that has read everything still has to acknowledge it. The reader closes it. */
    @Override
    public void close() {}
}
