package dev.weir.connectors.rabbitmq.sink;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;

/** Collects messages in their order and hands them to the checkpoint. */
final class OnCommitWriter<T> implements CommittingSinkWriter<T, MessageBatch> {

    private final MessageRouter<T> router;
    private final Refused refused;
    private final long maxHeldBytes;
    private final PublisherMetrics metrics;
    private List<AmqpMessage> collected = new ArrayList<>();
    private long heldBytes;

    OnCommitWriter(MessageRouter<T> router, Refused refused, long maxHeldBytes, PublisherMetrics metrics) {
        this.router = router;
        this.refused = refused;
        this.maxHeldBytes = maxHeldBytes;
        this.metrics = metrics;
    }

    @Override
    public void write(T record, Context context) throws IOException {
        AmqpMessage message = encodable(Objects.requireNonNull(
                router.route(record), "the router returned null; it gives a message for every record"));
        if (message == null) {
            return;
        }
        heldBytes += message.weight();
        if (heldBytes > maxHeldBytes) {
            throw new IOException("More than " + maxHeldBytes + " bytes of messages (" + collected.size()
                    + ") wait for a checkpoint; nothing is lost. Checkpoint more often, or raise setMaxHeldBytes");
        }
        collected.add(message);
        metrics.sent().inc();
        metrics.sentBytes().inc(message.body().length);
    }

    /** What cannot be encoded must not come into a checkpoint: none would ever complete. */
    @Nullable private AmqpMessage encodable(AmqpMessage message) throws IOException {
        String why = MessageBatchSerializer.whyUnencodable(message);
        if (why == null) {
            return message;
        }
        metrics.errors().inc();
        AmqpMessage instead = refused.instead(message, why);
        metrics.refused().inc();
        String again = instead == null ? null : MessageBatchSerializer.whyUnencodable(instead);
        return again == null ? instead : Refused.fail().instead(instead, again);
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
