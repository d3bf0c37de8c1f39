package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.gateway.placement.PlacementStatus;
import dev.weir.gateway.placement.StatusFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlaceCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @BeforeEach
    void writeInput() throws IOException {
        writeWorkers(10);
        Files.writeString(
                directory.resolve("chunks.jsonl"),
                IntStream.range(0, 200)
                        .mapToObj(i -> "{\"dataset\":\"d\",\"id\":\"" + i + "\",\"size\":10}\n")
                        .collect(Collectors.joining()));
        Files.writeString(directory.resolve("place.yaml"), "rings: 100\nmin_replication: 2\nworker_capacity: 500\n");
    }

    private void writeWorkers(int count) throws IOException {
        Files.writeString(
                directory.resolve("workers.jsonl"),
                IntStream.range(0, count)
                        .mapToObj(i -> "{\"id\":\"w" + i + "\",\"status\":\"online\"}\n")
                        .collect(Collectors.joining()));
    }

    private int run(String... more) {
        List<String> args = new ArrayList<>(List.of(
                "--workers", directory.resolve("workers.jsonl").toString(),
                "--chunks", directory.resolve("chunks.jsonl").toString(),
                "--config", directory.resolve("place.yaml").toString(),
                "--out", directory.resolve("out").toString()));
        args.addAll(List.of(more));
        return new CommandLine(new PlaceCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .setExecutionExceptionHandler(new FailureMessage())
                .execute(args.toArray(String[]::new));
    }

    private JsonNode lastLine() throws IOException {
        List<String> lines = out.toString().lines().toList();
        return new ObjectMapper().readTree(lines.get(lines.size() - 1));
    }

    @Test
    void itWritesAssignmentStatusAndMetricsAndEndsWithASummaryInJson() throws IOException {
        assertThat(run("--json")).isZero();

        assertThat(directory.resolve("out/assignment.json.gz")).isNotEmptyFile();
        PlacementStatus status = new StatusFile(directory.resolve("out/status.json"))
                .read()
                .orElseThrow()
                .status();
        assertThat(status.workers()).as("as the gateway reads it").hasSize(10).allSatisfy(worker -> {
            assertThat(worker.capacity()).isEqualTo(500);
            assertThat(worker.fill()).isEqualTo(worker.assignedBytes() / 500.0).isPositive();
        });
        assertThat(status.workers().stream()
                        .mapToLong(PlacementStatus.Worker::chunks)
                        .sum())
                .isEqualTo(status.passReliable().virtualChunks());
        assertThat(status.datasets()).extracting(PlacementStatus.Dataset::bytes).containsExactly(2000L);
        assertThat(directory.resolve("out/metrics.txt")).isNotEmptyFile();
        assertThat(lastLine().get("virtual_chunks").asLong()).isEqualTo(400);
        assertThat(lastLine().at("/replication/1").asDouble()).isEqualTo(2);
    }

    @Test
    void itReportsWhatMovesSinceAnEarlierRunAlsoInTheSameDirectory() throws IOException {
        assertThat(run()).isZero();
        assertThat(run("--diff", directory.resolve("out").toString(), "--json")).isZero();
        assertThat(lastLine().at("/diff/moved_chunks").asLong()).isZero();

        writeWorkers(11);
        assertThat(run("--diff", directory.resolve("out").toString(), "--json")).isZero();
        assertThat(lastLine().at("/diff/joined").asLong()).isEqualTo(1);
        assertThat(lastLine().at("/diff/moved_chunks").asLong()).isPositive();
        assertThat(directory.resolve("out/diff.json")).isNotEmptyFile();
    }

    @Test
    void theFirstRunOfAScheduleComparesWithAnEmptyAssignmentAndSaysSo() throws IOException {
        assertThat(run("--diff", directory.resolve("out").toString(), "--json")).isZero();

        assertThat(out.toString()).contains("no assignment at " + directory.resolve("out"));
        assertThat(lastLine().at("/diff/new_chunks").asLong()).isEqualTo(400);
        assertThat(lastLine().at("/diff/joined").asLong()).isEqualTo(10);
        assertThat(directory.resolve("out/assignment.json.gz")).isNotEmptyFile();
    }

    @Test
    void theDifferenceOfAnEarlierRunDoesNotStayWithANewAssignment() throws IOException {
        assertThat(run()).isZero();
        assertThat(run("--diff", directory.resolve("out").toString())).isZero();

        assertThat(run()).isZero();

        assertThat(directory.resolve("out/diff.json")).doesNotExist();
    }

    @Test
    void theSummaryForPeopleHasNoBraces() {
        assertThat(run()).isZero();
        assertThat(run("--diff", directory.resolve("out").toString())).isZero();

        assertThat(out.toString())
                .doesNotContain("{", "=")
                .containsPattern("replication +1 2")
                .containsPattern("diff +moved chunks 0, moved bytes 0");
    }

    @Test
    void inputThatIsCutOffIsExplainedWithoutTheWordsOfALibrary() throws IOException {
        Files.writeString(directory.resolve("chunks.jsonl"), "{\"dataset\":\"d\"\n");

        assertThat(run()).isEqualTo(1);
        assertThat(err.toString()).contains("chunks.jsonl:1: not JSON").doesNotContain("REDACTED", "StreamRead");
    }

    @Test
    void anOfflineWorkerThatWouldMakeItFailGetsNothingAndTheExitCodeSaysSo() throws IOException {
        Files.writeString(
                directory.resolve("workers.jsonl"),
                "{\"id\":\"huge\",\"capacity\":100000,\"status\":\"offline\"}\n",
                StandardOpenOption.APPEND);

        assertThat(run("--json")).isEqualTo(3);

        assertThat(err.toString())
                .contains("not reliable have empty lists", "not enough", "out/assignment-reliable.json.gz");
        assertThat(lastLine().get("unreliable_left_empty").asText()).contains("not enough");
        assertThat(lastLine().get("stored_chunks").asLong()).isEqualTo(400);
        assertThat(directory.resolve("out/metrics.txt"))
                .content()
                .contains("\nweir_placement_unreliable_left_empty 1\n");
        assertThat(new StatusFile(directory.resolve("out/status.json"))
                        .read()
                        .orElseThrow()
                        .status()
                        .passAll()
                        .failed())
                .as("as the gateway reads it")
                .contains("not enough");
    }

    @Test
    void aWholeAssignmentStaysWhereTheNextOneLeavesWorkersEmptyAndIsWhatTheOneAfterIsComparedWith() throws Exception {
        String out = directory.resolve("out").toString();
        assertThat(run("--diff", out)).isZero();
        byte[] whole = Files.readAllBytes(directory.resolve("out/assignment.json.gz"));
        byte[] diff = Files.readAllBytes(directory.resolve("out/diff.json"));
        Files.writeString(
                directory.resolve("workers.jsonl"),
                "{\"id\":\"huge\",\"capacity\":100000,\"status\":\"offline\"}\n",
                StandardOpenOption.APPEND);

        assertThat(run("--diff", out, "--json")).isEqualTo(3);

        assertThat(lastLine().has("diff")).isFalse();
        assertThat(directory.resolve("out/assignment.json.gz")).hasBinaryContent(whole);
        assertThat(directory.resolve("out/diff.json")).hasBinaryContent(diff);
        assertThat(directory.resolve("out/assignment-reliable.json.gz")).isNotEmptyFile();

        writeWorkers(10);
        assertThat(run("--diff", out, "--json")).isZero();
        assertThat(lastLine().at("/diff/left").asInt()).isZero();
        assertThat(directory.resolve("out/assignment-reliable.json.gz")).doesNotExist();
    }

    @Test
    void theErrorNamesAFileInPlaceOfTheOutputDirectory() throws IOException {
        Files.writeString(directory.resolve("out"), "");

        assertThat(run()).isEqualTo(1);
        assertThat(err.toString()).contains("out is a file; give a directory");
    }

    @Test
    void theModeOfTheCommandLineOverridesTheConfiguration() throws IOException {
        assertThat(run("--mode", "full", "--json")).isZero();

        assertThat(lastLine().get("fill").asDouble()).isGreaterThan(0.985);
    }

    @Test
    void badInputFailsWithFileLineAndReasonAndWritesNothing() throws IOException {
        Files.writeString(directory.resolve("chunks.jsonl"), "{\"dataset\":\"d\"}\n");

        assertThat(run()).isEqualTo(1);
        assertThat(err.toString()).contains("chunks.jsonl:1: id is missing");
        assertThat(directory.resolve("out")).doesNotExist();
    }

    @Test
    void tooLittleCapacityFailsWithTheFigures() throws IOException {
        writeWorkers(3);

        assertThat(run()).isEqualTo(1);
        assertThat(err.toString()).contains("not enough capacity", "need 4000 bytes", "is 1485 bytes: 2515 short");
    }
}
