package dev.weir.pilot.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.pilot.storage.HttpHosts;
import dev.weir.pilot.storage.Storage;
import dev.weir.pilot.storage.StorageRoots;
import dev.weir.pilot.storage.Storages;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Result;
import dev.weir.protocol.Result.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs and jobs do to a pilot that means no good. */
class HostileJobTest {

    @TempDir
    Path temp;

    private final StopSignal stop = new StopSignal();

    /** In the command lines of this test's long-lived processes. */
    private final String word = UUID.randomUUID().toString();

    private TestJobs jobs;

    @BeforeEach
    void makeDirectories() throws IOException {
        jobs = new TestJobs(temp);
    }

    @AfterEach
    void nothingIsLeftBehind() throws IOException {
        assertThat(Processes.with(word)).isEmpty();
        try (Stream<Path> left = Files.list(jobs.work())) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aProgramCannotKeepThePilotFromRemovingItsFiles() throws IOException {
        // The pilot writes it once more while the program starts.
        String replaced = "record=${TMPDIR%/*}/attempt.json; until rm -f $record && mkdir $record; do :; done; ";
        jobs.program("record", replaced + "echo > $record/full");

        Result result = run(jobs.job("record", "record", ""));

        assertThat(result.status())
                .as(Files.readString(path(result.fileLogUrl())))
                .isEqualTo(Outcome.FINISHED);
    }

    @Test
    void aProgramCannotReplaceTheLogThatThePilotReads() throws IOException {
        jobs.input("secret", "not yours");
        String log = "log=${TMPDIR%/*}/captured.log; rm $log; ";
        jobs.program("pipe", log + "mkfifo $log; echo printed >&2");
        jobs.program("link", log + "ln -s " + jobs.data() + "/secret $log; echo printed >&2");
        for (String program : List.of("pipe", "link")) {
            Result result = run(jobs.job(program, program, ""));
            assertThat(result.status()).isEqualTo(Outcome.FINISHED);
            assertThat(path(result.fileLogUrl()))
                    .content()
                    .contains("printed", "weir: finished")
                    .doesNotContain("not yours");
        }
    }

    @Test
    void anErrorInAnAttemptFailsTheAttemptAndLeavesNothing() throws IOException {
        jobs.program("sleeper", "sleep 300");
        Storage broken = new Storage() {
            @Override
            public Set<String> schemes() {
                return Set.of("file");
            }

            @Override
            public void fetch(String url, Path target, long maxBytes) {
                throw new StackOverflowError("too deep");
            }

            @Override
            public void store(Path source, String url) {}
        };
        Result moved = run(jobs.job("x1", "sleeper", word), new Storages(List.of(broken)));
        assertThat(moved.errorType()).isEqualTo(ErrorType.STAGE_IN);
        assertThat(moved.errorMessage()).contains("too deep");
        Result started = run(jobs.job("x2", "sleeper", word), files(), () -> {
            throw new OutOfMemoryError("no heap");
        });
        assertThat(started.status()).isEqualTo(Outcome.FAILED);
        assertThat(started.errorMessage()).contains("the pilot failed", "no heap");
        assertThat(path(started.fileLogUrl())).content().contains("no heap");
    }

    @Test
    void anInputMayHaveAnyName() throws IOException {
        jobs.program("show", "cat \"$1\" \"$2\"");
        Job job = jobs.merge("n1", "show", "{file_in_list}", List.of(jobs.input(".list", "one")));
        assertThat(path(run(job).fileOutUrl())).content().endsWith("/in/00000-.list\n");
        String map = new String(Json.write(jobs.job("n2", "show", "{file_in} {file_in_list}")), UTF_8);
        Job hidden = Json.read(map.replace("/n2.dat", "/.list").getBytes(UTF_8), Job.class);
        assertThat(path(run(hidden).fileOutUrl())).content().startsWith("one/").endsWith("/in/.list\n");
    }

    /** One ends well after it, the others would never end. */
    @Test
    void anOutputThatIsTooLongFailsAndIsNotUploaded() {
        jobs.program("ends", "head -c " + (TestJobs.MAX_OUTPUT + 1) + " /dev/zero; exit 0");
        jobs.program("endless", "cat /dev/zero");
        jobs.program("file", "cat /dev/zero | head -c " + 2 * TestJobs.MAX_OUTPUT + " > \"$1\"; sleep 300");
        for (Job job : List.of(
                jobs.job("y1", "ends", ""), jobs.job("y2", "endless", word), jobs.job("y3", "file", "{file_out}"))) {
            Result result = run(job);
            assertThat(result.status()).isEqualTo(Outcome.FAILED);
            assertThat(result.errorType()).isEqualTo(ErrorType.EXIT);
            assertThat(result.errorMessage()).contains("longer than " + TestJobs.MAX_OUTPUT, "--max-output");
            assertThat(result.fileOutUrl()).isNull();
            assertThat(path(result.fileLogUrl())).content().contains("--max-output");
        }
    }

    private Result run(Job job) {
        try {
            return run(job, files());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Storages files() throws IOException {
        return Storages.standard(new StorageRoots(List.of(jobs.data())), new HttpHosts(List.of()));
    }

    private Result run(Job job, Storages storages) throws IOException {
        return run(job, storages, () -> {});
    }

    private Result run(Job job, Storages storages, Runnable running) throws IOException {
        Attempt attempt = attempt(job, storages);
        Result result = attempt.run(jobs.work(), running);
        attempt.clear(true);
        return result;
    }

    private Attempt attempt(Job job, Storages storages) throws IOException {
        Executables executables = new Executables(jobs.settings().executables());
        return new Attempt(
                job, "pilot-1", "cpu", "pilot-1", executables, storages, jobs.settings(), stop, new Watchdog());
    }

    private static Path path(String url) {
        return Path.of(url.substring("file://".length()));
    }
}
