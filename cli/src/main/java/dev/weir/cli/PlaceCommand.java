package dev.weir.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cli.console.Output;
import dev.weir.cli.console.Printable;
import dev.weir.placement.Assignment;
import dev.weir.placement.Placement;
import dev.weir.placement.diff.AssignmentDiff;
import dev.weir.placement.diff.Change;
import dev.weir.placement.diff.PreviousLists;
import dev.weir.placement.files.AssignmentFile;
import dev.weir.placement.files.ChunksFile;
import dev.weir.placement.files.DiffFile;
import dev.weir.placement.files.FileConfig;
import dev.weir.placement.files.InputException;
import dev.weir.placement.files.ResultFiles;
import dev.weir.placement.files.WorkersFile;
import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.Worker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./weir place}: computes which worker stores which chunks, and writes assignment, status and metrics. */
@Command(
        name = "place",
        mixinStandardHelpOptions = true,
        description = "Places chunks on workers. The same input always gives the same assignment.",
        footer = {
            "",
            "Exit codes: 0 placed; 3 placed on the reliable workers, and all others have empty lists, because the pass over all"
                    + " workers failed: that is written as assignment-reliable.json.gz, and the last whole assignment stays; 1 refused or"
                    + " failed, and no assignment was written; 2 wrong command line."
        })
final class PlaceCommand implements Callable<Integer> {

    /** The assignment is written, and must not be taken for a whole one. */
    private static final int UNRELIABLE_LEFT_EMPTY = 3;

    @Option(
            names = "--workers",
            required = true,
            paramLabel = "W.jsonl",
            description =
                    "workers, one a line: {\"id\", \"capacity\"?, \"status\": \"online\"|\"unreliable\"|\"offline\"}")
    private Path workersFile;

    @Option(
            names = "--chunks",
            required = true,
            paramLabel = "C.jsonl",
            description = "chunks, one a line, gzip or not: {\"dataset\", \"id\", \"size\", \"weight\"?}")
    private Path chunksFile;

    @Option(
            names = "--config",
            paramLabel = "P.yaml",
            description = "order, mode, rings, saturation, min_replication, worker_capacity, id_encoding, weights")
    private Path configFile;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "directory for the results")
    private Path out;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "compatible: the same assignment as the SQD network (default); full: uses the whole budget")
    private Mode mode;

    @Option(
            names = "--diff",
            paramLabel = "PREVIOUS",
            description = "an earlier assignment.json.gz, or its directory: compares with it and writes diff.json;"
                    + " where there is none yet, with an empty one")
    private Path previous;

    @Option(names = "--json", description = "print the summary as one JSON object on the last line")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (Files.exists(out) && !Files.isDirectory(out)) {
            throw new IOException("--out " + out + " is a file; give a directory");
        }
        long start = System.nanoTime();
        FileConfig config =
                (configFile == null ? FileConfig.DEFAULT : FileConfig.read(configFile)).with(Optional.ofNullable(mode));
        List<Worker> workers = WorkersFile.read(workersFile, config);
        Chunks chunks = ChunksFile.read(chunksFile, config);
        long read = System.nanoTime();
        Assignment assignment = new Placement(config.placement()).place(workers, chunks);
        long placed = System.nanoTime();
        // Before any output is written, since the earlier assignment may be in the output directory.
        Optional<AssignmentDiff> diff = Optional.empty();
        if (previous != null && assignment.fullPassFailure().isEmpty()) {
            diff = Optional.of(AssignmentDiff.between(readPrevious(chunks), assignment));
        }
        long compared = System.nanoTime();
        ResultFiles.write(out, assignment, config, diff);
        long written = System.nanoTime();

        Map<String, Object> summary = summary(assignment);
        summary.put("read_seconds", seconds(start, read));
        summary.put("place_seconds", seconds(read, placed));
        summary.put("write_seconds", seconds(compared, written));
        diff.ifPresent(moves -> summary.put("diff", diffSummary(moves)));
        print(summary);
        return assignment.fullPassFailure().map(this::sayLeftEmpty).orElse(0);
    }

    private int sayLeftEmpty(String why) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(Printable.lines(spec.qualifiedName(" ")
                + ": the workers that are not reliable have empty lists, because the pass over all workers failed: "
                + why));
        err.println(Printable.lines("that assignment is " + out.resolve(AssignmentFile.RELIABLE_NAME) + "; "
                + AssignmentFile.NAME + " and " + DiffFile.NAME + " are as they were"));
        err.flush();
        return UNRELIABLE_LEFT_EMPTY;
    }

    /** Nothing where there is none: the first run of a schedule is like the next ones. */
    private PreviousLists readPrevious(Chunks chunks) throws InputException {
        Path file = Files.isDirectory(previous) ? previous.resolve(AssignmentFile.NAME) : previous;
        if (Files.notExists(file)) {
            spec.commandLine().getOut().println("no assignment at " + file + ": compared with an empty one");
            return new PreviousLists(chunks);
        }
        return AssignmentFile.read(file, chunks);
    }

    private static Map<String, Object> summary(Assignment assignment) {
        long capacity = 0;
        long bytes = 0;
        long replicas = 0;
        for (int worker = 0; worker < assignment.workers().size(); worker++) {
            capacity += assignment.workers().get(worker).capacityBytes();
            bytes += assignment.bytes(worker);
            replicas += assignment.count(worker);
        }
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("workers", assignment.workers().size());
        summary.put("chunks", assignment.chunks().count());
        summary.put("virtual_chunks", assignment.reliablePass().replication().virtualChunks());
        summary.put("unplaced", assignment.reliablePass().unplaced());
        summary.put("replication", assignment.reliablePass().replication().factors());
        summary.put("stored_chunks", replicas);
        summary.put("stored_bytes", bytes);
        assignment.fullPassFailure().ifPresent(why -> summary.put("unreliable_left_empty", why));
        summary.put("fill", capacity == 0 ? 0 : (double) bytes / capacity);
        return summary;
    }

    private static Map<String, Object> diffSummary(AssignmentDiff diff) {
        Change total = diff.total();
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("moved_chunks", total.movedChunks());
        summary.put("moved_bytes", total.movedBytes());
        summary.put("new_chunks", total.newChunks());
        summary.put("new_bytes", total.newBytes());
        summary.put("dropped_chunks", total.droppedChunks());
        summary.put("dropped_bytes", total.droppedBytes());
        summary.put("gone_chunks", total.goneChunks());
        summary.put("joined", diff.joined().size());
        summary.put("left", diff.left().size());
        return summary;
    }

    private void print(Map<String, Object> summary) throws IOException {
        PrintWriter terminal = spec.commandLine().getOut();
        summary.forEach((name, value) -> terminal.printf("%-16s %s%n", words(name), words(value)));
        terminal.println("written to " + out.toAbsolutePath());
        if (json) {
            terminal.println(new ObjectMapper().writeValueAsString(summary));
        }
        Output.flush(terminal);
    }

    /** A map as "name value, name value". */
    private static String words(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> words(entry.getKey()) + " " + words(entry.getValue()))
                    .collect(Collectors.joining(", "));
        }
        return value instanceof String name ? name.replace('_', ' ') : String.valueOf(value);
    }

    private static double seconds(long fromNanos, long toNanos) {
        return Double.parseDouble(String.format(Locale.ROOT, "%.3f", (toNanos - fromNanos) / 1e9));
    }
}
