package dev.weir.connectors.rabbitmq.sink;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;

/** Collects messages in their order and hands them to the checkpoint. */
final class OnCommitWriter<T> implements CommittingSinkWriter<T, MessageBatch> {

    private final MessageRouter<T> router;
    private final long maxHeldBytes;
    private final PublisherMetrics metrics;
    private List<AmqpMessage> collected = new ArrayList<>();
    private long heldBytes;

    OnCommitWriter(MessageRouter<T> router, long maxHeldBytes, PublisherMetrics metrics) {
        this.router = router;
        this.maxHeldBytes = maxHeldBytes;
        this.metrics = metrics;
    }

    @Override
    public void write(T record, Context context) throws IOException {
        AmqpMessage message = router.route(record);
        heldBytes += message.weight();
        if (heldBytes > maxHeldBytes) {
            throw new IOException("More than " + maxHeldBytes + " bytes of messages (" + collected.size()
                    + ") wait for a checkpoint; nothing is lost. Checkpoint more often, or raise setMaxHeldBytes");
        }
        collected.add(message);
        metrics.sent().inc();
        metrics.sentBytes().inc(message.body().length);
    }

    @Override
    public void flush(boolean endOfInput) {
        // Nothing leaves before the commit.
    }

    @Override
    public Collection<MessageBatch> prepareCommit() {
        List<MessageBatch> batches = MessageBatch.cut(collected);
        collected = new ArrayList<>();
        heldBytes = 0;
        return batches;
    }

    @Override
    public void close() {
        collected.clear();
    }
}
