package dev.weir.connectors.rabbitmq.source.enumerator;

import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;

/**
 * Gives each queue to one reader: the n-th of the configured queues to reader n modulo parallelism. Queues that readers got
 * before are in their state and are not given again; a queue that is no longer configured is forgotten here and dropped by
 * its reader, so that its messages stay with the broker.
 */
@Internal
public final class QueueEnumerator implements SplitEnumerator<QueueSplit, EnumeratorState> {

    private final SplitEnumeratorContext<QueueSplit> context;
    private final List<String> queues;
    private final boolean bounded;
    private final Set<String> assigned = new LinkedHashSet<>();
    private final Map<String, QueueSplit> waiting = new LinkedHashMap<>();

    public QueueEnumerator(
            SplitEnumeratorContext<QueueSplit> context, List<String> queues, boolean bounded, EnumeratorState state) {
        this.context = context;
        this.queues = List.copyOf(queues);
        this.bounded = bounded;
        for (String queue : this.queues) {
            if (state.assigned().contains(queue)) {
                assigned.add(queue);
            } else {
                waiting.put(queue, QueueSplit.fresh(queue));
            }
        }
    }

    @Override
    public void start() {
        // Readers announce themselves.
    }

    @Override
    public void addReader(int subtask) {
        for (QueueSplit split : List.copyOf(waiting.values())) {
            if (queues.indexOf(split.queue()) % context.currentParallelism() == subtask) {
                waiting.remove(split.queue());
                assigned.add(split.queue());
                context.assignSplit(split, subtask);
            }
        }
        if (bounded) {
            context.signalNoMoreSplits(subtask);
        }
    }

    @Override
    public void addSplitsBack(List<QueueSplit> splits, int subtask) {
        for (QueueSplit split : splits) {
            assigned.remove(split.queue());
            waiting.put(split.queue(), split);
        }
        if (context.registeredReaders().containsKey(subtask)) {
            addReader(subtask);
        }
    }

    @Override
    public void handleSplitRequest(int subtask, String host) {
        // Readers do not ask: every queue has its reader from the start.
    }

    @Override
    public EnumeratorState snapshotState(long checkpointId) {
        return new EnumeratorState(assigned);
    }

    @Override
    public void close() {
        // Holds no connection.
    }
}
