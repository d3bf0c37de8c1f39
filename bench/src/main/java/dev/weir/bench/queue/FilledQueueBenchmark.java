package dev.weir.bench.queue;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.FlinkChild;
import dev.weir.bench.Row;
import dev.weir.bench.Table;
import java.util.ArrayList;
import java.util.List;

/** Items that wait and keys that rest in the queues: what they take in memory and on disk, and how soon a restart has them. */
public final class FilledQueueBenchmark implements Benchmark {

    private static final int ITEMS = 1_000_000;
    private static final int KEYS = 2_000_000;
    private static final double TENTHS_MORE = 0.9;
    private static final double MIB = 1024.0 * 1024.0;
    private static final double MB = 1e6;
    /** Less than a reference: none of a key is in memory. */
    private static final double GOAL_BYTES = 4;

    /** Of a million items. */
    private static final double GOAL_STATE = 350;

    private static final double GOAL_SECONDS = 10;

    @Override
    public String name() {
        return "queue-restart";
    }

    @Override
    public String description() {
        return "items that wait and keys that rest on RocksDB: memory, state, and the time of a restart";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        List<Row> rows = new ArrayList<>();
        waiting(context, rows);
        resting(context, rows);
        return rows;
    }

    private static void waiting(BenchmarkContext context, List<Row> rows) throws Exception {
        int items = context.quick() ? ITEMS / 100 : ITEMS;
        String what = Table.grouped(items) + " items of 300 bytes wait";
        context.progress(what);
        double[] figures = run(DrivenFill.Fate.WAIT, items);
        rows.add(Row.of(what + ": heap of a job with them", figures[1] / MIB, "MiB"));
        rows.add(Row.of(what + ": pushed", figures[2], "1/s"));
        rows.add(Row.atMost(what + ": savepoint", figures[3] / MB, GOAL_STATE, "MB"));
        rows.add(Row.atMost(what + ": from a start to the first item", figures[4], GOAL_SECONDS, "s"));
    }

    private static void resting(BenchmarkContext context, List<Row> rows) throws Exception {
        int keys = context.quick() ? KEYS / 100 : KEYS;
        context.progress(keys + " keys rest");
        double[] figures = run(DrivenFill.Fate.REST, keys);
        String what = Table.grouped(keys) + " keys rest: ";
        rows.add(Row.of(what + "heap of a job with a tenth of them", figures[0] / MIB, "MiB"));
        rows.add(Row.of(what + "heap of a job with all", figures[1] / MIB, "MiB"));
        rows.add(Row.atMost(
                what + "heap of one more key", (figures[1] - figures[0]) / (keys * TENTHS_MORE), GOAL_BYTES, "B"));
        rows.add(Row.of(what + "pushed, popped and finished", figures[2], "1/s"));
        rows.add(Row.of(what + "savepoint of one key", figures[3] / keys, "B"));
        rows.add(Row.atMost(what + "from a start to the first answer", figures[4], GOAL_SECONDS, "s"));
    }

    private static double[] run(DrivenFill.Fate fate, int items) throws Exception {
        return FlinkChild.run("3g", FilledQueueMain.class, List.of(fate.name(), Integer.toString(items)));
    }
}
