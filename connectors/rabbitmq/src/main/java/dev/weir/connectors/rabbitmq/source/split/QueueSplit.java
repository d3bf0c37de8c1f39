package dev.weir.connectors.rabbitmq.source.split;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A queue and how far it was read.
 *
 * @param queue its name, which is also the split's id
 * @param read how many messages have been read, for sources that end after a count
 * @param seen with exactly-once, the messages that must be recognised when they come again
 */
@Internal
public record QueueSplit(String queue, long read, SeenIds seen) implements SourceSplit {

    /** A queue that nothing was read from yet. */
    public static QueueSplit fresh(String queue) {
        return new QueueSplit(queue, 0, SeenIds.NONE);
    }

    @Override
    public String splitId() {
        return queue;
    }

    @Override
    public String toString() {
        return "QueueSplit[" + queue + ", read " + read + ", remembering " + seen.size() + "]";
    }
}
