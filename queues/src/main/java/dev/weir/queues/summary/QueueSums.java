package dev.weir.queues.summary;

import dev.weir.engine.limit.GroupRecord;
import dev.weir.engine.store.Table;
import dev.weir.engine.summary.GroupSummary;
import dev.weir.engine.summary.LaneSums;
import dev.weir.engine.summary.TableSums;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.OwnerRecord;
import dev.weir.queues.state.QueueRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Sums up the tables of the queues. It keeps a record for each queue and each limited group; items it counts. */
public final class QueueSums implements LaneSums<QueuesSummary> {

    private final TableSums tables = new TableSums();
    private final Map<String, QueueRecord> queues = new TreeMap<>();
    private final Map<String, long[]> items = new TreeMap<>();
    private final Map<String, Long> owners = new TreeMap<>();
    private final Map<String, GroupSummary> groups = new TreeMap<>();

    @Override
    public <V> void add(Table<V> table, String key, byte[] bytes) {
        Optional<V> read = tables.decode(table, key, bytes);
        if (read.isEmpty()) {
            return;
        }
        V value = read.get();
        if (value instanceof QueueRecord queue) {
            queues.put(queue.name, queue);
        } else if (value instanceof ItemRecord item) {
            items.computeIfAbsent(item.queue, name -> new long[ItemRecord.State.values().length])[
                    item.state.ordinal()]++;
        } else if (value instanceof OwnerRecord owner) {
            owners.merge(owner.queue(), 1L, Long::sum);
        } else if (value instanceof GroupRecord group && group.limit() != null) {
            groups.put(key, GroupSummary.of(key, group.limit()));
        }
    }

    /** There is one lane. */
    @Override
    public QueuesSummary of(int lane) {
        return new QueuesSummary(
                queues.values().stream().map(this::queue).toList(),
                List.copyOf(groups.values()),
                tables.sizes(),
                tables.damaged());
    }

    private QueuesSummary.OfQueue queue(QueueRecord queue) {
        long[] counts = items.getOrDefault(queue.name, new long[ItemRecord.State.values().length]);
        return new QueuesSummary.OfQueue(
                queue.name,
                queue.deleted ? "deleted" : queue.paused ? "paused" : "normal",
                counts[ItemRecord.State.WAITING.ordinal()],
                counts[ItemRecord.State.LATER.ordinal()],
                counts[ItemRecord.State.LEASED.ordinal()],
                counts[ItemRecord.State.DEAD.ordinal()],
                queue.resting,
                owners.getOrDefault(queue.name, 0L),
                queue.finished);
    }
}
