package dev.weir.connectors.rabbitmq.source.reader;

import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;

/** How far a reader is with one queue. Used by the task's thread. */
final class QueueState {

    private final String queue;
    private final AckPositions positions = new AckPositions();
    private long read;
    private long taken;

    @Nullable private final SeenMessages seen;

    QueueState(QueueSplit split, boolean exactlyOnce, int remembered) {
        this.queue = split.queue();
        this.read = split.read();
        this.seen = exactlyOnce ? new SeenMessages(remembered, split.seen()) : null;
    }

    String queue() {
        return queue;
    }

    long read() {
        return read;
    }

    /** How many deliveries were taken since the start, repetitions included. */
    long taken() {
        return taken;
    }

    /** Whether a message is new; one that is not was emitted before and only has to be acknowledged. */
    boolean isNew(MessageKey key) {
        return seen == null || seen.add(key);
    }

    void countRead() {
        read++;
    }

    /** A delivery has been dealt with, whatever became of it. */
    void done(long channel, long tag) {
        taken++;
        positions.emitted(channel, tag);
    }

    QueueSplit snapshot() {
        return new QueueSplit(queue, read, seen == null ? List.of() : seen.snapshot());
    }

    void bind(long checkpointId) {
        positions.bind(checkpointId);
        if (seen != null) {
            seen.bind(checkpointId);
        }
    }

    Optional<AckPositions.Position> complete(long checkpointId) {
        if (seen != null) {
            seen.complete(checkpointId);
        }
        return positions.complete(checkpointId);
    }
}
