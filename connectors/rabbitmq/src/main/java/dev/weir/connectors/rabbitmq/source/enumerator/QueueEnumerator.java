package dev.weir.connectors.rabbitmq.source.enumerator;

import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;

/**
 * Gives each queue to one reader: the n-th of the configured queues to reader n modulo parallelism. Queues that readers got
 * before are in their state and are not given again, and the others go to the readers that have the fewest; a queue that is no longer
 * configured is forgotten here and dropped by its reader, so that its messages stay with the broker.
 */
@Internal
public final class QueueEnumerator implements SplitEnumerator<QueueSplit, EnumeratorState> {

    private final SplitEnumeratorContext<QueueSplit> context;
    private final List<String> queues;
    private final boolean bounded;
    private final boolean restored;
    private final Set<String> assigned = new LinkedHashSet<>();
    private final Map<String, QueueSplit> waiting = new LinkedHashMap<>();
    /** Which reader gets a waiting queue; empty until all readers have said what they have. */
    private final Map<String, Integer> owners = new HashMap<>();

    private final Map<Integer, Integer> held = new HashMap<>();
    private boolean dealt;

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
        this.restored = !assigned.isEmpty();
        this.dealt = waiting.isEmpty();
    }

    @Override
    public void start() {
        // Readers announce themselves.
    }

    @Override
    public void addReader(int subtask) {
        if (!dealt && !restored) {
            // Nobody has any: there is no need to wait for the others, which batch mode may start one after the other.
            deal();
        }
        give(subtask);
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        if (dealt || !(event instanceof HeldQueues reported)) {
            return;
        }
        held.put(subtask, (int)
                reported.queues().stream().filter(queues::contains).count());
        if (held.size() == context.currentParallelism()) {
            deal();
            List.copyOf(context.registeredReaders().keySet()).forEach(this::give);
        }
    }

    private void deal() {
        int readers = context.currentParallelism();
        for (String queue : queues) {
            if (waiting.containsKey(queue)) {
                int owner = queues.indexOf(queue) % readers;
                for (int reader = 0; reader < readers; reader++) {
                    owner = held(reader) < held(owner) ? reader : owner;
                }
                owners.put(queue, owner);
                held.merge(owner, 1, Integer::sum);
            }
        }
        dealt = true;
    }

    private int held(int reader) {
        return held.getOrDefault(reader, 0);
    }

    private void give(int subtask) {
        for (QueueSplit split : List.copyOf(waiting.values())) {
            if (Objects.equals(owners.get(split.queue()), subtask)) {
                waiting.remove(split.queue());
                assigned.add(split.queue());
                context.assignSplit(split, subtask);
            }
        }
        if (bounded && dealt) {
            context.signalNoMoreSplits(subtask);
        }
    }

    @Override
    public void addSplitsBack(List<QueueSplit> splits, int subtask) {
        for (QueueSplit split : splits) {
            assigned.remove(split.queue());
            waiting.put(split.queue(), split);
            owners.put(split.queue(), subtask);
        }
        if (context.registeredReaders().containsKey(subtask)) {
            give(subtask);
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
