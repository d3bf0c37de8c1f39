package dev.weir.connectors.rabbitmq.source.reader;

import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import dev.weir.connectors.rabbitmq.source.split.SeenIds;
import java.util.Optional;
import java.util.function.Predicate;
import javax.annotation.Nullable;

/** How far a reader is with one queue. Used by the task's thread. */
final class QueueState {

    private final String queue;
    private final AckPositions positions = new AckPositions();
    private long read;
    private long taken;
    /** Whether the bound was reached: what comes after it is not ours. */
    private boolean ended;

    @Nullable private final SeenMessages seen;

    QueueState(QueueSplit split, boolean exactlyOnce, int prefetch, int remembered) {
        this.queue = split.queue();
        this.read = split.read();
        this.seen = exactlyOnce ? new SeenMessages(prefetch, remembered, split.seen()) : null;
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

    /** Whether a message that a channel delivered is new; one that is not was emitted before and only has to be acknowledged. */
    boolean isNew(MessageKey key, long channel) {
        return seen == null || seen.add(key, channel);
    }

    /** Whether a message was emitted before; for one that shall not be if it was not. */
    boolean isKnown(MessageKey key) {
        return seen != null && seen.contains(key);
    }

    boolean hasEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }

    AckPositions positions() {
        return positions;
    }

    void countRead() {
        read++;
    }

    /**
     * A channel delivers; called before what it delivers is counted. If it is another than before, what that one's loss gives back is taken
     * out of the count: when it comes again it looks like any other message, and is counted then. With ids it is recognised.
     */
    void deliveredBy(long channel) {
        if (seen == null && positions.newest().channel() != channel) {
            read -= positions.unacknowledged();
        }
    }

    /** A delivery has been dealt with, whatever became of it. */
    void done(long channel, long tag) {
        taken++;
        positions.emitted(channel, tag);
    }

    QueueSplit snapshot() {
        return new QueueSplit(queue, read, seen == null ? SeenIds.NONE : seen.snapshot());
    }

    void bind(long checkpointId) {
        positions.bind(checkpointId);
        if (seen != null) {
            seen.bind(checkpointId);
        }
    }

    /**
     * A checkpoint is complete: what it covers is acknowledged.
     *
     * @param acknowledge acknowledges everything up to a position; false when its channel is gone
     */
    void complete(long checkpointId, Predicate<AckPositions.Position> acknowledge) {
        Optional<AckPositions.Position> position =
                positions.complete(checkpointId).filter(acknowledge);
        position.ifPresent(positions::sent);
        if (seen != null) {
            seen.complete(
                    checkpointId, position.map(AckPositions.Position::channel).orElse(SeenMessages.NO_CHANNEL));
        }
    }
}
