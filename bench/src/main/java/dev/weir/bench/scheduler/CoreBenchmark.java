package dev.weir.bench.scheduler;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** {@code ./weir bench core}: choosing, choosing under limits, a whole job, and how much a backlog takes. */
public final class CoreBenchmark implements Benchmark {

    private static final double CHOICE_NANOS = 100;
    private static final double CHOICE_NANOS_AT_A_MILLION = 300;
    private static final double LIMITED_PER_SECOND = 1_000_000;
    private static final double CYCLES_PER_SECOND = 500_000;

    @Override
    public String name() {
        return "core";
    }

    @Override
    public String description() {
        return "the scheduling core: choice, choice under limits, job cycle on the heap store, size of a backlog";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        List<Row> rows = new ArrayList<>();
        context.progress("choosing the next job");
        for (RunResult result : measure(context, Choice.class)) {
            boolean million = result.getParams().getParam("tasks").equals("1000000");
            double nanos = result.getPrimaryResult().getScore();
            String what =
                    "choice by IWRR, weights 1 to 100, " + result.getParams().getParam("tasks") + " active tasks";
            rows.add(Row.atMost(what, nanos, million ? CHOICE_NANOS_AT_A_MILLION : CHOICE_NANOS, "ns"));
            rows.add(Row.atMost(what + ", allocated", allocated(result), 1, "B"));
        }
        context.progress("choosing under limits");
        for (RunResult result : measure(context, ChoiceUnderLimits.class)) {
            rows.add(Row.atLeast(
                    "choice under limits, 1,000,000 files in "
                            + result.getParams().getParam("groups") + " groups, one ends and one starts",
                    result.getPrimaryResult().getScore(),
                    LIMITED_PER_SECOND,
                    "1/s"));
        }
        context.progress("whole jobs");
        for (RunResult result : measure(context, JobCycle.class)) {
            boolean mirror = result.getParams().getParam("mirror").equals("true");
            rows.add(Row.atLeast(
                    "job cycle on the heap store, mirror " + (mirror ? "on" : "off"),
                    result.getPrimaryResult().getScore(),
                    CYCLES_PER_SECOND,
                    "1/s"));
        }
        rows.addAll(new BacklogSize(context).measure());
        return rows;
    }

    private static Collection<RunResult> measure(BenchmarkContext context, Class<?> benchmark) throws Exception {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(benchmark.getName() + "\\.")
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .jvmArgsAppend("-Xmx2g", "-XX:+UseSerialGC");
        if (context.quick()) {
            options.warmupIterations(1)
                    .measurementIterations(1)
                    .warmupTime(TimeValue.milliseconds(200))
                    .measurementTime(TimeValue.milliseconds(200));
        }
        return new Runner(options.build()).run();
    }

    private static double allocated(RunResult result) {
        return result.getSecondaryResults().get("gc.alloc.rate.norm").getScore();
    }
}
