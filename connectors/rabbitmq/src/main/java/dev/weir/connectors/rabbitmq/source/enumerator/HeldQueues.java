package dev.weir.connectors.rabbitmq.source.enumerator;

import java.util.HashSet;
import java.util.Set;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * What a reader has from its state when it starts, so that other queues can be given to those that have fewer. Only names: what is
 * remembered of queues may be larger than a message between Flink's processes.
 */
@Internal
public record HeldQueues(Set<String> queues) implements SourceEvent {
    public HeldQueues {
        queues = new HashSet<>(queues);
    }
}
