package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.pilot.run.ItemRun.End;
import dev.weir.pilot.run.ItemRun.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ItemRunTest {

    @TempDir
    Path parent;

    @TempDir
    Path elsewhere;

    private final StopSignal stop = new StopSignal();

    /** Nothing of a run stays. */
    @AfterEach
    void empty() throws IOException {
        try (Stream<Path> left = Files.list(parent)) {
            assertThat(left).isEmpty();
        }
    }

    private Outcome run(String script, Duration timeout, String payload) {
        ItemLimits limits = new ItemLimits(timeout, 64 << 20, Duration.ofSeconds(1));
        return new ItemRun(List.of("sh", "-c", script), limits, stop)
                .run(parent, payload.getBytes(StandardCharsets.UTF_8), Map.of("KEY", "k 1"));
    }

    private Outcome run(String script) {
        return run(script, Duration.ofMinutes(1), "");
    }

    @Test
    void thePayloadIsItsInputAndWhatItPrintsTheResult() {
        Outcome outcome = run("echo noise >&2; read line; echo \"$KEY: $line\"", Duration.ofMinutes(1), "7\n");

        assertThat(outcome.end()).isEqualTo(End.FINISHED);
        assertThat(outcome.result()).asString(StandardCharsets.UTF_8).isEqualTo("k 1: 7\n");
    }

    @Test
    void aFailureSaysTheLastWords() {
        assertThat(run("echo half; echo first >&2; echo 'no such host' >&2; exit 3"))
                .isEqualTo(new Outcome(End.FAILED, null, "exit code 3: no such host"));
    }

    @Test
    void aProgramThatCannotBeStartedOrADirectoryThatCannotBeMadeIsNoFailureOfTheItem() throws IOException {
        Path file = Files.createFile(elsewhere.resolve("file"));

        for (Outcome outcome :
                List.of(run(List.of("/nowhere/program"), parent, Map.of()), run(List.of("true"), file, Map.of()))) {
            assertThat(outcome.end()).isEqualTo(End.UNABLE);
            assertThat(outcome.error()).startsWith("the program could not be run: ");
        }
    }

    /** It would end one worker after the other. */
    @Test
    void anItemThatNoWorkerCanStartAProgramForHasFailed() {
        assertThat(run(List.of("true"), parent, Map.of("KEY", "a\0b")).end()).isEqualTo(End.FAILED);
    }

    private Outcome run(List<String> command, Path directory, Map<String, String> about) {
        ItemLimits limits = new ItemLimits(Duration.ofMinutes(1), 0, Duration.ofSeconds(1));
        return new ItemRun(command, limits, stop).run(directory, new byte[0], about);
    }

    @Test
    void aProgramThatTakesTooLongIsEndedWithAllItHasStarted() throws IOException {
        String word = UUID.randomUUID().toString();

        Outcome outcome = run("(sleep 300; : " + word + ") & sleep 300; : " + word, Duration.ofMillis(300), "");

        assertThat(outcome.error()).isEqualTo("not done after 0 s");
        assertThat(Processes.with(word)).isEmpty();
    }

    @Test
    void aResultThatAProcessLeftBehindStillPrintsIsNotTakenForAWholeOne() {
        assertThat(run("sleep 300 2> /dev/null & echo half; echo why >&2"))
                .isEqualTo(new Outcome(
                        End.FAILED, null, "exit code 0; processes that it left behind still wrote the output: why"));
    }

    @Test
    void aProgramThatPrintsWithoutEndIsEnded() {
        assertThat(run("yes").error()).contains("longer than");
    }

    @Test
    void aStopEndsItWhateverItHasPrinted() {
        stop.request(StopSignal.Cause.SHUTDOWN, "over");

        assertThat(run("echo done; sleep 300").end()).isEqualTo(End.STOPPED);
    }

    @Test
    void itSeesNothingOfTheWorkersOwnSettings() {
        assertThat(run("env | grep -c '^WEIR_TOKEN' || true").result())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("0\n");
    }
}
