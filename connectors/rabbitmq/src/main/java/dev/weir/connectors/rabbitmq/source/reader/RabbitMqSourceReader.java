package dev.weir.connectors.rabbitmq.source.reader;

import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.SourceOptions;
import dev.weir.connectors.rabbitmq.source.Undeserializable;
import dev.weir.connectors.rabbitmq.source.consume.ConsumerEvent.Delivered;
import dev.weir.connectors.rabbitmq.source.consume.Consumers;
import dev.weir.connectors.rabbitmq.source.enumerator.HeldQueues;
import dev.weir.connectors.rabbitmq.source.reader.DeliveryEmitter.SourceCounters;
import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.util.UserCodeClassLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the queues it was given and acknowledges what checkpoints have made safe. Everything here runs on the task's
 * thread; the fetching thread and the connection's belong to {@link QueueFetcher} and {@link Consumers}, and one watches
 * the age of messages.
 */
@Internal
public final class RabbitMqSourceReader<T>
        extends SingleThreadMultiplexSourceReaderBase<Delivered, T, QueueSplit, QueueState> {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitMqSourceReader.class);

    private final SourceOptions options;
    private final Consumers consumers;
    /** All queues ever given to this reader: one that is read to its end still has something to acknowledge. */
    private final Map<String, QueueState> states = new HashMap<>();

    private final FinishedQueues finished;
    private final TimeoutWatch timeoutWatch;
    private final WindowAdvice windowAdvice;
    private final StateAdvice stateAdvice;

    private RabbitMqSourceReader(
            SourceOptions options,
            Consumers consumers,
            QueueFetcher fetcher,
            DeliveryEmitter<T> emitter,
            SourceReaderContext context) {
        super(() -> fetcher, emitter, context.getConfiguration(), context);
        this.options = options;
        this.consumers = consumers;
        this.finished = new FinishedQueues(consumers);
        this.timeoutWatch =
                new TimeoutWatch(options.consumerTimeout(), consumers, "weir-source-" + context.getIndexOfSubtask());
        this.windowAdvice = new WindowAdvice(options.prefetch());
        this.stateAdvice = StateAdvice.of(context.getConfiguration());
        context.getConfiguration()
                .getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL)
                .flatMap(interval -> TimeoutAdvice.atStart(interval, options.consumerTimeout()))
                .ifPresent(LOG::warn);
    }

    /** A reader with its connection, which it opens when it gets a queue. */
    public static <T> SourceReader<T, QueueSplit> create(
            SourceOptions options,
            DeliveryDeserializer<T> deserializer,
            Undeserializable<T> undeserializable,
            SourceReaderContext context)
            throws Exception {
        SourceReaderMetricGroup metrics = context.metricGroup();
        deserializer.open(initialization(context));
        Consumers consumers = new Consumers(options, "weir-source-" + context.getIndexOfSubtask());
        metrics.setPendingRecordsGauge(consumers::pending);
        metrics.gauge("reconnects", consumers::reconnects);
        metrics.gauge("bufferedBytes", consumers::bufferedBytes);
        QueueFetcher fetcher = new QueueFetcher(options, consumers);
        SourceCounters counters = new SourceCounters(
                metrics.getIOMetricGroup().getNumRecordsInCounter(),
                metrics.getIOMetricGroup().getNumBytesInCounter(),
                metrics.getNumRecordsInErrorsCounter(),
                metrics.counter("duplicatesDropped"));
        DeliveryEmitter<T> emitter = new DeliveryEmitter<>(
                options, deserializer, undeserializable, counters, fetcher::limitReached, consumers::handled);
        return new RabbitMqSourceReader<>(options, consumers, fetcher, emitter, context);
    }

    private static DeserializationSchema.InitializationContext initialization(SourceReaderContext context) {
        return new DeserializationSchema.InitializationContext() {
            @Override
            public MetricGroup getMetricGroup() {
                return context.metricGroup().addGroup("deserializer");
            }

            @Override
            public UserCodeClassLoader getUserCodeClassLoader() {
                return context.getUserCodeClassLoader();
            }
        };
    }

    @Override
    public void start() {
        super.start();
        context.sendSourceEventToCoordinator(new HeldQueues(states.keySet()));
    }

    @Override
    public void addSplits(List<QueueSplit> splits) {
        List<QueueSplit> ours = splits.stream()
                .filter(split -> options.queues().contains(split.queue()))
                .toList();
        for (QueueSplit split : splits) {
            if (!ours.contains(split)) {
                LOG.warn("Queue {} is not configured any more: its messages stay with the broker", split.queue());
            }
        }
        super.addSplits(ours);
    }

    /**
     * Flink looks for an error of the fetching thread before it takes what that has fetched, and with the taking it forgets that it was
     * woken. An error that comes between the two would never be seen: the task would wait for ever.
     */
    @Override
    public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
        InputStatus status = super.pollNext(output);
        if (status == InputStatus.NOTHING_AVAILABLE) {
            splitFetcherManager.checkErrors();
        }
        return status;
    }

    @Override
    protected QueueState initializedState(QueueSplit split) {
        QueueState state = new QueueState(split, options.exactlyOnce(), options.prefetch(), options.remembered());
        states.put(split.queue(), state);
        return state;
    }

    @Override
    protected QueueSplit toSplitType(String queue, QueueState state) {
        return state.snapshot();
    }

    @Override
    public List<QueueSplit> snapshotState(long checkpointId) {
        consumers.expectAcknowledgements();
        List<QueueSplit> splits = new ArrayList<>(super.snapshotState(checkpointId));
        splits.addAll(finished.snapshot());
        states.values().forEach(state -> state.bind(checkpointId));
        stateAdvice.look(splits).ifPresent(LOG::warn);
        return splits;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws IOException {
        for (QueueState state : states.values()) {
            state.complete(
                    checkpointId, position -> consumers.acknowledge(state.queue(), position.channel(), position.tag()));
        }
        finished.settle();
        Map<String, Long> taken = new HashMap<>();
        states.forEach((queue, state) -> taken.put(queue, state.taken()));
        windowAdvice.afterCheckpoint(System.nanoTime(), taken).ifPresent(LOG::warn);
    }

    @Override
    protected void onSplitFinished(Map<String, QueueState> ended) {
        ended.values().forEach(finished::add);
        LOG.info("Queues {} have been read to their end", ended.keySet());
    }

    @Override
    public void close() throws Exception {
        timeoutWatch.close();
        // Before the others, so that a fetching thread that waits for the broker does not hold up the end.
        consumers.close();
        super.close();
    }
}
