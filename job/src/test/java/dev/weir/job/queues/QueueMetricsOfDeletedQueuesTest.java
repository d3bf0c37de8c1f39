package dev.weir.job.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueView;
import dev.weir.queues.api.GroupNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.events.EventBuilder;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.metrics.MetricRegistry;
import org.apache.flink.runtime.metrics.groups.AbstractMetricGroup;
import org.apache.flink.runtime.metrics.groups.GenericMetricGroup;
import org.apache.flink.runtime.metrics.scope.ScopeFormats;
import org.apache.flink.traces.SpanBuilder;
import org.junit.jupiter.api.Test;

/** What Flink's reporters have of queues that come and go. */
class QueueMetricsOfDeletedQueuesTest {

    /** What is registered now, by its name. */
    private final Map<String, Metric> registered = new TreeMap<>();

    private final List<QueueView> views = new ArrayList<>();
    private final QueueMetrics metrics = new QueueMetrics(
            new GenericMetricGroup(new Registry(), null, "operator"), () -> views, () -> GroupNumbers.NONE);
    private long now;

    private final class Registry implements MetricRegistry {

        @Override
        public char getDelimiter() {
            return '.';
        }

        @Override
        public int getNumberReporters() {
            return 1;
        }

        @Override
        public void register(Metric metric, String name, AbstractMetricGroup<?> group) {
            assertThat(registered.put(group.getMetricIdentifier(name), metric)).isNull();
        }

        @Override
        public void unregister(Metric metric, String name, AbstractMetricGroup<?> group) {
            assertThat(registered.remove(group.getMetricIdentifier(name))).isSameAs(metric);
        }

        @Override
        public void addSpan(SpanBuilder span, AbstractMetricGroup<?> group) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void addEvent(EventBuilder event, AbstractMetricGroup<?> group) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ScopeFormats getScopeFormats() {
            throw new UnsupportedOperationException();
        }
    }

    private void have(QueueView... all) {
        views.clear();
        views.addAll(List.of(all));
        now += 1_000;
        metrics.refresh(now);
    }

    private static QueueView queue(String name, long waiting) {
        return new QueueView(
                name, QueueSettings.defaults(), false, waiting, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7L, 3L, 0, 0, null);
    }

    private long number(String queue, String name) {
        return (Long) ((Gauge<?>) registered.get("operator.queue." + queue + "." + name)).getValue();
    }

    @Test
    void theMetricsOfADeletedQueueGoAndThoseOfOthersStay() {
        int ofAll = registered.size();
        have(queue("a", 1), queue("b", 2));
        int ofTwo = registered.size() - ofAll;

        have(queue("b", 3));

        assertThat(registered.keySet()).noneMatch(name -> name.contains(".queue.a."));
        assertThat(registered).hasSize(ofAll + ofTwo / 2);
        assertThat(number("b", "waiting")).isEqualTo(3);
    }

    @Test
    void aThousandQueuesOneAfterTheOtherLeaveNothing() {
        int before = registered.size();
        for (int i = 0; i < 1_000; i++) {
            have(queue("q" + i, i));
        }
        have();

        assertThat(registered).hasSize(before);
    }

    @Test
    void aQueueThatComesBackHasItsMetricsAgain() {
        have(queue("a", 1));
        have();
        have(queue("a", 2));

        assertThat(number("a", "waiting")).isEqualTo(2);
        assertThat(number("a", "died")).isEqualTo(7);
        assertThat(number("a", "dead_dropped")).isEqualTo(3);
    }
}
