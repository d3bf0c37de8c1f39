package dev.weir.job.schedule;

import dev.weir.scheduler.api.SchedulerMetrics;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of the lanes of this subtask, added up. Flink's reporters read them from other threads, so the operator's thread
 * takes a snapshot at most once a second (less often with hundreds of thousands of tasks), and all threads read the snapshot.
 */
final class ScheduleMetrics {

    static final long REFRESH_MILLIS = 1_000;

    /** A snapshot visits every open task and takes about 20 ms for so many. */
    private static final long TASKS_A_REFRESH = 100_000;

    private final Supplier<List<SchedulerMetrics>> lanes;
    private volatile List<SchedulerMetrics> snapshot = List.of();
    private long refreshedAtMillis;
    private long pauseMillis;

    ScheduleMetrics(MetricGroup group, Supplier<List<SchedulerMetrics>> lanes, List<String> pools) {
        this.lanes = lanes;
        sum(group, "active_tasks", SchedulerMetrics::activeTasks);
        sum(group, "waiting_tasks", SchedulerMetrics::waitingTasks);
        sum(group, "open_tasks", SchedulerMetrics::openTasks);
        sum(group, "pilots", SchedulerMetrics::pilots);
        sum(group, "reports_in", SchedulerMetrics::reportsIn);
        sum(group, "retries", metrics -> total(metrics.retries()));
        sum(group, "stale_reports", metrics -> total(metrics.stale()));
        sum(group, "adopted_jobs", SchedulerMetrics::adopted);
        sum(group, "ignored", metrics -> total(metrics.ignored()));
        sum(group, "rejected", SchedulerMetrics::rejected);
        sum(
                group,
                "jobs_out",
                metrics -> metrics.pools().values().stream()
                        .mapToLong(SchedulerMetrics.Pool::jobsOut)
                        .sum());
        least(group, "jain", SchedulerMetrics::jain);
        for (String reason : SchedulerMetrics.WHY) {
            why(group.addGroup("why", reason), reason);
        }
        for (String pool : pools) {
            ofPool(group.addGroup("pool", pool), pool);
        }
    }

    /** The numbers of files and of tasks that wait for this reason. */
    private void why(MetricGroup group, String reason) {
        sum(group, "files", metrics -> metrics.why().getOrDefault(reason, 0L));
        sum(group, "tasks", metrics -> metrics.whyTasks().getOrDefault(reason, 0L));
    }

    private void ofPool(MetricGroup group, String pool) {
        pool(group, pool, "jobs_out", SchedulerMetrics.Pool::jobsOut);
        pool(group, pool, "queued", SchedulerMetrics.Pool::queued);
        pool(group, pool, "started", SchedulerMetrics.Pool::started);
        pool(group, pool, "window", SchedulerMetrics.Pool::window);
        pool(group, pool, "pilots", SchedulerMetrics.Pool::pilots);
        pool(group, pool, "idle", SchedulerMetrics.Pool::idle);
        pool(group, pool, "finished", SchedulerMetrics.Pool::finished);
        pool(group, pool, "failed", SchedulerMetrics.Pool::failed);
    }

    /** Takes a snapshot if one is due. Called by the operator's thread, any number of times. */
    void refresh(long nowMillis) {
        // Also after a step back of the clock.
        if (Math.abs(nowMillis - refreshedAtMillis) >= pauseMillis) {
            refreshedAtMillis = nowMillis;
            List<SchedulerMetrics> now = lanes.get();
            snapshot = now;
            long tasks = now.stream().mapToLong(SchedulerMetrics::openTasks).sum();
            pauseMillis = REFRESH_MILLIS * (1 + tasks / TASKS_A_REFRESH);
        }
    }

    private void sum(MetricGroup group, String name, ToLongFunction<SchedulerMetrics> value) {
        Gauge<Long> gauge = () -> snapshot.stream().mapToLong(value).sum();
        group.gauge(name, gauge);
    }

    private void least(MetricGroup group, String name, ToDoubleFunction<SchedulerMetrics> value) {
        Gauge<Double> gauge = () -> snapshot.stream().mapToDouble(value).min().orElse(1);
        group.gauge(name, gauge);
    }

    private void pool(MetricGroup group, String pool, String name, ToLongFunction<SchedulerMetrics.Pool> value) {
        sum(group, name, metrics -> {
            SchedulerMetrics.Pool of = metrics.pools().get(pool);
            return of == null ? 0 : value.applyAsLong(of);
        });
    }

    private static long total(Map<String, Long> byReason) {
        return byReason.values().stream().mapToLong(Long::longValue).sum();
    }
}
