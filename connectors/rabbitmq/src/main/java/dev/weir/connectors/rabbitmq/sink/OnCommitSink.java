package dev.weir.connectors.rabbitmq.sink;

import dev.weir.connectors.rabbitmq.sink.publish.Publisher;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.SupportsPreCommitTopology;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * The sink that publishes when the checkpoint is complete. Its committer never shares a task with a source: Flink tells the
 * last of a chain first that a checkpoint is complete, so a commit that waits for the broker would hold back the source's
 * acknowledgements.
 *
 * <p>Its writers' state is what was beyond the limit of a checkpoint. They also take over what a sink that published at once left in the
 * same place unconfirmed: the source has acknowledged the messages that those were made of, and Flink drops state without an owner
 * silently.
 */
final class OnCommitSink<T> extends RabbitMqSink<T>
        implements SupportsCommitter<MessageBatch>,
                SupportsWriterState<T, MessageBatch>,
                SupportsPreCommitTopology<MessageBatch, MessageBatch> {
    private static final long serialVersionUID = 1L;

    OnCommitSink(MessageRouter<T> router, SinkOptions options) {
        super(router, options);
    }

    @Override
    public OnCommitWriter<T> createWriter(WriterInitContext context) throws IOException {
        return (OnCommitWriter<T>) restoreWriter(context, List.of());
    }

    @Override
    public StatefulSinkWriter<T, MessageBatch> restoreWriter(
            WriterInitContext context, Collection<MessageBatch> unconfirmed) throws IOException {
        PublisherMetrics metrics = PublisherMetrics.ofWriter(context.metricGroup());
        OnCommitWriter<T> writer = new OnCommitWriter<>(
                Routing.open(router, options.refused(), metrics, context.asSerializationSchemaInitializationContext()),
                options.maxHeldBytes(),
                metrics,
                context.getRestoredCheckpointId().isPresent(),
                TimeUnit.NANOSECONDS::sleep);
        for (MessageBatch batch : unconfirmed) {
            writer.takeOver(batch.messages());
        }
        return writer;
    }

    @Override
    public SimpleVersionedSerializer<MessageBatch> getWriterStateSerializer() {
        return new MessageBatchSerializer();
    }

    /**
     * Ends the chain, and gives each committer all that a writer hands over: Flink expects as many parts as the writer has announced to
     * come to the same one, whatever parallelism batch mode chooses for it. With equal parallelism each writer has its own committer.
     */
    @Override
    public DataStream<CommittableMessage<MessageBatch>> addPreCommitTopology(
            DataStream<CommittableMessage<MessageBatch>> committables) {
        return committables.partitionCustom(
                (writer, committers) -> writer % committers, CommittableMessage::getSubtaskId);
    }

    /** Of what travels from writer to committer. */
    @Override
    public SimpleVersionedSerializer<MessageBatch> getWriteResultSerializer() {
        return new MessageBatchSerializer();
    }

    @Override
    public Committer<MessageBatch> createCommitter(CommitterInitContext context) throws IOException {
        int subtask = context.getTaskInfo().getIndexOfThisSubtask();
        Publisher publisher = new Publisher(
                options, "weir-committer-" + subtask, PublisherMetrics.ofCommitter(context.metricGroup()));
        publisher.start();
        return new PublishingCommitter(publisher);
    }

    /** Of a committer's state. */
    @Override
    public SimpleVersionedSerializer<MessageBatch> getCommittableSerializer() {
        return new MessageBatchSerializer(true);
    }
}
