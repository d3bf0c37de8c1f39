package dev.weir.bench.placement;

import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.Row;
import dev.weir.bench.chart.Chart;
import dev.weir.bench.chart.Series;
import dev.weir.placement.Assignment;
import dev.weir.placement.Placement;
import dev.weir.placement.diff.AssignmentDiff;
import dev.weir.placement.diff.Change;
import dev.weir.placement.diff.PreviousLists;
import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.IdEncoding;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.Order;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import dev.weir.placement.input.WorkerStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Moved data in both modes when a worker leaves, joins or becomes reliable, or the data grow by 1 %: once far from a step
 * of the replication factors, once at a step, where the compatible mode removes a replica of every chunk. Moved and
 * dropped bytes are multiples of 1/N of all stored bytes, the share of one worker.
 */
final class Churn {

    private static final int[] WEIGHTS = {1, 6, 24};
    private static final int MINIMUM = 2;
    private static final long CHUNK_BYTES = 200L << 20;
    private static final double SPREAD = 0.5;

    private final BenchmarkContext context;
    private final int workerCount;
    private final int chunkCount;
    private final List<Row> rows = new ArrayList<>();
    private final List<Map<String, Object>> table = new ArrayList<>();

    Churn(BenchmarkContext context) {
        this.context = context;
        this.workerCount = context.quick() ? 50 : 500;
        this.chunkCount = context.quick() ? 5_000 : 100_000;
    }

    /** Moved and dropped bytes by all stored bytes, times the number of workers. */
    private record Shares(double moved, double dropped) {}

    List<Row> measure() throws Exception {
        context.note("churn_workers", workerCount);
        context.note("churn_chunks", chunkCount);
        for (Order order : Order.values()) {
            scenario(order, WEIGHTS, 6.2, "weights 1 6 24");
        }
        scenario(Order.CHUNK, new int[] {1}, 5.00001, "at a step");
        context.note("churn", table);
        return rows;
    }

    private void scenario(Order order, int[] weights, double replicas, String what) throws Exception {
        List<Double> compatible = new ArrayList<>();
        List<Double> full = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            context.progress("churn: " + what + ", " + order + " " + mode);
            List<Shares> shares = measure(order, mode, weights, replicas, what);
            for (Shares one : shares) {
                (mode == Mode.FULL ? full : compatible).add(one.moved());
                (mode == Mode.FULL ? full : compatible).add(one.dropped());
            }
        }
        String name = "churn-" + order.name().toLowerCase(Locale.ROOT) + (weights.length == 1 ? "-step" : "");
        context.draw(
                name,
                Chart.bars(
                                "What moves, " + what + ", order "
                                        + order.name().toLowerCase(Locale.ROOT),
                                "change",
                                "share of stored bytes, in units of 1/N",
                                List.of(
                                        "leave: moved",
                                        "leave: dropped",
                                        "join: moved",
                                        "join: dropped",
                                        "1 %: moved",
                                        "1 %: dropped"))
                        .add(Series.bars("compatible", toArray(compatible)))
                        .add(Series.bars("full", toArray(full))));
    }

    private List<Shares> measure(Order order, Mode mode, int[] weights, double replicas, String what) throws Exception {
        PlacementConfig config = new PlacementConfig(order, mode, 6_000, 0.99, MINIMUM, IdEncoding.HEX);
        Chunks chunks = SyntheticInput.chunks(chunkCount, CHUNK_BYTES, SPREAD, weights);
        Chunks grown = SyntheticInput.chunks(chunkCount + chunkCount / 100, CHUNK_BYTES, SPREAD, weights);
        double bytes = 0;
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            bytes += chunks.sizeBytes(chunk);
        }
        long capacity = SyntheticInput.capacity(bytes * replicas, workerCount, config);
        List<Worker> workers = SyntheticInput.workers(workerCount, capacity);
        List<Worker> less = new ArrayList<>(workers);
        less.remove(workerCount / 2);
        List<Worker> more = new ArrayList<>(workers);
        more.add(SyntheticInput.worker(workerCount + 7, capacity));

        Placement placement = new Placement(config);
        Assignment before = placement.place(workers, chunks);
        String name = mode.name().toLowerCase(Locale.ROOT) + ", " + order.name().toLowerCase(Locale.ROOT) + ", " + what;
        double fill = stored(before) / ((double) capacity * workerCount);
        if (weights.length > 1) {
            rows.add(
                    mode == Mode.FULL
                            ? Row.atLeast(name + ": fill", fill, 0.985, "")
                            : Row.of(name + ": fill", fill, ""));
        }
        List<Shares> shares = List.of(
                shares(before, placement.place(less, chunks)),
                shares(before, placement.place(more, chunks)),
                shares(before, placement.place(workers, grown)));
        String[] changes = {"a worker leaves", "a worker joins", "1 % more data"};
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("case", name);
        line.put("fill", fill);
        line.put("factors", before.reliablePass().replication().factors().toString());
        line.put("unplaced", before.reliablePass().unplaced());
        for (int i = 0; i < changes.length; i++) {
            if (order == Order.CHUNK) {
                rows.add(Row.of(
                        name + ": " + changes[i] + ", moved", shares.get(i).moved(), "/N"));
            }
            line.put(changes[i] + ": moved", shares.get(i).moved());
            line.put(changes[i] + ": dropped", shares.get(i).dropped());
        }
        line.put("kept by a worker that becomes reliable", kept(placement, workers, chunks));
        table.add(line);
        if (weights.length == 1) {
            rows.add(Row.of(name + ": a worker leaves, dropped", shares.get(0).dropped(), "/N"));
        }
        return shares;
    }

    /** Of 1 % unreliable workers one becomes reliable: which share of its list's bytes does it keep? */
    private double kept(Placement placement, List<Worker> workers, Chunks chunks) throws Exception {
        List<Worker> before = new ArrayList<>(workers);
        int unreliable = Math.max(2, workerCount / 100);
        for (int i = 0; i < unreliable; i++) {
            Worker worker = workers.get(i);
            before.set(i, new Worker(worker.id(), worker.capacityBytes(), WorkerStatus.UNRELIABLE));
        }
        List<Worker> after = new ArrayList<>(before);
        after.set(0, workers.get(0));
        Assignment then = placement.place(before, chunks);
        Assignment now = placement.place(after, chunks);
        int worker = then.workers().indexOf(before.get(0));
        Change change = AssignmentDiff.between(PreviousLists.of(then, chunks), now)
                .workers()
                .get(workers.get(0).id());
        return 1 - change.droppedBytes() / (double) then.bytes(worker);
    }

    private Shares shares(Assignment before, Assignment after) {
        Change total = AssignmentDiff.between(PreviousLists.of(before, after.chunks()), after)
                .total();
        double stored = stored(before);
        return new Shares(total.movedBytes() / stored * workerCount, total.droppedBytes() / stored * workerCount);
    }

    private static double stored(Assignment assignment) {
        double bytes = 0;
        for (int worker = 0; worker < assignment.workers().size(); worker++) {
            bytes += assignment.bytes(worker);
        }
        return bytes;
    }

    private static double[] toArray(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
