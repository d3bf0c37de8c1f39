package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {

    @TempDir
    Path temp;

    @Test
    void whatADeadPilotLeftRunningIsEndedRemovedAndTold() throws IOException {
        TestJobs jobs = new TestJobs(temp);
        String word = UUID.randomUUID().toString();
        jobs.program("child", "trap '' TERM; while true; do sleep 0.1; done");
        jobs.program("program", jobs.bin() + "/child $1 & setsid " + jobs.bin() + "/child $1 & sleep 300");
        Job job = jobs.job("j1", "program", "");
        String mark = UUID.randomUUID().toString();
        Path directory = Files.createDirectories(jobs.work().resolve(mark));
        Program program = Program.start(
                List.of(jobs.bin() + "/program", word),
                directory,
                Map.of(),
                null,
                0,
                new BoundedLog(temp.resolve("log"), 1024),
                mark);
        AttemptRecord.of(job, "dead-pilot", "cpu", mark, Instant.now())
                .started(program.handle())
                .write(directory);
        await().until(() -> Processes.with(word).size() >= 3);

        List<Result> results = Leftovers.clear(jobs.work(), jobs.settings(), result -> false);

        assertThat(Processes.with(word)).isEmpty();
        assertThat(directory).doesNotExist();
        assertThat(results).singleElement().satisfies(result -> {
            assertThat(result.pilotId()).isEqualTo("dead-pilot");
            assertThat(result.jobUid()).isEqualTo("j1");
            assertThat(result.route()).isEqualTo(job.route());
            assertThat(result.status()).isEqualTo(Result.Outcome.KILLED);
            assertThat(result.errorType()).isEqualTo(ErrorType.KILLED);
        });
    }

    @Test
    void aDirectoryWithoutAReadableRecordIsJustRemoved() throws IOException {
        Path directory = Files.createDirectories(temp.resolve("run/x/out"));
        Files.writeString(directory.resolveSibling("attempt.json"), "{\"job_uid\":");
        assertThat(Leftovers.clear(temp.resolve("run"), new TestJobs(temp).settings(), result -> false))
                .isEmpty();
        assertThat(temp.resolve("run")).isEmptyDirectory();
        assertThat(Leftovers.clear(temp.resolve("none"), new TestJobs(temp).settings(), result -> false))
                .isEmpty();
    }

    @Test
    void aDirectoryDeeperThanAPathMayBeLongIsRemoved() throws Exception {
        Path directory = Files.createDirectories(temp.resolve("run/x/work"));
        String name = "d".repeat(100);
        String script = "i=0; while [ $i -lt 300 ]; do mkdir " + name + " && cd -P " + name
                + " && echo > file; i=$((i+1)); done; chmod 0 .";
        Process nest = new ProcessBuilder("sh", "-c", script)
                .directory(directory.toFile())
                .start();
        assertThat(nest.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(nest.exitValue()).isZero();

        assertThat(Leftovers.clear(temp.resolve("run"), new TestJobs(temp).settings(), result -> false))
                .isEmpty();

        assertThat(temp.resolve("run")).isEmptyDirectory();
    }

    @Test
    void whatCannotBeRemovedOrReadIsLeftAndTheResultsAreToldOnce() throws IOException {
        TestJobs jobs = new TestJobs(temp);
        Files.createDirectories(temp.resolve("run/unreadable/attempt.json"));
        for (String uid : List.of("j1", "j2")) {
            AttemptRecord.of(
                            jobs.job(uid, "program", ""),
                            "dead-pilot",
                            "cpu",
                            UUID.randomUUID().toString(),
                            Instant.now())
                    .write(Files.createDirectories(temp.resolve("run/" + uid)));
        }
        Leftovers.Remover refused = directory -> {
            throw new IOException("File name too long: " + "x".repeat(5000));
        };

        assertThat(Leftovers.clear(temp.resolve("run"), jobs.settings(), result -> false, refused))
                .hasSize(2);
        assertThat(temp.resolve("run/j1")).exists();

        assertThat(Leftovers.clear(temp.resolve("run"), jobs.settings(), result -> false))
                .isEmpty();
        assertThat(temp.resolve("run")).isEmptyDirectory();
    }

    @Test
    void aRecordStaysUntilTheResultIsKept() throws IOException {
        TestJobs jobs = new TestJobs(temp);
        Path attempt = Files.createDirectories(temp.resolve("run/j1"));
        AttemptRecord.of(jobs.job("j1", "program", ""), "dead-pilot", "cpu", "mark", Instant.now())
                .write(attempt);
        List<Boolean> hadRecord = new ArrayList<>();

        assertThat(Leftovers.clear(temp.resolve("run"), jobs.settings(), result -> hadRecord.add(hasRecord(attempt))))
                .isEmpty();

        assertThat(hadRecord).containsExactly(true);
        assertThat(temp.resolve("run")).isEmptyDirectory();
    }

    private static boolean hasRecord(Path attempt) {
        try {
            return AttemptRecord.read(attempt) != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
