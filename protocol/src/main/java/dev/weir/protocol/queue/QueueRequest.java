package dev.weir.protocol.queue;

import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import java.util.List;

/**
 * What a gateway asks of the queues.
 *
 * @param gateway which gateway, anew at each of its starts: the routing key of the answers
 * @param entries in the order in which they came, 1 to {@link QueueLimits#MAX_ENTRIES}
 */
public record QueueRequest(String gateway, List<QueueEntry> entries) implements QueueMessage {

    public QueueRequest {
        Check.uid("gateway", gateway);
        entries = Check.copied("entries", Check.required("entries", entries));
        if (entries.isEmpty() || entries.size() > QueueLimits.MAX_ENTRIES) {
            throw new InvalidMessage(
                    "entries", "entries must be 1 to " + QueueLimits.MAX_ENTRIES + ", got " + entries.size());
        }
    }
}
