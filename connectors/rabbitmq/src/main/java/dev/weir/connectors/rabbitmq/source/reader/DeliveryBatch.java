package dev.weir.connectors.rabbitmq.source.reader;

import dev.weir.connectors.rabbitmq.source.consume.ConsumerEvent.Delivered;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;

/** Deliveries on their way from the fetching thread to the task's, grouped by queue, in their order within each. */
final class DeliveryBatch implements RecordsWithSplitIds<Delivered> {

    private final Map<String, List<Delivered>> byQueue = new LinkedHashMap<>();
    private final Set<String> finished = new HashSet<>();
    private final ArrayDeque<String> queues = new ArrayDeque<>();

    @Nullable private List<Delivered> current;

    private int at;
    private int size;
    private boolean started;

    void add(Delivered delivered) {
        byQueue.computeIfAbsent(delivered.delivery().queue(), q -> new ArrayList<>())
                .add(delivered);
        size++;
    }

    void finish(String queue) {
        finished.add(queue);
    }

    int size() {
        return size;
    }

    @Nullable @Override
    public String nextSplit() {
        if (!started) {
            started = true;
            queues.addAll(byQueue.keySet());
        }
        String queue = queues.poll();
        current = queue == null ? null : byQueue.get(queue);
        at = 0;
        return queue;
    }

    @Nullable @Override
    public Delivered nextRecordFromSplit() {
        return current == null || at == current.size() ? null : current.get(at++);
    }

    @Override
    public Set<String> finishedSplits() {
        return finished;
    }
}
