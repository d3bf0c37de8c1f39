package dev.weir.connectors.rabbitmq.source.enumerator;

import java.util.Set;
import org.apache.flink.annotation.Internal;

/**
 * What the enumerator keeps in a checkpoint.
 *
 * @param assigned queues that a reader has, and keeps in its own state
 */
@Internal
public record EnumeratorState(Set<String> assigned) {
    public EnumeratorState {
        assigned = Set.copyOf(assigned);
    }
}
