package dev.weir.job.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.scheduler.Lab;
import dev.weir.scheduler.api.SchedulerMetrics;
import java.util.List;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.testutils.MetricListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScheduleMetricsTest {

    private final MetricListener listener = new MetricListener();
    private final Lab lab = Lab.withDefaults().dataset("a", 300);
    private ScheduleMetrics metrics;

    @BeforeEach
    void runTwoJobsOfWhichOneFails() {
        metrics = new ScheduleMetrics(
                listener.getMetricGroup(), () -> List.of(lab.scheduler.metrics()), List.of("cpu", "gpu"));
        lab.task(Lab.task("t", "a").retry(1).build());
        Job good = lab.take();
        Job bad = lab.take();
        lab.run("p", good);
        lab.starting("q", bad).failed("q", bad).failed("q", bad);
        lab.idle("r");
        lab.pass(10_000);
        metrics.refresh(lab.now);
    }

    @Test
    void theOperatorShowsItsTasksAndItsCounters() {
        assertThat(number("jobs_out")).isEqualTo(lab.queues.get("cpu").size());
        assertThat(number("reports_in")).isGreaterThanOrEqualTo(7);
        assertThat(number("retries")).isEqualTo(1);
        assertThat(number("stale_reports")).isEqualTo(1);
        assertThat(number("rejected")).isZero();
        assertThat(number("adopted_jobs")).isZero();
        assertThat(number("active_tasks")).isEqualTo(1);
        assertThat(number("waiting_tasks")).isZero();
        assertThat(number("open_tasks")).isEqualTo(1);
        assertThat(number("pilots")).isEqualTo(3);
        assertThat((double) listener.getGauge("jain").orElseThrow().getValue()).isBetween(0.0, 1.0);
    }

    @Test
    void eachPoolHasItsOwnMetrics() {
        assertThat(number("pool", "cpu", "finished")).isEqualTo(1);
        assertThat(number("pool", "cpu", "failed")).isEqualTo(1);
        assertThat(number("pool", "cpu", "queued"))
                .isEqualTo(lab.queues.get("cpu").size());
        assertThat(number("pool", "cpu", "window")).isPositive();
        assertThat(number("pool", "gpu", "jobs_out")).isZero();
    }

    @Test
    void whatIsOutIsNoLongerOutWhenItIsOver() {
        assertThat(number("pool", "cpu", "jobs_out")).isPositive();

        lab.runAll("p");
        metrics.refresh(lab.now + ScheduleMetrics.REFRESH_MILLIS);

        assertThat(number("pool", "cpu", "jobs_out")).isZero();
        assertThat(number("jobs_out")).isZero();
    }

    @Test
    void waitingFilesAreCountedByReason() {
        long sent = lab.jobs.stream().map(Job::uid).distinct().count();
        // The failed one waits again.
        assertThat(number("why", "window", "files")).isEqualTo(300 - sent + 1);
        assertThat(number("why", "paused", "files")).isZero();
        assertThat(number("why", "window", "tasks")).isEqualTo(1);
        assertThat(number("why", "paused", "tasks")).isZero();
        assertThat(lab.scheduler.metrics().why().keySet()).containsExactlyInAnyOrderElementsOf(SchedulerMetrics.WHY);

        lab.command(Command.Type.PAUSE, "t");
        metrics.refresh(lab.now + ScheduleMetrics.REFRESH_MILLIS);

        assertThat(number("why", "window", "files")).isZero();
        assertThat(number("why", "paused", "files")).isPositive();
        assertThat(number("why", "window", "tasks")).isZero();
        assertThat(number("why", "paused", "tasks")).isEqualTo(1);
    }

    @Test
    void aReaderSeesNewFiguresAlsoAfterAStepBackOfTheClock() {
        lab.runAll("p");
        metrics.refresh(lab.now - 3_600_000);

        assertThat(number("pool", "cpu", "finished")).isGreaterThan(1);
    }

    @Test
    void aReaderSeesTheLastSnapshotUntilTheOperatorRefreshesIt() {
        lab.runAll("p");

        assertThat(number("pool", "cpu", "finished")).isEqualTo(1);
        metrics.refresh(lab.now + ScheduleMetrics.REFRESH_MILLIS);
        assertThat(number("pool", "cpu", "finished")).isEqualTo(300);
    }

    private long number(String... name) {
        Gauge<Long> gauge = listener.<Long>getGauge(name).orElseThrow();
        return gauge.getValue();
    }
}
