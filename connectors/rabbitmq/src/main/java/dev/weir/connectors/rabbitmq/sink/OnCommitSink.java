package dev.weir.connectors.rabbitmq.sink;

import dev.weir.connectors.rabbitmq.sink.publish.Publisher;
import java.io.IOException;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The sink that publishes when the checkpoint is complete. */
final class OnCommitSink<T> extends RabbitMqSink<T> implements SupportsCommitter<MessageBatch> {
    private static final long serialVersionUID = 1L;

    OnCommitSink(MessageRouter<T> router, SinkOptions options) {
        super(router, options);
    }

    @Override
    public OnCommitWriter<T> createWriter(WriterInitContext context) {
        return new OnCommitWriter<>(router, options.maxHeldBytes(), PublisherMetrics.ofWriter(context.metricGroup()));
    }

    @Override
    public Committer<MessageBatch> createCommitter(CommitterInitContext context) throws IOException {
        int subtask = context.getTaskInfo().getIndexOfThisSubtask();
        Publisher publisher = new Publisher(
                options, "weir-committer-" + subtask, PublisherMetrics.ofCommitter(context.metricGroup()));
        publisher.start();
        return new PublishingCommitter(publisher);
    }

    @Override
    public SimpleVersionedSerializer<MessageBatch> getCommittableSerializer() {
        return new MessageBatchSerializer();
    }
}
