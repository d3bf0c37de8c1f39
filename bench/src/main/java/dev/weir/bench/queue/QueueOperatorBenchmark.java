package dev.weir.bench.queue;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.FlinkChild;
import dev.weir.bench.Row;
import dev.weir.bench.Table;
import java.util.ArrayList;
import java.util.List;

/** The operator of the queues on RocksDB: push, pop and done with bytes in and out, one by one and 32 to a message. */
public final class QueueOperatorBenchmark implements Benchmark {

    private static final int[] WAITING = {1_000, 1_000_000};
    private static final int[] ENTRIES = {1, 32};
    private static final int WARM_UP_SECONDS = 10;
    private static final int SECONDS = 12;
    private static final double GOAL = 20_000;

    @Override
    public String name() {
        return "queue-operator";
    }

    @Override
    public String description() {
        return "the operator of the queues on RocksDB: push, pop and done as bytes, checkpoints included";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        List<Row> rows = new ArrayList<>();
        for (int waiting : WAITING) {
            int items = context.quick() ? waiting / 100 : waiting;
            for (int entries : ENTRIES) {
                context.progress(items + " items wait, " + entries + " to a message");
                double[] figures = run(context, items, entries);
                String what = Table.grouped(items) + " items wait, " + entries + " to a message";
                rows.add(Row.atLeast(what + ": push, pop and done", figures[0], GOAL, "1/s"));
                rows.add(Row.of(what + ": per second of processor time", figures[1], "1/s"));
            }
        }
        return rows;
    }

    private static double[] run(BenchmarkContext context, int waiting, int entries) throws Exception {
        return FlinkChild.run(
                "3g",
                QueueOperatorMain.class,
                List.of(
                        Integer.toString(waiting),
                        Integer.toString(entries),
                        Integer.toString(context.quick() ? 1 : WARM_UP_SECONDS),
                        Integer.toString(context.quick() ? 1 : SECONDS)));
    }
}
