package dev.weir.connectors.rabbitmq.sink;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects messages in their order and hands them to the checkpoint, at most a limit of bytes to each; what is beyond stays in the
 * writer's own state and goes with the next.
 *
 * <p>A writer cannot wait for a checkpoint: its barrier comes behind the record that would wait, and nothing else can ask for one. So
 * beyond the limit it takes records slowly, another limit's worth in a minute, which gives the barrier time to come, and never fails
 * once there were checkpoints.
 */
final class OnCommitWriter<T> implements CommittingSinkWriter<T, MessageBatch>, StatefulSinkWriter<T, MessageBatch> {

    private static final Logger LOG = LoggerFactory.getLogger(OnCommitWriter.class);

    /** In which time beyond the limit as much is taken as the limit itself. */
    static final long NANOS_PER_LIMIT = TimeUnit.MINUTES.toNanos(1);

    /** Shorter pauses are added up: a thread cannot sleep so short. */
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final String NEVER_YET =
            "to be published, and no checkpoint has come since the start; nothing is lost."
                    + " In Flink's BATCH mode none ever comes, and all that is published on commit is kept in memory until the end:"
                    + " raise setMaxHeldBytes, use Publishing.AT_ONCE, or run in STREAMING mode with checkpoints on."
                    + " In STREAMING mode, switch checkpoints on, make them more frequent, or raise setMaxHeldBytes";

    private final Routing<T> routing;
    private final long maxHeldBytes;
    private final PublisherMetrics metrics;
    private final Pause pause;
    private List<AmqpMessage> collected = new ArrayList<>();
    private volatile long heldBytes;
    /** Whether there was one. In batch mode there is none, and a sink cannot ask Flink for the mode. */
    private boolean checkpoints;

    private boolean atEnd;
    private boolean warned;
    private long owedNanos;

    /** Holds the task's thread back. */
    interface Pause {
        void nanos(long howLong) throws InterruptedException;
    }

    /**
     * A writer.
     *
     * @param restored whether the job goes on from a checkpoint, so that others are to be expected
     */
    OnCommitWriter(Routing<T> routing, long maxHeldBytes, PublisherMetrics metrics, boolean restored, Pause pause) {
        this.routing = routing;
        this.maxHeldBytes = maxHeldBytes;
        this.metrics = metrics;
        this.checkpoints = restored;
        this.pause = pause;
        metrics.gauge("heldBytes", () -> heldBytes);
    }

    /**
     * Adds messages from a writer's state, before the first {@link #write}: what was beyond the limit, or what a writer that published at
     * once left unconfirmed.
     */
    void takeOver(Collection<AmqpMessage> messages) {
        messages.forEach(this::hold);
    }

    private void hold(AmqpMessage message) {
        collected.add(message);
        heldBytes += message.weight();
    }

    @Override
    public void write(T record, Context context) throws IOException, InterruptedException {
        AmqpMessage message = routing.route(record);
        if (message == null) {
            return;
        }
        if (heldBytes > 0 && heldBytes + message.weight() > maxHeldBytes) {
            slowDown(message.weight());
        }
        hold(message);
        metrics.sent().inc();
        metrics.sentBytes().inc(message.body().length);
    }

    private void slowDown(long weight) throws IOException, InterruptedException {
        if (!warned) {
            warned = true;
            LOG.warn(
                    "{} messages of some {} bytes wait for a checkpoint, more than setMaxHeldBytes ({}): the sink holds its input"
                            + " back, to as many bytes in a minute, until one comes. Checkpoint more often, or raise setMaxHeldBytes",
                    collected.size(),
                    heldBytes,
                    maxHeldBytes);
        }
        if (!checkpoints && heldBytes / 2 > maxHeldBytes) {
            throw new IOException("More than twice " + maxHeldBytes + " bytes of messages (" + collected.size()
                    + ") wait " + NEVER_YET);
        }
        owedNanos += (long) ((double) NANOS_PER_LIMIT * Math.min(weight, maxHeldBytes) / maxHeldBytes);
        if (owedNanos >= SHORTEST_NANOS) {
            pause.nanos(owedNanos);
            owedNanos = 0;
        }
    }

    /** Nothing leaves before the commit. */
    @Override
    public void flush(boolean endOfInput) {
        atEnd = endOfInput;
    }

    /** The oldest messages, up to the limit; at the end of the input all of them, as no other checkpoint comes. */
    @Override
    public Collection<MessageBatch> prepareCommit() {
        checkpoints = true;
        int count = 0;
        long bytes = 0;
        while (count < collected.size()) {
            long weight = collected.get(count).weight();
            if (count > 0 && bytes + weight > maxHeldBytes && !atEnd) {
                break;
            }
            bytes += weight;
            count++;
        }
        List<MessageBatch> batches = MessageBatch.cut(collected.subList(0, count));
        collected = new ArrayList<>(collected.subList(count, collected.size()));
        heldBytes -= bytes;
        warned = !collected.isEmpty();
        return batches;
    }

    /** What {@link #prepareCommit}, which came before, left for the next checkpoint. */
    @Override
    public List<MessageBatch> snapshotState(long checkpointId) {
        return MessageBatch.cut(collected);
    }

    @Override
    public void close() {
        collected.clear();
    }
}
