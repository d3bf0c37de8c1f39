package dev.weir.connectors.rabbitmq.sink;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.annotation.Internal;

/**
 * Messages in their order, kept with a checkpoint: they wait for its completion, or were published but
 * not confirmed when it was taken.
 *
 * @param restored whether they come from the checkpoint that the job goes on from
 */
@Internal
public record MessageBatch(List<AmqpMessage> messages, boolean restored) {

    private static final int MAX_MESSAGES = 1_000;
    private static final long MAX_BYTES = 4L << 20;

    public MessageBatch {
        messages = List.copyOf(messages);
    }

    public MessageBatch(List<AmqpMessage> messages) {
        this(messages, false);
    }

    /** Cuts a long list into batches of at most 1,000 messages or about 4 MiB, keeping the order. */
    static List<MessageBatch> cut(List<AmqpMessage> messages) {
        List<MessageBatch> batches = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < messages.size(); i++) {
            long weight = messages.get(i).weight();
            if (i > from && (i - from >= MAX_MESSAGES || bytes + weight > MAX_BYTES)) {
                batches.add(new MessageBatch(messages.subList(from, i)));
                from = i;
                bytes = 0;
            }
            bytes += weight;
        }
        if (from < messages.size()) {
            batches.add(new MessageBatch(messages.subList(from, messages.size())));
        }
        return batches;
    }

    /** Short: Flink quotes it in its errors. */
    @Override
    public String toString() {
        return messages.isEmpty()
                ? "MessageBatch[empty]"
                : "MessageBatch[" + messages.size() + " from " + messages.get(0) + "]";
    }
}
