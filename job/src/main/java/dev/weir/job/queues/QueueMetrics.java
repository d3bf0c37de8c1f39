package dev.weir.job.queues;

import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueView;
import dev.weir.queues.api.GroupNumbers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.groups.AbstractMetricGroup;

/**
 * The metrics of each queue, and of the limit groups of all. Flink's reporters read them from other threads, so the operator's thread takes a snapshot at most once a
 * second, and all threads read the snapshot. The metrics of a queue go with it, so that a site which makes and deletes queues all the time does not fill the TaskManager with them.
 */
final class QueueMetrics {

    private static final long REFRESH_MILLIS = 1_000;

    private final MetricGroup group;
    private final Supplier<List<QueueView>> views;
    private final Supplier<GroupNumbers> groups;
    /** The metrics of each queue that was there at the last snapshot. */
    private final Map<String, MetricGroup> known = new HashMap<>();

    private volatile Map<String, QueueView> snapshot = Map.of();
    private volatile GroupNumbers groupNumbers = GroupNumbers.NONE;
    private long refreshedAtMillis;

    QueueMetrics(MetricGroup group, Supplier<List<QueueView>> views, Supplier<GroupNumbers> groups) {
        this.group = group;
        this.views = views;
        this.groups = groups;
        Gauge<Integer> queues = () -> snapshot.size();
        group.gauge("queues", queues);
        ofGroups("groups", GroupNumbers::known);
        ofGroups("groups_sets", GroupNumbers::sets);
        ofGroups("groups_held", GroupNumbers::held);
        ofGroups("groups_in_flight", GroupNumbers::inFlight);
    }

    private void ofGroups(String name, ToLongFunction<GroupNumbers> value) {
        Gauge<Long> gauge = () -> value.applyAsLong(groupNumbers);
        group.gauge(name, gauge);
    }

    /** Takes a snapshot if one is due. Called by the operator's thread, any number of times. */
    void refresh(long nowMillis) {
        // Also after a step back of the clock.
        if (Math.abs(nowMillis - refreshedAtMillis) >= REFRESH_MILLIS) {
            refreshedAtMillis = nowMillis;
            snapshot = views.get().stream().collect(Collectors.toMap(QueueView::queue, Function.identity()));
            groupNumbers = groups.get();
            known.entrySet().removeIf(of -> !snapshot.containsKey(of.getKey()) && close(of.getValue()));
            snapshot.keySet().forEach(queue -> known.computeIfAbsent(queue, this::add));
        }
    }

    /**
     * Takes the metrics of a group from all reporters. Flink's public interface has no word for that; all of its groups extend this class.
     * The parent gives a new group to a name whose group is closed, and until then keeps the closed one, which is empty: about a kilobyte.
     */
    private static boolean close(MetricGroup gone) {
        if (gone instanceof AbstractMetricGroup<?> closable) {
            closable.close();
        }
        return true;
    }

    private MetricGroup add(String queue) {
        MetricGroup of = group.addGroup("queue", queue);
        gauge(of, queue, "waiting", QueueView::waiting);
        gauge(of, queue, "later", QueueView::later);
        gauge(of, queue, "leased", QueueView::leased);
        gauge(of, queue, "dead", QueueView::dead);
        gauge(of, queue, "owners", QueueView::owners);
        gauge(of, queue, "bytes", QueueView::bytes);
        gauge(of, queue, "pushed", QueueView::pushed);
        gauge(of, queue, "popped", QueueView::popped);
        gauge(of, queue, "finished", QueueView::finished);
        gauge(of, queue, "failed", QueueView::failed);
        gauge(of, queue, "lost", QueueView::lost);
        gauge(of, queue, "died", QueueView::died);
        gauge(of, queue, "dead_dropped", QueueView::deadDropped);
        gauge(of, queue, "resting", QueueView::resting);
        gauge(of, queue, "hits", QueueView::hits);
        gauge(of, queue, "full_percent", QueueMetrics::fullPercent);
        gauge(of, queue, "resting_percent", QueueMetrics::restingPercent);
        gauge(of, queue, "oldest_s", view -> view.oldestS() == null ? 0 : view.oldestS());
        return of;
    }

    /** How much of the room is used that items below priority 1 may use, in items or in bytes, whichever is more. */
    private static long fullPercent(QueueView view) {
        QueueSettings most = view.settings();
        double part = 1 - most.reserve();
        double items =
                (view.waiting() + view.later() + view.leased()) / Math.max(1, Math.floor(most.maxItems() * part));
        double bytes = view.bytes() / (most.maxBytes() * part);
        return (long) (100 * Math.max(items, bytes));
    }

    private static long restingPercent(QueueView view) {
        return 100 * view.resting() / Math.max(1, view.settings().maxResting());
    }

    private void gauge(MetricGroup of, String queue, String name, ToLongFunction<QueueView> value) {
        Gauge<Long> gauge = () -> {
            QueueView view = snapshot.get(queue);
            return view == null ? 0 : value.applyAsLong(view);
        };
        of.gauge(name, gauge);
    }
}
