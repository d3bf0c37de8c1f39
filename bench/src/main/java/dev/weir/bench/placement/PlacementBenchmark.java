package dev.weir.bench.placement;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.Row;
import java.util.ArrayList;
import java.util.List;

/** {@code ./weir bench placement}: speed and memory, churn in both modes, reading and writing. */
public final class PlacementBenchmark implements Benchmark {

    @Override
    public String name() {
        return "placement";
    }

    @Override
    public String description() {
        return "placement of chunks: time, memory, fill, moved data after changes, reading and writing";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        List<Row> rows = new ArrayList<>();
        rows.addAll(new Speed(context).measure());
        rows.addAll(new Churn(context).measure());
        rows.addAll(new Reading(context).measure());
        return rows;
    }
}
