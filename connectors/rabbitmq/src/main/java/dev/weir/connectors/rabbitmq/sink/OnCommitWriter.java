package dev.weir.connectors.rabbitmq.sink;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;

/** Collects messages in their order and hands them to the checkpoint. */
final class OnCommitWriter<T> implements CommittingSinkWriter<T, MessageBatch> {

    private final MessageRouter<T> router;
    private List<AmqpMessage> collected = new ArrayList<>();

    OnCommitWriter(MessageRouter<T> router) {
        this.router = router;
    }

    @Override
    public void write(T record, Context context) {
        collected.add(router.route(record));
    }

    @Override
    public void flush(boolean endOfInput) {
        // Nothing leaves before the commit.
    }

    @Override
    public Collection<MessageBatch> prepareCommit() {
        List<MessageBatch> batches = MessageBatch.cut(collected);
        collected = new ArrayList<>();
        return batches;
    }

    @Override
    public void close() {
        collected.clear();
    }
}
