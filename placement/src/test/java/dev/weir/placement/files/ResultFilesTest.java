package dev.weir.placement.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.placement.Assignment;
import dev.weir.placement.Placement;
import dev.weir.placement.diff.AssignmentDiff;
import dev.weir.placement.diff.PreviousLists;
import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.ChunksBuilder;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import dev.weir.placement.input.WorkerStatus;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {

    private static final String ODD_ID = "odd \"id\"\\ with\nall é";

    @TempDir
    private Path directory;

    private FileConfig config;
    private Assignment assignment;

    @BeforeEach
    void place() throws Exception {
        config = new FileConfig(
                PlacementConfig.DEFAULT.withRings(50).withMinReplication(2), OptionalLong.of(4_000), Map.of("b", 3));
        List<Worker> workers = List.of(
                new Worker("one", 4_000, WorkerStatus.ONLINE),
                new Worker("late", 4_000, WorkerStatus.UNRELIABLE),
                new Worker(ODD_ID, 4_000, WorkerStatus.ONLINE),
                new Worker("three", 4_000, WorkerStatus.ONLINE),
                new Worker("empty", 0, WorkerStatus.ONLINE));
        assignment = new Placement(config.placement()).place(workers, chunks(0, 60));
    }

    private static Chunks chunks(int from, int to) {
        ChunksBuilder chunks = new ChunksBuilder();
        for (int i = from; i < to; i++) {
            chunks.add(i % 2 == 0 ? "a" : "b", "chunk \"" + i + "\" ü", 50 + i, i % 2 == 0 ? 1 : 3);
        }
        return chunks.build();
    }

    private static JsonNode readGzip(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return new ObjectMapper().readTree(in);
        }
    }

    @Test
    void theAssignmentFileHoldsEveryWorkersListInFull() throws Exception {
        Path file = directory.resolve(AssignmentFile.NAME);
        AssignmentFile.write(file, assignment);

        JsonNode json = readGzip(file);

        assertThat(json.get("workers").size()).isEqualTo(5);
        for (int worker = 0; worker < 5; worker++) {
            List<String> names = new ArrayList<>();
            json.get("workers").get(assignment.workers().get(worker).id()).forEach(name -> names.add(name.asText()));
            assertThat(names)
                    .isEqualTo(Arrays.stream(assignment.chunksOf(worker))
                            .mapToObj(assignment.chunks()::name)
                            .toList());
        }
        assertThat(json.get("replication").toString()).isEqualTo("{\"1\":2,\"3\":2}");
        assertThat(json.get("virtual_chunks").asLong()).isEqualTo(120);
        assertThat(json.get("unplaced").asLong()).isZero();
    }

    @Test
    void theSameAssignmentGivesTheSameBytesAndLeavesNothingHalfWritten() throws Exception {
        AssignmentFile.write(directory.resolve("one"), assignment);
        AssignmentFile.write(directory.resolve("two"), assignment);

        assertThat(directory.resolve("one")).hasSameBinaryContentAs(directory.resolve("two"));
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void theStatusTellsWorkersDatasetsConfigurationAndVersions() throws Exception {
        Path file = directory.resolve(StatusFile.NAME);
        WholeFile.write(file, StatusFile.of(assignment, config));

        JsonNode json = new ObjectMapper().readTree(file.toFile());

        assertThat(json.at("/versions/weir").asText()).matches("[0-9]+\\.[0-9]+\\.[0-9]+.*");
        assertThat(json.at("/config/rings").asInt()).isEqualTo(50);
        assertThat(json.at("/config/weights/b").asInt()).isEqualTo(3);
        JsonNode first = json.at("/workers/0");
        assertThat(first.get("id").asText()).isEqualTo("one");
        assertThat(first.get("status").asText()).isEqualTo("online");
        assertThat(first.get("assigned_bytes").asLong()).isEqualTo(assignment.bytes(0));
        assertThat(first.get("chunks").asInt()).isEqualTo(assignment.count(0));
        assertThat(first.get("fill").asDouble()).isEqualTo(assignment.bytes(0) / 4_000.0);
        assertThat(json.at("/workers/4/status").asText()).isEqualTo("unreliable");
        JsonNode dataset = json.at("/datasets/0");
        assertThat(dataset.get("chunks").asInt()).isEqualTo(30);
        assertThat(dataset.get("replication").asDouble()).isEqualTo(2);
        assertThat(dataset.get("bytes").asLong() + json.at("/datasets/1/bytes").asLong())
                .isEqualTo(60 * 50 + 59 * 60 / 2);
    }

    @Test
    void everyLineOfTheMetricsIsInThePrometheusTextFormat() throws Exception {
        Path file = directory.resolve(MetricsFile.NAME);
        WholeFile.write(file, MetricsFile.of(assignment));

        List<String> lines = Files.readAllLines(file);
        Set<String> declared = new HashSet<>();
        for (String line : lines) {
            if (line.startsWith("# TYPE ")) {
                assertThat(line).matches("# TYPE weir_placement_[a-z_]+ gauge");
                assertThat(declared.add(line.split(" ")[2])).isTrue();
            } else if (!line.startsWith("# HELP ")) {
                String label = "[a-z]+=\"(?:[^\"\\\\]|\\\\[\\\\\"n])*\"";
                assertThat(line).matches("[a-z_]+(?:\\{" + label + "(?:," + label + ")*\\})? -?[0-9.]+(?:E-?[0-9]+)?");
                assertThat(declared).contains(line.split("[{ ]")[0]);
            }
        }
        assertThat(lines).contains("weir_placement_virtual_chunks 120");
    }

    @Test
    void promtoolFindsNothingToSayAboutTheMetrics() throws Exception {
        Optional<Path> promtool = promtool();
        assumeTrue(promtool.isPresent(), "promtool is not here; .ci/promtool fetches it");
        Path file = directory.resolve(MetricsFile.NAME);
        WholeFile.write(file, MetricsFile.of(assignment));

        File said = directory.resolve("said").toFile();
        Process process = new ProcessBuilder(promtool.get().toString(), "check", "metrics")
                .redirectInput(file.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said)
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(said).isEmpty();
        assertThat(process.exitValue()).isZero();
    }

    /** From WEIR_PROMTOOL, which must then be right, or from the path. */
    private static Optional<Path> promtool() {
        String given = System.getenv("WEIR_PROMTOOL");
        if (given != null && !given.isEmpty()) {
            return Optional.of(Path.of(given));
        }
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "promtool"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Test
    void anAssignmentThatIsReadBackDiffersInNothing() throws Exception {
        Path file = directory.resolve(AssignmentFile.NAME);
        AssignmentFile.write(file, assignment);

        AssignmentDiff diff = AssignmentDiff.between(AssignmentFile.read(file, assignment.chunks()), assignment);

        assertThat(diff.total().isNothing()).isTrue();
        assertThat(diff.joined()).isEmpty();
        assertThat(diff.left()).isEmpty();
    }

    @Test
    void theDifferenceFromAFileIsTheOneFromMemoryAndAddsUp() throws Exception {
        Path file = directory.resolve(AssignmentFile.NAME);
        AssignmentFile.write(file, assignment);
        List<Worker> workers = List.of(
                new Worker("one", 4_000, WorkerStatus.ONLINE),
                new Worker("three", 6_000, WorkerStatus.ONLINE),
                new Worker("new", 6_000, WorkerStatus.ONLINE));
        Chunks now = chunks(10, 70);
        Assignment after = new Placement(config.placement().with(Mode.FULL)).place(workers, now);

        AssignmentDiff diff = AssignmentDiff.between(AssignmentFile.read(file, now), after);

        assertThat(diff).isEqualTo(AssignmentDiff.between(PreviousLists.of(assignment, now), after));
        assertThat(diff.joined()).containsExactly("new");
        assertThat(diff.left()).containsExactlyInAnyOrder(ODD_ID, "empty", "late");
        long before = 0;
        long today = 0;
        for (int worker = 0; worker < 5; worker++) {
            before += assignment.count(worker);
        }
        for (int worker = 0; worker < 3; worker++) {
            today += after.count(worker);
        }
        assertThat(today - before)
                .isEqualTo(diff.total().movedChunks()
                        + diff.total().newChunks()
                        - diff.total().droppedChunks()
                        - diff.total().goneChunks());
        assertThat(diff.total().newChunks()).isPositive();
        assertThat(diff.total().goneChunks()).isPositive();
        assertThat(diff.workers().get("new").movedChunks()).isPositive();

        WholeFile.write(directory.resolve(DiffFile.NAME), DiffFile.of(diff));
        JsonNode json =
                new ObjectMapper().readTree(directory.resolve(DiffFile.NAME).toFile());
        assertThat(json.at("/total/moved_bytes").asLong())
                .isEqualTo(diff.total().movedBytes());
        assertThat(json.at("/workers/new/moved_chunks").asLong())
                .isEqualTo(diff.workers().get("new").movedChunks());
    }

    @Test
    void whatIsNoAssignmentIsRefusedWithItsFile() throws Exception {
        Path plain = Files.writeString(directory.resolve("plain"), "{}");

        assertThatThrownBy(() -> AssignmentFile.read(plain, assignment.chunks()))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(plain.toString());
    }

    @Test
    void gzipJsonWithoutWorkersIsNoAssignmentOfNothing() throws Exception {
        Path empty = directory.resolve("empty.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(empty))) {
            out.write("{}".getBytes(StandardCharsets.UTF_8));
        }

        assertThatThrownBy(() -> AssignmentFile.read(empty, assignment.chunks()))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(empty + ": not an assignment: a field 'workers' is expected");
    }
}
