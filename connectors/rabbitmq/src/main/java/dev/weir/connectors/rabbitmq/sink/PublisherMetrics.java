package dev.weir.connectors.rabbitmq.sink;

import org.apache.flink.annotation.Internal;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;
import org.apache.flink.metrics.groups.SinkCommitterMetricGroup;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;

/**
 * What a publisher counts. {@code sent} and {@code sentBytes} count each message once, {@code errors} counts refusals by
 * the broker (nacks, returns and channels closed at a message), {@code republished} the repetitions after them and after reconnects.
 */
@Internal
public record PublisherMetrics(
        Counter sent,
        Counter sentBytes,
        Counter errors,
        Counter unroutable,
        Counter refused,
        Counter republished,
        Counter reconnects,
        MetricGroup group) {

    static PublisherMetrics ofWriter(SinkWriterMetricGroup group) {
        return of(
                group.getNumRecordsSendCounter(),
                group.getNumBytesSendCounter(),
                group.getNumRecordsSendErrorsCounter(),
                group);
    }

    static PublisherMetrics ofCommitter(SinkCommitterMetricGroup group) {
        return of(group.counter("published"), group.counter("publishedBytes"), group.counter("publishErrors"), group);
    }

    /** For use without Flink. */
    public static PublisherMetrics detached(MetricGroup group) {
        return of(new SimpleCounter(), new SimpleCounter(), new SimpleCounter(), group);
    }

    private static PublisherMetrics of(Counter sent, Counter sentBytes, Counter errors, MetricGroup group) {
        return new PublisherMetrics(
                sent,
                sentBytes,
                errors,
                shared(group, "unroutable"),
                shared(group, "refused"),
                shared(group, "republished"),
                shared(group, "reconnects"),
                group);
    }

    /** The task's thread and the connection's count with it. */
    private static Counter shared(MetricGroup group, String name) {
        return group.counter(name, new ThreadSafeSimpleCounter());
    }

    /** Shows a number that is read on demand. */
    public void gauge(String name, Gauge<Long> value) {
        group.gauge(name, value);
    }
}
