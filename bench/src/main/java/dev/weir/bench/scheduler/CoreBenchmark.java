package dev.weir.bench.scheduler;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.ChildJvm;
import dev.weir.bench.Row;
import dev.weir.bench.Table;
import dev.weir.bench.chart.Chart;
import dev.weir.bench.chart.Series;
import dev.weir.bench.operator.OperatorSpeed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** {@code ./weir bench core}: choosing, choosing under limits, a whole job, the operator on RocksDB, and how much a backlog takes. */
public final class CoreBenchmark implements Benchmark {

    private static final double CHOICE_NANOS = 100;
    private static final double CHOICE_NANOS_AT_A_MILLION = 300;
    private static final double LIMITED_PER_SECOND = 1_000_000;
    private static final double CYCLES_PER_SECOND = 500_000;
    private static final double SECOND = 1e9;

    @Override
    public String name() {
        return "core";
    }

    @Override
    public String description() {
        return "the scheduling core: choice, choice under limits, job cycle on heap and RocksDB, size of a backlog";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        List<Row> rows = new ArrayList<>();
        rows.addAll(choice(context));
        SortedMap<Double, Double> limited = new TreeMap<>();
        rows.addAll(limits(context, limited));
        rows.addAll(cycles(context));
        OperatorSpeed operator = new OperatorSpeed(context);
        rows.addAll(operator.measure());
        rows.addAll(new BacklogSize(context).measure());
        context.draw(
                "limits",
                Chart.lines("Choosing among a million files under limits", "limit groups", "per second")
                        .logarithmicX()
                        .logarithmicY()
                        .add(line("one ends and one starts, in the core", limited))
                        .add(line("whole job in the Flink operator, RocksDB", operator.underLimits()))
                        .add(Series.line("goal in the core", new double[] {10, 1e6}, new double[] {1e6, 1e6}))
                        .add(Series.line("goal on RocksDB", new double[] {10, 1e6}, new double[] {2e4, 2e4})));
        return rows;
    }

    private static Series line(String name, SortedMap<Double, Double> points) {
        return Series.line(
                name,
                points.keySet().stream().mapToDouble(x -> x).toArray(),
                points.values().stream().mapToDouble(y -> y).toArray());
    }

    private static List<Row> choice(BenchmarkContext context) throws Exception {
        context.progress("choosing the next job");
        List<Row> rows = new ArrayList<>();
        for (RunResult result : measure(context, Choice.class)) {
            boolean million = result.getParams().getParam("tasks").equals("1000000");
            double nanos = result.getPrimaryResult().getScore();
            String what = "choice by IWRR, weights 1 to 100, "
                    + grouped(result.getParams().getParam("tasks")) + " active tasks";
            rows.add(Row.atMost(what, nanos, million ? CHOICE_NANOS_AT_A_MILLION : CHOICE_NANOS, "ns"));
            rows.add(Row.atMost(what + ": allocated", allocated(result), 1, "B"));
        }
        return rows;
    }

    private static List<Row> limits(BenchmarkContext context, SortedMap<Double, Double> points) throws Exception {
        context.progress("choosing under limits");
        List<Row> rows = new ArrayList<>();
        for (RunResult result : measure(context, ChoiceUnderLimits.class)) {
            String groups = result.getParams().getParam("groups");
            String what = "choice under limits, 1,000,000 files in " + grouped(groups) + " groups";
            rows.add(Row.atLeast(what, result.getPrimaryResult().getScore(), LIMITED_PER_SECOND, "1/s"));
            rows.add(Row.of(what + ": per second of processor time", perProcessorSecond(result), "1/s"));
            points.put(Double.valueOf(groups), perProcessorSecond(result));
        }
        return rows;
    }

    private static List<Row> cycles(BenchmarkContext context) throws Exception {
        context.progress("whole jobs");
        List<Row> rows = new ArrayList<>();
        for (RunResult result : measure(context, JobCycle.class)) {
            boolean mirror = result.getParams().getParam("mirror").equals("true");
            boolean whole = result.getParams().getParam("cycle").equals("whole");
            String what = (whole ? "two reports" : "one report") + " in, next job out, heap store, mirror "
                    + (mirror ? "on" : "off");
            rows.add(Row.atLeast(what, result.getPrimaryResult().getScore(), CYCLES_PER_SECOND, "1/s"));
            rows.add(Row.of(what + ": per second of processor time", perProcessorSecond(result), "1/s"));
        }
        return rows;
    }

    private static Collection<RunResult> measure(BenchmarkContext context, Class<?> benchmark) throws Exception {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(benchmark.getName() + "\\.")
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                // Replaces the options of this JVM, which has another garbage collector.
                .jvmArgs("-Xms2g", "-Xmx2g", "-XX:+UseSerialGC")
                .jvmArgsAppend(ChildJvm.LARGE_PAGES.toArray(String[]::new))
                .shouldFailOnError(true);
        if (context.quick()) {
            options.warmupIterations(1)
                    .measurementIterations(1)
                    .warmupTime(TimeValue.milliseconds(200))
                    .measurementTime(TimeValue.milliseconds(200));
        }
        return new Runner(options.build()).run();
    }

    private static String grouped(String number) {
        return Table.grouped(Long.parseLong(number));
    }

    private static double allocated(RunResult result) {
        return result.getSecondaryResults().get("gc.alloc.rate.norm").getScore();
    }

    private static double perProcessorSecond(RunResult result) {
        double nanos = result.getSecondaryResults().get("nanos").getScore();
        return result.getSecondaryResults().get("operations").getScore() / nanos * SECOND;
    }
}
