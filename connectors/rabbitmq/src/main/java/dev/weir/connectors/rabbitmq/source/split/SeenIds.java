package dev.weir.connectors.rabbitmq.source.split;

import java.util.List;
import org.apache.flink.annotation.Internal;

/**
 * The messages of a queue that must be recognised when they come again, as a checkpoint keeps them: each once, oldest first. Apart,
 * because messages that may still come again must not be forgotten in favour of newer, acknowledged ones.
 *
 * @param acknowledged acknowledged, and remembered because a broker may forget that
 * @param owed not acknowledged on the channel that delivered them, which is gone: they come again
 * @param delivered not acknowledged when the checkpoint was taken; perhaps by that very checkpoint
 * @param widestAcknowledgement how many one acknowledgement covered at most, if more than a prefetch window; 0 otherwise
 * @param widestLoss how many of the owed were lost with one channel at most
 */
@Internal
public record SeenIds(
        List<MessageKey> acknowledged,
        List<MessageKey> owed,
        List<MessageKey> delivered,
        int widestAcknowledgement,
        int widestLoss) {

    public static final SeenIds NONE = new SeenIds(List.of(), List.of(), List.of());

    public SeenIds {
        acknowledged = List.copyOf(acknowledged);
        owed = List.copyOf(owed);
        delivered = List.copyOf(delivered);
    }

    /** Ids without a record of how many were acknowledged or lost at once. */
    public SeenIds(List<MessageKey> acknowledged, List<MessageKey> owed, List<MessageKey> delivered) {
        this(acknowledged, owed, delivered, 0, 0);
    }

    public int size() {
        return acknowledged.size() + owed.size() + delivered.size();
    }
}
