package dev.weir.connectors.rabbitmq.sink;

import dev.weir.connectors.rabbitmq.sink.publish.Publisher;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The sink that publishes as records arrive. Its state is what was unconfirmed when a checkpoint could wait no longer. */
final class AtOnceSink<T> extends RabbitMqSink<T> implements SupportsWriterState<T, MessageBatch> {
    private static final long serialVersionUID = 1L;

    AtOnceSink(MessageRouter<T> router, SinkOptions options) {
        super(router, options);
    }

    @Override
    public AtOnceWriter<T> createWriter(WriterInitContext context) throws IOException {
        return (AtOnceWriter<T>) restoreWriter(context, List.of());
    }

    @Override
    public StatefulSinkWriter<T, MessageBatch> restoreWriter(
            WriterInitContext context, Collection<MessageBatch> unconfirmed) throws IOException {
        int subtask = context.getTaskInfo().getIndexOfThisSubtask();
        PublisherMetrics metrics = PublisherMetrics.ofWriter(context.metricGroup());
        Routing<T> routing =
                Routing.open(router, options.refused(), metrics, context.asSerializationSchemaInitializationContext());
        Publisher publisher = new Publisher(options, "weir-sink-" + subtask, metrics);
        for (MessageBatch batch : unconfirmed) {
            publisher.takeOver(batch.messages());
        }
        publisher.start();
        return new AtOnceWriter<>(routing, publisher);
    }

    @Override
    public SimpleVersionedSerializer<MessageBatch> getWriterStateSerializer() {
        return new MessageBatchSerializer();
    }
}
