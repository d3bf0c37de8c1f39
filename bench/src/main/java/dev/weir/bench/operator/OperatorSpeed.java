package dev.weir.bench.operator;

import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.FlinkChild;
import dev.weir.bench.Row;
import dev.weir.bench.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Job cycles a second in the production operator on RocksDB, with and without limits. Each runs in a separate JVM. */
public final class OperatorSpeed {

    private static final double CYCLES_PER_SECOND = 30_000;
    private static final double LIMITED_PER_SECOND = 20_000;
    private static final int MANY_GROUPS = 1_000_000;
    private static final int WARM_UP_SECONDS = 12;
    private static final int SECONDS = 12;
    private static final double PERCENT = 100;

    private final BenchmarkContext context;
    private final SortedMap<Double, Double> underLimits = new TreeMap<>();

    public OperatorSpeed(BenchmarkContext context) {
        this.context = context;
    }

    /** After {@link #measure}: cycles a second of processor time by number of limit groups. */
    public SortedMap<Double, Double> underLimits() {
        return Collections.unmodifiableSortedMap(underLimits);
    }

    /** Measures for some minutes and returns the rows. */
    public List<Row> measure() throws Exception {
        List<Row> rows = new ArrayList<>();
        context.progress("the operator on RocksDB");
        double[] plain = run(new Load(0));
        String what = "two reports in, next job out, operator on RocksDB, mirror on";
        rows.add(Row.atLeast(what, plain[0], CYCLES_PER_SECOND, "1/s"));
        rows.add(Row.of(what + ": per second of processor time", plain[1], "1/s"));
        rows.add(Row.of(what + ": share of time in snapshots", plain[2] * PERCENT, "%"));
        for (int groups : new int[] {10, context.quick() ? 1000 : MANY_GROUPS}) {
            context.progress("the operator on RocksDB under limits, " + groups + " groups");
            double[] limited = run(new Load(groups));
            what = "the same, a random file of 1,000,000 in " + Table.grouped(groups) + " groups";
            rows.add(Row.atLeast(what, limited[0], LIMITED_PER_SECOND, "1/s"));
            rows.add(Row.of(what + ": per second of processor time", limited[1], "1/s"));
            underLimits.put((double) groups, limited[1]);
        }
        return rows;
    }

    private double[] run(Load load) throws Exception {
        return FlinkChild.run(
                load.groups() > 1000 ? "4g" : "2g",
                OperatorMain.class,
                List.of(
                        Integer.toString(load.groups()),
                        Integer.toString(context.quick() ? 1 : WARM_UP_SECONDS),
                        Integer.toString(context.quick() ? 1 : SECONDS)));
    }
}
