package dev.weir.bench.gateway;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.Row;
import dev.weir.bench.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The gateway under load: first reads of a large mirror, then pilots without AMQP that take jobs and report each three times, as the pilot does. The
 * gateway runs in this process, beside those who ask; RabbitMQ and PostgreSQL are those of this machine, and share it.
 */
public final class GatewayBenchmark implements Benchmark {

    private static final long TASKS = 100_000;
    private static final long JOBS = 10_000_000;
    private static final long QUICK_TASKS = 1_000;
    private static final long QUICK_JOBS = 100_000;
    private static final int READS_PER_SECOND = 500;
    private static final int PILOTS = 200;
    private static final int JOBS_PER_SECOND = 200;

    /** A part of the reads and of the jobs may fall behind the last second. */
    private static final double KEPT_UP = 0.98;

    private static final double GOAL_MILLIS = 50;
    private static final double P99 = 0.99;

    /** Until the code is compiled, which takes half of two slow cores for most of a minute, and the connections are open. */
    private static final Duration WARM_UP = Duration.ofSeconds(60);
    /** 90 % of the pilots are busy then, so that most jobs find a pilot that waits. */
    private static final Duration JOB = Duration.ofMillis(900);

    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public String description() {
        return "500 reads a second of 100,000 tasks with 10,000,000 jobs; 200 pilots that take 200 jobs a second by HTTP (--database keeps the rows)";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        Duration measured = Duration.ofSeconds(context.quick() ? 10 : 60);
        context.note("seconds", measured.toSeconds());
        long tasks = context.quick() ? QUICK_TASKS : TASKS;
        context.progress("a mirror of " + tasks + " tasks, loaded if it is not there");
        List<Row> rows = new ArrayList<>();
        try (LoadedMirror mirror = LoadedMirror.open(context.database(), tasks, context.quick() ? QUICK_JOBS : JOBS)) {
            context.note("tasks", mirror.tasks());
            context.note("jobs", mirror.jobs());
            reads(context, mirror, measured, rows);
            pilots(context, mirror, measured, rows);
        }
        return rows;
    }

    private static void reads(BenchmarkContext context, LoadedMirror mirror, Duration measured, List<Row> rows)
            throws Exception {
        context.progress(READS_PER_SECOND + " reads a second");
        try (ReadLoad load = new ReadLoad(mirror)) {
            load.run(READS_PER_SECOND, WARM_UP);
            load.forget();
            long began = System.nanoTime();
            load.run(READS_PER_SECOND, measured);
            double seconds = (System.nanoTime() - began) / 1e9;
            Latencies all = load.all();
            context.note("bytes_of_answers", load.bytes());
            String of = "reads of " + Table.grouped(mirror.jobs()) + " jobs, " + READS_PER_SECOND + "/s";
            rows.add(Row.atLeast(of + ", answered with 200", all.count() / seconds, KEPT_UP * READS_PER_SECOND, "1/s"));
            rows.add(failed(of, load.failed()));
            add(rows, of, all);
            load.kinds().forEach(kind -> add(rows, kind.name(), kind.times()));
        }
    }

    private static void pilots(BenchmarkContext context, LoadedMirror mirror, Duration measured, List<Row> rows)
            throws Exception {
        context.progress(PILOTS + " pilots, " + JOBS_PER_SECOND + " jobs a second");
        try (PilotLoad load = new PilotLoad(mirror.database(), PILOTS, JOB)) {
            load.run(JOBS_PER_SECOND, WARM_UP);
            load.forget();
            load.run(JOBS_PER_SECOND, measured);
            Latencies pops = load.pops();
            String of = PILOTS + " pilots by HTTP, " + JOBS_PER_SECOND + " jobs/s";
            rows.add(Row.atLeast(
                    of + ", jobs taken",
                    pops.count() / (double) measured.toSeconds(),
                    KEPT_UP * JOBS_PER_SECOND,
                    "1/s"));
            rows.add(failed(of, load.failed()));
            add(rows, "from job or request to the answer of pop", pops);
            rows.add(Row.of(
                    "from report until the broker has it: median",
                    load.reports().millis(0.5),
                    "ms"));
            rows.add(Row.of(
                    "from report until the broker has it: 99th percentile",
                    load.reports().millis(P99),
                    "ms"));
        }
    }

    /** A goal of its own: the times of requests that failed are in no percentile. */
    private static Row failed(String of, long failed) {
        return Row.atMost(of + ", failed", failed, 0, "");
    }

    private static void add(List<Row> rows, String what, Latencies times) {
        rows.add(Row.of(what + ": median", times.millis(0.5), "ms"));
        rows.add(Row.atMost(what + ": 99th percentile", times.millis(P99), GOAL_MILLIS, "ms"));
    }
}
