package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.pilot.storage.HttpHosts;
import dev.weir.pilot.storage.StorageRoots;
import dev.weir.pilot.storage.Storages;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Result;
import dev.weir.protocol.Result.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that end well before all that they have started. */
class StraysTest {

    private static final int LINES = 20_000;

    /** Enough on any machine. */
    private static final Duration PATIENT = Duration.ofMinutes(1);

    @TempDir
    Path temp;

    /** In the command lines of this test's long-lived processes. */
    private final String word = UUID.randomUUID().toString();

    private TestJobs jobs;

    @BeforeEach
    void makeDirectories() throws IOException {
        jobs = new TestJobs(temp);
        jobs.program("sleeper", "sleep 300");
    }

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(Processes.with(word)).isEmpty();
    }

    @Test
    void aPipelineThatBashDoesNotWaitForWritesTheWholeOutput() throws IOException {
        // Bash reads byte by byte, so seq has put the rest into the pipe, and ended, long before.
        String slow = "seq " + LINES + " > >(while read -r line; do echo \"$line\"; done";
        jobs.program("file", "exec bash -c '" + slow + " > \"$0\")' \"$1\"");
        jobs.program("stdout", "exec bash -c '" + slow + ")'");

        assertWhole(run("file", "{file_out}", PATIENT));
        assertWhole(run("stdout", "", PATIENT));
    }

    @Test
    void whatStillWritesTheOutputMayPrintErrorsAsWell() throws IOException {
        String slow = "seq " + LINES + " > >(while read -r line; do echo x >&2; echo \"$line\"; done";
        jobs.program("file", "exec bash -c '" + slow + " > \"$0\")' \"$1\"");
        jobs.program("stdout", "exec bash -c '" + slow + ")'");

        assertWhole(run("file", "{file_out}", PATIENT));
        assertWhole(run("stdout", "", PATIENT));
    }

    private static void assertWhole(Result result) throws IOException {
        assertThat(result.status()).as(result.errorMessage()).isEqualTo(Outcome.FINISHED);
        assertThat(Files.readAllLines(path(result.fileOutUrl()))).hasSize(LINES).endsWith(String.valueOf(LINES));
    }

    @Test
    void anOutputWithoutAnEndIsNotTakenForAWholeOne() throws IOException {
        jobs.program("file", "echo half > \"$1\"; " + jobs.bin() + "/sleeper " + word + " >> \"$1\" &");

        assertCut(run("file", "{file_out}"));
    }

    /** It has nothing open while the pilot looks, as what has just been started. */
    @Test
    void anOutputThatChangesWhileProcessesAreEndedIsNotTakenForAWholeOne() throws IOException {
        jobs.program(
                "late", "trap 'echo more >> \"$1\"; exit' TERM; : > \"$TMPDIR/ready\"; while :; do sleep 0.05; done");
        jobs.program(
                "file",
                "echo half > \"$1\"; " + jobs.bin()
                        + "/late \"$1\" > /dev/null & until [ -e \"$TMPDIR/ready\" ]; do :; done");

        assertCut(run("file", "{file_out}"));
    }

    private static void assertCut(Result result) throws IOException {
        assertThat(result.status()).isEqualTo(Outcome.FAILED);
        assertThat(result.errorType()).isEqualTo(ErrorType.EXIT);
        assertThat(result.errorMessage()).contains("processes that it left behind still wrote the output");
        assertThat(result.exitCode()).isZero();
        assertThat(result.fileOutUrl()).isNull();
        assertThat(path(result.fileLogUrl())).content().contains("still wrote the output");
    }

    @Test
    void whatReadsTheOutputOrWritesTheLogIsEndedAndHarmsNothing() throws IOException {
        jobs.program(
                "watched",
                "echo whole > \"$1\"; " + jobs.bin() + "/sleeper " + word + " < \"$1\" > \"$2\" & " + jobs.bin()
                        + "/sleeper " + word + " >&2 &");

        Result result = run("watched", "{file_out} {file_log}");

        assertThat(result.status()).as(result.errorMessage()).isEqualTo(Outcome.FINISHED);
        assertThat(path(result.fileOutUrl())).hasContent("whole");
    }

    private Result run(String program, String arguments) throws IOException {
        return run(program, arguments, jobs.settings().killGrace());
    }

    private Result run(String program, String arguments, Duration killGrace) throws IOException {
        Storages files = Storages.standard(new StorageRoots(List.of(jobs.data())), new HttpHosts(List.of()));
        RunSettings usual = jobs.settings();
        RunSettings settings = new RunSettings(
                usual.executables(),
                usual.maxLogBytes(),
                usual.maxOutputBytes(),
                usual.maxInputBytes(),
                usual.maxMemoryBytes(),
                usual.minFreeBytes(),
                usual.transferTimeout(),
                usual.transferTries(),
                usual.transferPause(),
                killGrace,
                usual.stopUpload(),
                usual.slot());
        Attempt attempt = new Attempt(
                jobs.job(program, program, arguments),
                "p",
                "cpu",
                "p",
                new Executables(settings.executables()),
                files,
                settings,
                new StopSignal(),
                new Watchdog());
        Result result = attempt.run(jobs.work(), () -> {});
        attempt.clear(true);
        return result;
    }

    private static Path path(String url) {
        return Path.of(url.substring("file://".length()));
    }
}
