package dev.weir.bench.queue;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.Row;
import dev.weir.bench.Table;
import dev.weir.bench.chart.Chart;
import dev.weir.bench.chart.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Queues as workers see them, over HTTP: Weir, a table with {@code FOR UPDATE SKIP LOCKED} behind the same kind of gateway, and
 * db-scheduler, whose workers are threads beside it. RabbitMQ and PostgreSQL are those of this machine. All share its processors.
 */
public final class QueuesBenchmark implements Benchmark {

    private static final int[] WAITING = {1_000, 100_000, 1_000_000};
    private static final int[] FEW = {500, 50_000};
    private static final int ROUNDS = 2;
    private static final int AT_WORK = 64;
    private static final int BATCH = 256;
    private static final int BATCHES_AT_WORK = 8;
    /** Until the compiler has little left to do. On two processors that takes minutes, in which a request costs two to four times as much. */
    private static final Duration WARM_UP = Duration.ofSeconds(90);

    /** Thirty checkpoints: a pop in a hundred meets one, so a shorter flood would show the luck of a few. */
    private static final Duration FLOOD = Duration.ofSeconds(60);

    private static final double MILLI = 1e6;

    private static final double GOAL_OF_CONSTANT = 0.3;
    private static final double GOAL_OF_BATCHES = 20_000;
    private static final double GOAL_OF_TABLE = 3;
    private static final double GOAL_OF_MEDIAN = 5;
    private static final double GOAL_OF_TAIL = 20;

    private final List<Row> rows = new ArrayList<>();

    @Override
    public String name() {
        return "queues";
    }

    @Override
    public String description() {
        return "pops and answers over REST, beside SKIP LOCKED and db-scheduler on the same PostgreSQL";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        int[] waiting = context.quick() ? FEW : WAITING;
        Duration time = Duration.ofSeconds(context.quick() ? 1 : 12);
        Duration warmUp = context.quick() ? time : WARM_UP;
        double[] weirs = new double[waiting.length];
        double[] tables = new double[waiting.length];
        double[] libraries = new double[waiting.length];
        try (WeirQueues weir = new WeirQueues(context.directory());
                SkipLocked table = new SkipLocked();
                Workers weirWorkers = new Workers(weir);
                Workers tableWorkers = new Workers(table)) {
            double roundTrip = RoundTrip.medianMillis(weir.broker());
            rows.add(Row.of("from this process to the broker and back, median", roundTrip, "ms"));
            context.progress("warm-up");
            fill(weir, waiting[0]);
            fill(table, waiting[0]);
            weirWorkers.perSecond(AT_WORK, warmUp);
            tableWorkers.perSecond(AT_WORK, warmUp.dividedBy(2));
            Supplier<CompletableFuture<?>> constant = table::constant;
            Load.closed(AT_WORK, time, constant);
            for (int i = 0; i < waiting.length; i++) {
                String wait = Table.grouped(waiting[i]) + " wait";
                if (i > 0) {
                    context.progress("until " + wait);
                    long more = waiting[i] - waiting[i - 1];
                    rows.add(Row.of(wait + ": pushes in bulk", fill(weir, more), "1/s"));
                    rows.add(Row.of(wait + ": inserts in bulk, SKIP LOCKED", fill(table, more), "1/s"));
                }
                double constants = 0;
                for (int round = 1; round <= ROUNDS; round++) {
                    context.progress(wait + ", round " + round);
                    constants += Load.closed(AT_WORK, time, constant) / ROUNDS;
                    weirs[i] += weirWorkers.perSecond(AT_WORK, time) / ROUNDS;
                    tables[i] += tableWorkers.perSecond(AT_WORK, time) / ROUNDS;
                }
                rows.add(Row.of(wait + ": a constant over HTTP", constants, "1/s"));
                rows.add(Row.of(wait + ": items taken and ended one by one", weirs[i], "1/s"));
                rows.add(Row.atLeast(
                        wait + ": pops and dones / constants", 2 * weirs[i] / constants, GOAL_OF_CONSTANT, ""));
                rows.add(Row.of(wait + ": the same, SKIP LOCKED", tables[i], "1/s"));
                rows.add(Row.atLeast(wait + ": Weir / SKIP LOCKED", weirs[i] / tables[i], GOAL_OF_TABLE, ""));
                int quarter = (int) Math.max(1, weirs[i] / 4);
                latencies(wait, roundTrip, weirWorkers.times(quarter, time), tableWorkers.times(quarter, time));
            }
            context.progress("in batches, warm-up");
            inBatches(weir, warmUp.dividedBy(2));
            inBatches(table, time);
            context.progress("in batches");
            batches(weir, table, time);
            context.progress("answers");
            rows.addAll(new AnswerSpeed(weir, constant, time).measure());
            // The last one: it leaves Weir with more items than the table has.
            context.progress("during a flood");
            rows.addAll(new FloodedPops(weir, weirWorkers, context.quick() ? time : FLOOD).measure());
        }
        for (int i = 0; i < waiting.length; i++) {
            String wait = Table.grouped(waiting[i]) + " wait";
            context.progress("db-scheduler, " + wait);
            try (DbScheduler library = new DbScheduler()) {
                library.fill(waiting[i]);
                libraries[i] = library.perSecond(time, time);
            }
            rows.add(Row.of(wait + ": items executed by db-scheduler", libraries[i], "1/s"));
        }
        draw(context, waiting, weirs, tables, libraries);
        return rows;
    }

    private static double fill(Contender contender, long count) throws Exception {
        long begin = System.nanoTime();
        contender.fill(count);
        return count * 1e9 / (System.nanoTime() - begin);
    }

    private void latencies(String wait, double roundTrip, Histogram weir, Histogram table) {
        double median = weir.getValueAtPercentile(50) / MILLI;
        double tail = weir.getValueAtPercentile(99) / MILLI;
        String rate = wait + ", at a quarter of that rate: pop, ";
        rows.add(Row.atMost(rate + "median", median, GOAL_OF_MEDIAN * roundTrip, "ms"));
        rows.add(Row.atMost(rate + "99th percentile", tail, GOAL_OF_TAIL * roundTrip, "ms"));
        rows.add(Row.of(rate + "median, SKIP LOCKED", table.getValueAtPercentile(50) / MILLI, "ms"));
        rows.add(Row.of(rate + "99th percentile, SKIP LOCKED", table.getValueAtPercentile(99) / MILLI, "ms"));
    }

    /** In turns, as one by one: a machine is not equally fast all the time. */
    private void batches(Contender weir, Contender table, Duration time) throws Exception {
        double weirs = 0;
        double tables = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            weirs += inBatches(weir, time) / ROUNDS;
            tables += inBatches(table, time) / ROUNDS;
        }
        String what = BATCH + " to a request: ";
        rows.add(Row.atLeast(what + "items taken and ended", weirs, GOAL_OF_BATCHES, "1/s"));
        rows.add(Row.of(what + "the same, SKIP LOCKED", tables, "1/s"));
        rows.add(Row.atLeast(what + "Weir / SKIP LOCKED", weirs / tables, GOAL_OF_TABLE, ""));
    }

    private static double inBatches(Contender contender, Duration time) throws Exception {
        double perSecond = Load.closedSum(
                BATCHES_AT_WORK,
                time,
                () -> contender
                        .take(BATCH)
                        .thenCompose(proofs -> contender.end(proofs).thenApply(ended -> proofs.size())));
        // So that as many wait in the next round.
        contender.fill((long) (perSecond * time.toSeconds()));
        return perSecond;
    }

    private static void draw(BenchmarkContext context, int[] waiting, double[]... series) throws Exception {
        double[] x = new double[waiting.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = waiting[i];
        }
        context.draw(
                "waiting",
                Chart.lines("Items taken and ended one by one", "items that wait", "items/s")
                        .logarithmicX()
                        .add(Series.line("Weir, over HTTP", x, series[0]))
                        .add(Series.line("SKIP LOCKED, over HTTP", x, series[1]))
                        .add(Series.line("db-scheduler, in process", x, series[2])));
    }
}
