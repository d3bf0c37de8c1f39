package dev.weir.connectors.rabbitmq.source.enumerator;

import java.util.Set;

/**
 * What the enumerator keeps in a checkpoint.
 *
 * @param assigned queues that a reader has, and keeps in its own state
 */
public record EnumeratorState(Set<String> assigned) {
    public EnumeratorState {
        assigned = Set.copyOf(assigned);
    }
}
