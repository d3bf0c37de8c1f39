package dev.weir.placement.files;

import dev.weir.placement.Assignment;
import dev.weir.placement.Pass;
import dev.weir.placement.Version;
import dev.weir.placement.input.Worker;
import dev.weir.placement.input.WorkerStatus;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** {@code metrics.txt}: the figures of a placement in the Prometheus text format, for a text-file collector or a web server. */
public final class MetricsFile {

    /** Its name in the output directory. */
    public static final String NAME = "metrics.txt";

    private final Writer out;
    private final Assignment assignment;

    private MetricsFile(Writer out, Assignment assignment) {
        this.out = out;
        this.assignment = assignment;
    }

    /** The metrics of an assignment. */
    static WholeFile.Content of(Assignment assignment) {
        return stream -> {
            try (Writer writer = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8))) {
                new MetricsFile(writer, assignment).write();
            }
        };
    }

    private void write() throws IOException {
        gauge("info", "Version and settings of the placement; always 1.");
        sample(
                "info",
                1,
                "version",
                Version.current(),
                "order",
                FileConfig.lowerCase(assignment.config().order()),
                "mode",
                FileConfig.lowerCase(assignment.config().mode()));
        writePass();
        gauge(
                "unreliable_left_empty",
                "1 if the workers that are not reliable have empty lists, because the pass over all workers failed; otherwise 0.");
        sample("unreliable_left_empty", assignment.fullPassFailure().isPresent() ? 1 : 0);
        gauge("workers", "Workers by status.");
        for (WorkerStatus status : WorkerStatus.values()) {
            long count = assignment.workers().stream()
                    .filter(one -> one.status() == status)
                    .count();
            sample("workers", count, "status", FileConfig.lowerCase(status));
        }
        long[] bytes = new long[assignment.workers().size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = assignment.bytes(i);
        }
        List<Worker> workers = assignment.workers();
        perWorker(
                "worker_capacity_bytes",
                "What a worker can store.",
                i -> workers.get(i).capacityBytes());
        perWorker("worker_assigned_bytes", "What a worker is to store.", i -> bytes[i]);
        perWorker("worker_assigned_chunks", "How many chunks a worker is to store.", assignment::count);
        perWorker(
                "worker_fill_ratio",
                "Assigned bytes by capacity.",
                i -> StatusFile.fill(bytes[i], workers.get(i).capacityBytes()));
        DatasetTotals totals = new DatasetTotals(assignment);
        perDataset(totals, "dataset_chunks", "Chunks of a dataset.", totals::chunks);
        perDataset(totals, "dataset_bytes", "Size of a dataset, each chunk once.", totals::bytes);
        perDataset(totals, "dataset_replicas", "Reliable workers that store a chunk, on average.", totals::replication);
        perDataset(
                totals,
                "dataset_fewest_replicas",
                "Reliable workers that store the dataset's rarest chunk.",
                totals::fewestReplicas);
    }

    private void writePass() throws IOException {
        Pass pass = assignment.reliablePass();
        gauge("virtual_chunks", "Replicas wanted on reliable workers, of all chunks together.");
        sample("virtual_chunks", pass.replication().virtualChunks());
        gauge("unplaced_virtual_chunks", "Replicas above the minimum that found no reliable worker with room.");
        sample("unplaced_virtual_chunks", pass.unplaced());
        gauge("replication_factor", "Replicas that chunks of a weight want on reliable workers.");
        for (var factor : pass.replication().factors().entrySet()) {
            sample("replication_factor", factor.getValue(), "weight", Integer.toString(factor.getKey()));
        }
    }

    private void perWorker(String name, String help, IntToDoubleFunction value) throws IOException {
        gauge(name, help);
        for (int i = 0; i < assignment.workers().size(); i++) {
            sample(
                    name,
                    value.applyAsDouble(i),
                    "worker",
                    assignment.workers().get(i).id());
        }
    }

    private void perDataset(DatasetTotals totals, String name, String help, IntToDoubleFunction value)
            throws IOException {
        gauge(name, help);
        for (int i = 0; i < totals.count(); i++) {
            sample(name, value.applyAsDouble(i), "dataset", totals.name(i));
        }
    }

    private void gauge(String name, String help) throws IOException {
        out.write("# HELP weir_placement_" + name + ' ' + help + "\n# TYPE weir_placement_" + name + " gauge\n");
    }

    /** @param labels names and values in turn */
    private void sample(String name, double value, String... labels) throws IOException {
        out.write("weir_placement_" + name);
        for (int i = 0; i < labels.length; i += 2) {
            out.write(i == 0 ? "{" : ",");
            out.write(labels[i] + "=\"" + escape(labels[i + 1]) + '"');
        }
        out.write(labels.length == 0 ? " " : "} ");
        boolean whole = value == Math.rint(value) && Math.abs(value) < 0x1p53;
        out.write((whole ? Long.toString((long) value) : Double.toString(value)) + '\n');
    }

    private static String escape(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
