package dev.weir.bench.system;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.Row;
import dev.weir.bench.chart.Chart;
import dev.weir.bench.chart.Series;
import dev.weir.bench.rabbitmq.PerfTest;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * {@code ./weir run} with its defaults and the mirror, the reference DSM, RabbitMQ and PostgreSQL, and pilots over AMQP whose jobs take no
 * time: how many jobs a second pass, beside the messages a second of RabbitMQ's perf-test on the same broker; how long a pilot's place is
 * empty; and whether a lower rate can go on without anything growing. All share the processors.
 */
public final class SystemBenchmark implements Benchmark {

    /** Of a cycle: the job, its two reports, and the registrations of its output and its log. */
    private static final int MESSAGES_OF_A_CYCLE = 1 + Reports.OF_A_JOB + 2;

    private static final double GOAL_OF_PERF_TEST = 0.7;
    private static final double GOAL_MILLIS = 20;
    private static final double MILLI = 1e6;
    private static final int WINDOW = 200;
    private static final int SLOW = 200;
    private static final int STEADY = 1_000;
    private static final double GOAL_OF_STEADY = 0.99;
    /** Times the heap of the first half that the second may have. */
    private static final double GOAL_OF_HEAP = 1.1;

    private static final Duration QUIET_LIMIT = Duration.ofMinutes(5);
    private static final List<String> QUEUES = List.of("reports", "mirror", "dsm-register");

    private final CountDownLatch never = new CountDownLatch(1);
    private final List<Row> rows = new ArrayList<>();

    @Override
    public String name() {
        return "system";
    }

    @Override
    public String description() {
        return "the whole system: jobs a second beside perf-test, from one job to the next, and 1,000 jobs a second for ten minutes";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        boolean quick = context.quick();
        latency(context, Duration.ofSeconds(quick ? 5 : 60));
        Path directory = DefaultWeir.newDirectory(context);
        try (Site site = new Site(directory)) {
            start(site, directory, quick ? 100_000 : 1_500_000);
            rates(context, site, quick ? 1 : 3, Duration.ofSeconds(quick ? 3 : 25));
            steady(context, site, directory, Duration.ofSeconds(quick ? 10 : 600));
        }
        return rows;
    }

    private static void start(Site site, Path directory, long files) throws Exception {
        site.dsm();
        DefaultWeir.start(site, directory.resolve("gc.log"));
        DatasetBenchmark.makeDataset(site, files, "run-");
        site.task("t", "in", "none", "file:///store", "");
    }

    /** With a window that does not change, so that each job that ends is answered with one. */
    private void latency(BenchmarkContext context, Duration time) throws Exception {
        context.progress(SLOW + " jobs a second: from one to the next");
        Path directory = DefaultWeir.newDirectory(context);
        try (Site site = new Site(directory)) {
            site.with("weir.scheduling.window", WINDOW);
            start(site, directory, 100_000);
            try (PacedPilots pilots = new PacedPilots(site)) {
                for (int looks = 0; pilots.held() < WINDOW && looks < QUIET_LIMIT.toSeconds(); looks++) {
                    never.await(1, TimeUnit.SECONDS);
                }
                pilots.run(SLOW, time.dividedBy(2));
                never.await(2, TimeUnit.SECONDS);
                Histogram times = pilots.untilNextJob(SLOW, time);
                String what = "from the end of a job to the next job at a pilot, " + SLOW + "/s: ";
                rows.add(Row.of(what + "median", times.getValueAtPercentile(50) / MILLI, "ms"));
                rows.add(Row.atMost(
                        what + "99th percentile", times.getValueAtPercentile(99) / MILLI, GOAL_MILLIS, "ms"));
                rows.add(Row.of(what + "longest", times.getMaxValue() / MILLI, "ms"));
            }
        }
    }

    private void rates(BenchmarkContext context, Site site, int rounds, Duration time) throws Exception {
        double cycles = 0;
        double messages = 0;
        double ratio = Double.MAX_VALUE;
        // For the first 200,000 jobs or so the compiler takes up to a third of the processors of a slow machine.
        int bytes = warmUp(site, time.multipliedBy(8));
        context.note("bytes of a message", bytes);
        PerfTest perfTest = new PerfTest(site.broker().uri(), context.quick() ? 20_000 : 200_000, bytes);
        for (int round = 1; round <= rounds; round++) {
            settle(site);
            double theirs = perfTest.through(site.broker().name("perf-test-" + round));
            double ours = cycles(site, time);
            context.progress("round " + round + ": " + Math.round(theirs) + " messages/s of perf-test, then "
                    + Math.round(ours) + " cycles/s");
            messages += theirs / rounds;
            cycles += ours / rounds;
            ratio = Math.min(ratio, ours * MESSAGES_OF_A_CYCLE / theirs);
        }
        rows.add(Row.of("job cycles, mirror on", cycles, "1/s"));
        rows.add(Row.of("messages through perf-test, persistent, confirms", messages, "1/s"));
        rows.add(Row.atLeast(
                MESSAGES_OF_A_CYCLE + " messages of a cycle / perf-test, the lowest of " + rounds + " pairs",
                ratio,
                GOAL_OF_PERF_TEST,
                ""));
    }

    private int warmUp(Site site, Duration time) throws Exception {
        try (InstantPilots pilots = new InstantPilots(site, Reports.Told.FULLY)) {
            never.await(time.toMillis(), TimeUnit.MILLISECONDS);
            return pilots.averageBytes();
        }
    }

    private double cycles(Site site, Duration time) throws Exception {
        try (InstantPilots pilots = new InstantPilots(site, Reports.Told.FULLY)) {
            never.await(time.toMillis() / 5, TimeUnit.MILLISECONDS);
            long before = pilots.jobs();
            long begin = System.nanoTime();
            never.await(time.toMillis(), TimeUnit.MILLISECONDS);
            return (pilots.jobs() - before) * 1e9 / (System.nanoTime() - begin);
        }
    }

    /** What the last jobs have left to do must not count against perf-test. */
    private void settle(Site site) throws Exception {
        try (QueueDepths depths = new QueueDepths(site, QUEUES)) {
            for (int looks = 0; depths.sum() > 0; looks++) {
                if (looks == QUIET_LIMIT.toSeconds()) {
                    throw new IOException(depths.sum() + " messages wait after " + QUIET_LIMIT.toSeconds() + " s");
                }
                never.await(1, TimeUnit.SECONDS);
            }
        }
    }

    private void steady(BenchmarkContext context, Site site, Path directory, Duration time) throws Exception {
        context.progress(STEADY + " jobs a second for " + time.toSeconds() + " s");
        settle(site);
        try (PacedPilots pilots = new PacedPilots(site);
                Samples samples = new Samples(site, directory, QUEUES)) {
            long begin = System.nanoTime();
            long ended = pilots.run(STEADY, time);
            double rate = ended * 1e9 / (System.nanoTime() - begin);
            String what = STEADY + " jobs a second for " + time.toSeconds() + " s: ";
            rows.add(Row.atLeast(what + "jobs", rate, GOAL_OF_STEADY * STEADY, "1/s"));
            rows.add(Row.of(what + "heap after a collection, most of the first half", samples.heapMiB(true), "MiB"));
            rows.add(Row.of(what + "heap after a collection, most of the second half", samples.heapMiB(false), "MiB"));
            rows.add(Row.atMost(
                    what + "second half / first half",
                    samples.heapMiB(false) / samples.heapMiB(true),
                    GOAL_OF_HEAP,
                    ""));
            rows.add(Row.of(what + "checkpoints, at most", samples.mostStateMiB(), "MiB"));
            rows.add(Row.of(
                    what + "messages in the queues of reports, mirror and DSM, at most", samples.mostDepth(), ""));
            context.draw(
                    "steady",
                    Chart.lines("1,000 jobs a second", "seconds", "MiB, or hundreds of messages")
                            .add(Series.line("heap after a collection, MiB", samples.seconds(), samples.heap()))
                            .add(Series.line("checkpoints, MiB", samples.seconds(), samples.state()))
                            .add(Series.line("messages that wait, hundreds", samples.seconds(), samples.hundreds())));
        }
    }
}
