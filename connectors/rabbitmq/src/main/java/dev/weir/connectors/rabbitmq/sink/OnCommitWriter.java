package dev.weir.connectors.rabbitmq.sink;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;

/** Collects messages in their order and hands them to the checkpoint. */
final class OnCommitWriter<T> implements CommittingSinkWriter<T, MessageBatch>, StatefulSinkWriter<T, MessageBatch> {

    private static final String MORE_OFTEN =
            "for a checkpoint; nothing is lost. Checkpoint more often, or raise setMaxHeldBytes";
    private static final String NEVER_YET =
            "to be published, and no checkpoint has come since the start; nothing is lost."
                    + " In Flink's BATCH mode none ever comes, and all that is published on commit is kept in memory until the end:"
                    + " raise setMaxHeldBytes, use Publishing.AT_ONCE, or run in STREAMING mode with checkpoints on."
                    + " In STREAMING mode, switch checkpoints on, make them more frequent, or raise setMaxHeldBytes";

    private final Routing<T> routing;
    private final long maxHeldBytes;
    private final PublisherMetrics metrics;
    private List<AmqpMessage> collected = new ArrayList<>();
    private long heldBytes;
    /** Whether there was one. In batch mode there is none, and a sink cannot ask Flink for the mode. */
    private boolean checkpoints;

    OnCommitWriter(Routing<T> routing, long maxHeldBytes, PublisherMetrics metrics) {
        this.routing = routing;
        this.maxHeldBytes = maxHeldBytes;
        this.metrics = metrics;
    }

    /**
     * Adds messages that a writer that published at once left unconfirmed; before the first {@link #write}. They do not count for
     * the limit: its window bounded them, and a job that they filled up would fail again at each restart.
     */
    void takeOver(Collection<AmqpMessage> messages) {
        collected.addAll(messages);
    }

    @Override
    public void write(T record, Context context) throws IOException {
        AmqpMessage message = routing.route(record);
        if (message == null) {
            return;
        }
        heldBytes += message.weight();
        if (heldBytes > maxHeldBytes) {
            throw new IOException("More than " + maxHeldBytes + " bytes of messages (" + collected.size() + ") wait "
                    + (checkpoints ? MORE_OFTEN : NEVER_YET));
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
        checkpoints = true;
        return batches;
    }

    /** Nothing: {@link #prepareCommit} came before, and handed over all there was. */
    @Override
    public List<MessageBatch> snapshotState(long checkpointId) {
        return List.of();
    }

    @Override
    public void close() {
        collected.clear();
    }
}
