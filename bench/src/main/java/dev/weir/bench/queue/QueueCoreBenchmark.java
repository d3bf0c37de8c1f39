package dev.weir.bench.queue;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.ChildJvm;
import dev.weir.bench.Row;
import dev.weir.bench.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The core of the queues on the heap store: what waiting items take, and what a push, a pop and a done cost while they
 * wait, also when all are alike in what usually differs.
 */
public final class QueueCoreBenchmark implements Benchmark {

    private static final int[] WAITING = {1_000, 100_000, 1_000_000};
    private static final int CYCLES = 100_000;
    private static final int ALIKE = 1_000_000;
    private static final String CYCLES_DONE = "until 100,000 are taken and ended";
    private static final String ALL_WAIT = "until all wait";
    private static final double GOAL_EVENT = 100;
    private static final double GOAL_HEAP = 64;
    private static final double GOAL_STATE = 350;
    private static final double GOAL_SECONDS = 10;
    private static final double GOAL_CYCLES = 20_000;

    @Override
    public String name() {
        return "queue-core";
    }

    @Override
    public String description() {
        return "the core of the queues: memory of waiting items, and the cost of push, pop and done";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        List<Row> rows = new ArrayList<>();
        for (int waiting : WAITING) {
            int items = context.quick() ? waiting / 100 : waiting;
            context.progress(items + " items wait");
            String[] figures = ChildJvm.run(
                            List.of("-Xmx3g", "-XX:+UseSerialGC"),
                            QueueCoreMain.class,
                            List.of(Integer.toString(items), Integer.toString(context.quick() ? CYCLES / 100 : CYCLES)),
                            Duration.ofMinutes(10))
                    .split(" ");
            String what = Table.grouped(items) + " items of 300 bytes wait";
            if (waiting == WAITING[WAITING.length - 1]) {
                rows.add(Row.atMost(what + ": heap without state", Double.parseDouble(figures[0]), GOAL_HEAP, "MiB"));
                rows.add(Row.atMost(what + ": state", Double.parseDouble(figures[1]), GOAL_STATE, "MiB"));
                rows.add(Row.atMost(what + ": memory rebuilt", Double.parseDouble(figures[2]), GOAL_SECONDS, "s"));
            }
            rows.add(Row.atLeast(
                    what + ": push, pop and done, per second of processor time",
                    Double.parseDouble(figures[3]),
                    GOAL_CYCLES,
                    "1/s"));
        }
        int alike = context.quick() ? ALIKE / 100 : ALIKE;
        extreme(
                context,
                rows,
                "group",
                alike,
                " items of one group, of which one at a time may be at work",
                CYCLES_DONE);
        extreme(context, rows, "owners", alike, " items, each of an owner of its own", CYCLES_DONE);
        extreme(context, rows, "later", alike, " items put off until one second", ALL_WAIT);
        extreme(context, rows, "due", alike, " keys due again in one second", ALL_WAIT);
        return rows;
    }

    private static void extreme(
            BenchmarkContext context, List<Row> rows, String name, int items, String what, String then)
            throws Exception {
        context.progress(items + what);
        String[] figures = ChildJvm.run(
                        List.of("-Xmx6g", "-XX:+UseParallelGC"),
                        QueueExtremesMain.class,
                        List.of(name, Integer.toString(items)),
                        Duration.ofMinutes(10))
                .split(" ");
        String load = Table.grouped(items) + what;
        rows.add(Row.atMost(
                load + ": the longest event, of processor time", Double.parseDouble(figures[0]), GOAL_EVENT, "ms"));
        rows.add(Row.of(load + ": " + then, Double.parseDouble(figures[1]), "s"));
    }
}
