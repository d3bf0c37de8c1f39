package dev.weir.bench.gateway;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.Row;
import java.time.Duration;
import java.util.List;

/**
 * Pilots without AMQP: 200 of them take jobs that arrive 200 times a second, and report each three times, as the pilot does. The gateway runs in this
 * process, beside the pilots; RabbitMQ and PostgreSQL are those of this machine.
 */
public final class GatewayBenchmark implements Benchmark {

    private static final int PILOTS = 200;
    private static final int JOBS_PER_SECOND = 200;
    private static final double GOAL_MILLIS = 50;
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    /** 90 % of the pilots are busy then, so that most jobs find a pilot that waits. */
    private static final Duration JOB = Duration.ofMillis(900);

    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public String description() {
        return "200 pilots that take 200 jobs a second from the gateway by HTTP";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        Duration measured = Duration.ofSeconds(context.quick() ? 10 : 60);
        context.note("pilots", PILOTS);
        context.note("jobs_per_second", JOBS_PER_SECOND);
        context.note("seconds", measured.toSeconds());
        try (PilotLoad load = new PilotLoad(PILOTS, JOB)) {
            load.run(JOBS_PER_SECOND, WARM_UP);
            load.forget();
            load.run(JOBS_PER_SECOND, measured);
            Latencies pops = load.pops();
            Latencies reports = load.reports();
            context.progress(pops.count() + " jobs and " + reports.count() + " reports");
            String of = ", 200 pilots, 200 jobs/s";
            return List.of(
                    Row.atLeast("jobs taken by HTTP" + of, pops.count() / (double) measured.toSeconds(), 195, "1/s"),
                    Row.of("from job or request to answer of pop, median", pops.millis(0.5), "ms"),
                    Row.atMost("the same, 99th percentile", pops.millis(0.99), GOAL_MILLIS, "ms"),
                    Row.of("report until the broker has it, median", reports.millis(0.5), "ms"),
                    Row.of("the same, 99th percentile", reports.millis(0.99), "ms"));
        }
    }
}
