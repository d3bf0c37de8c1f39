package dev.weir.bench.queue;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.FlinkChild;
import dev.weir.bench.Row;
import dev.weir.bench.Table;
import java.util.ArrayList;
import java.util.List;

/** Keys that rest in the queues: what they take in memory and on disk, and how soon a restart has them. */
public final class RestingKeysBenchmark implements Benchmark {

    private static final int KEYS = 2_000_000;
    private static final double TENTHS_MORE = 0.9;
    private static final double MIB = 1024.0 * 1024.0;
    /** Less than a reference: none of a key is in memory. */
    private static final double GOAL_BYTES = 4;

    private static final double GOAL_SECONDS = 10;

    @Override
    public String name() {
        return "queue-resting";
    }

    @Override
    public String description() {
        return "keys that rest in a queue on RocksDB: memory, state, and the time of a restart";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        int keys = context.quick() ? KEYS / 100 : KEYS;
        context.progress(keys + " keys rest");
        double[] figures = FlinkChild.run("3g", RestingKeysMain.class, List.of(Integer.toString(keys)));
        String what = Table.grouped(keys) + " keys rest: ";
        List<Row> rows = new ArrayList<>();
        rows.add(Row.of(what + "heap of a job with a tenth of them", figures[0] / MIB, "MiB"));
        rows.add(Row.of(what + "heap of a job with all", figures[1] / MIB, "MiB"));
        rows.add(Row.atMost(
                what + "heap of one more key", (figures[1] - figures[0]) / (keys * TENTHS_MORE), GOAL_BYTES, "B"));
        rows.add(Row.of(what + "pushed, popped and finished", figures[2], "1/s"));
        rows.add(Row.of(what + "savepoint of one key", figures[3] / keys, "B"));
        rows.add(Row.atMost(what + "from a start to the first answer", figures[4], GOAL_SECONDS, "s"));
        return rows;
    }
}
