package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.pilot.run.StopSignal.Cause;
import dev.weir.pilot.storage.Checksum;
import dev.weir.pilot.storage.HttpHosts;
import dev.weir.pilot.storage.Storage;
import dev.weir.pilot.storage.StorageRoots;
import dev.weir.pilot.storage.Storages;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Result;
import dev.weir.protocol.Result.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptTest {

    @TempDir
    Path temp;

    private final StopSignal stop = new StopSignal();
    private final AtomicBoolean ran = new AtomicBoolean();

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
    void standardOutputIsTheOutputWhenNoArgumentNamesOne() throws IOException {
        jobs.program("upper", "echo to the log >&2; tr a-z A-Z < \"$1\"");
        Result result = run(jobs.job("j1", "upper", "{file_in}"));
        assertThat(result.status()).isEqualTo(Outcome.FINISHED);
        assertThat(result.exitCode()).isZero();
        assertThat(result.errorType()).isNull();
        assertThat(result.fileOutUrl()).endsWith("/out/j1/j1.0.1.pilot-1.out");
        Path out = path(result.fileOutUrl());
        assertThat(out).hasContent("INPUT OF J1");
        assertThat(result.fileOutSize()).isEqualTo(Files.size(out));
        assertThat(result.fileOutChecksum()).isEqualTo(Checksum.sha256(out).toString());
        assertThat(result.fileLogChecksum())
                .isEqualTo(Checksum.sha256(path(result.fileLogUrl())).toString());
        assertThat(path(result.fileLogUrl())).content().contains("to the log").contains("weir: finished (exit code 0)");
        assertThat(ran).isTrue();
    }

    @Test
    void outputAndLogThatTheArgumentsNameAreTaken() throws IOException {
        jobs.program("both", "echo out > \"$1\"; echo own log > \"$2\"; echo printed");
        Result result = run(jobs.job("j2", "both", "{file_out} {file_log}"));
        assertThat(path(result.fileOutUrl())).hasContent("out");
        assertThat(path(result.fileLogUrl())).content().startsWith("own log\n").contains("printed");
    }

    @Test
    void aJobWhoseProcessesTogetherHaveTooMuchMemoryEndsAsOutOfMemory() throws IOException {
        // Each tail holds 40 MB, which is allowed.
        jobs.program("hog", "for i in 1 2; do head -c 40000000 /dev/zero | tail -c 40000000 | sleep 60 & done; wait");
        Result result = run(jobs.job("j2", "hog", ""));
        assertThat(result.status()).isEqualTo(Outcome.FAILED);
        assertThat(result.errorType()).isEqualTo(ErrorType.OOM);
        assertThat(result.errorMessage()).contains("more than " + TestJobs.MAX_MEMORY, "--max-memory");
    }

    @Test
    void placeholdersFillWordsAndNothingGoesThroughAShell() throws IOException {
        jobs.program(
                "show",
                "for a in \"$@\"; do echo \"<$a>\"; done; echo $WEIR_JOB_UID $WEIR_ATTEMPT $WEIR_PILOT_ID $WEIR_SLOT; pwd; ls");
        Result result = run(jobs.job("j3", "show", "{job_uid}/{task_uid}:{attempt} '$HOME; {x}' {file_in} \"a b\""));
        String out = Files.readString(path(result.fileOutUrl()));
        assertThat(out)
                .contains("<j3/task:1>\n<$HOME; {x}>\n")
                .contains("/in/j3.dat>\n<a b>\n")
                .contains("j3 1 pilot-1 3\n");
    }

    @Test
    void aMergeGetsAllItsInputsInOrderAsArgumentsAndAsAList() throws IOException {
        jobs.program("join", "cat \"$@\"; cat $LIST");
        List<String> inputs = List.of(jobs.input("x 1", "one\n"), jobs.input("y", "two\n"), jobs.input("z", "three\n"));
        Result arguments = run(jobs.merge("m1", "join", "{file_in}", inputs, List.of(4L, 4L, 6L)));
        assertThat(path(arguments.fileOutUrl())).hasContent("one\ntwo\nthree");
        jobs.program("list", "wc -l < \"$1\"; head -n 1 \"$1\"");
        Result list = run(jobs.merge("m2", "list", "{file_in_list}", inputs));
        assertThat(path(list.fileOutUrl())).content().startsWith("3\n").endsWith("/in/00000-x 1\n");
    }

    @Test
    void anExitCodeFailsAndWhatWasWrittenIsKept() throws IOException {
        jobs.program("bad", "echo partial; echo why >&2; exit 3");
        Result result = run(jobs.job("j4", "bad", ""));
        assertThat(result.status()).isEqualTo(Outcome.FAILED);
        assertThat(result.errorType()).isEqualTo(ErrorType.EXIT);
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(path(result.fileOutUrl())).hasContent("partial");
        assertThat(path(result.fileLogUrl())).content().contains("why").contains("weir: failed (exit code 3)");
    }

    @Test
    void successWithoutThePromisedOutputIsAFailure() {
        jobs.program("lazy", "exit 0");
        Result result = run(jobs.job("j5", "lazy", "{file_out}"));
        assertThat(result.errorType()).isEqualTo(ErrorType.EXIT);
        assertThat(result.errorMessage()).contains("{file_out}");
        assertThat(result.fileOutUrl()).isNull();
        assertThat(result.fileLogUrl()).isNotNull();
    }

    @Test
    void wrongSizeWrongChecksumAndUnknownStoragesAreStageIn() {
        jobs.program("cat", "cat \"$1\"");
        for (Job job : List.of(
                jobs.job("s1", "cat", "{file_in}", 60, 3L, null),
                jobs.job("s2", "cat", "{file_in}", 60, 300L, null),
                jobs.job("s3", "cat", "{file_in}", 60, null, "md5:" + "0".repeat(32)),
                jobs.job("s4", "cat", "{file_in}", 60, null, "no checksum"),
                jobs.merge("s5", "cat", "", List.of("file://" + jobs.data() + "/no/directory/none")),
                jobs.merge("s7", "cat", "", List.of(jobs.input("a", "a"), jobs.input("b", "b")), List.of(1L, 2L)),
                jobs.merge("s6", "cat", "", List.of("nothing://none")))) {
            Result result = run(job);
            assertThat(result.errorType()).as(job.uid()).isEqualTo(ErrorType.STAGE_IN);
            assertThat(result.status()).isEqualTo(Outcome.FAILED);
            assertThat(result.exitCode()).isNull();
            assertThat(path(result.fileLogUrl())).content().contains(result.errorMessage());
        }
        assertThat(ran).isFalse();
    }

    @Test
    void anInputThatIsNotInItsDirectoryIsMissing() {
        jobs.program("cat", "cat \"$1\"");
        jobs.job("m0", "cat", "{file_in}", 60, null, null);
        Result result = run(jobs.merge("m1", "cat", "", List.of("file://" + jobs.data() + "/none")));

        assertThat(result.errorType()).isEqualTo(ErrorType.MISSING);
        assertThat(result.errorMessage()).contains("there is no file");
    }

    @Test
    void rightSizeAndChecksumPass() throws IOException {
        jobs.program("cat", "cat \"$1\"");
        Job plain = jobs.job("s7", "cat", "{file_in}");
        Path in = path(plain.fileInUrl());
        for (String algorithm : List.of("sha256", "md5", "adler32")) {
            Job job = jobs.job(
                    "s7",
                    "cat",
                    "{file_in}",
                    60,
                    Files.size(in),
                    Checksum.of(in, algorithm).toString());
            assertThat(run(job).status()).isEqualTo(Outcome.FINISHED);
        }
    }

    @Test
    void aProgramThatIsMissingForbiddenOrNoProgramIsExecutable() throws IOException {
        Files.writeString(jobs.bin().resolve("garbage"), "#!/no/such/interpreter\n");
        assertThat(jobs.bin().resolve("garbage").toFile().setExecutable(true)).isTrue();
        jobs.program("fine", "");
        for (Job job : List.of(
                jobs.job("e1", "none", ""),
                jobs.job("e2", "/bin/sh", ""),
                jobs.job("e3", "garbage", ""),
                jobs.job("e4", "fine", "'unclosed"))) {
            assertThat(run(job).errorType()).as(job.uid()).isEqualTo(ErrorType.EXECUTABLE);
        }
    }

    @Test
    void aProgramThatDoesNotStartBecauseOfTheNodeIsStageIn() throws IOException {
        jobs.program("fine", "");
        Storage damaging = new Storage() {
            @Override
            public Set<String> schemes() {
                return Set.of("file");
            }

            @Override
            public void fetch(String url, Path target, long maxBytes) throws IOException {
                Files.writeString(target, "input");
                Files.delete(target.getParent().resolveSibling("out"));
            }

            @Override
            public void store(Path source, String url) {}
        };
        Result result = run(jobs.job("e5", "fine", ""), new Storages(List.of(damaging)));
        assertThat(result.errorType()).isEqualTo(ErrorType.STAGE_IN);
        assertThat(result.errorMessage()).startsWith("the program could not be started: ");
        assertThat(result.exitCode()).isNull();
        assertThat(ran).isFalse();
    }

    @Test
    void anUploadThatFailsIsStageOut() throws IOException {
        jobs.program("cat", "cat \"$1\"");
        Job job = jobs.job("o1", "cat", "{file_in}");
        Files.createDirectories(jobs.data().resolve("out"));
        Files.writeString(jobs.data().resolve("out/o1"), "a file where a directory must be");
        Result result = run(job);
        assertThat(result.errorType()).isEqualTo(ErrorType.STAGE_OUT);
        assertThat(result.status()).isEqualTo(Outcome.FAILED);
        assertThat(result.exitCode()).isZero();
        assertThat(result.fileOutUrl()).isNull();
    }

    @Test
    void theLogIsStoredAlsoWhenTheOutputCannotBe() throws IOException {
        jobs.program("cat", "cat \"$1\"");
        Job job = jobs.job("o2", "cat", "{file_in}");
        Files.createDirectories(jobs.data().resolve("out/o2/o2.0.1.pilot-1.out"));
        Result result = run(job);
        assertThat(result.errorType()).isEqualTo(ErrorType.STAGE_OUT);
        assertThat(path(result.fileLogUrl())).content().contains("weir: failed: ", result.errorMessage());
    }

    @Test
    void tooMuchIsTooMuchButTheLogStillEndsWell() throws IOException {
        jobs.program("chatty", "i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done >&2");
        Result result = run(jobs.job("l1", "chatty", ""));
        assertThat(result.fileLogSize()).isLessThan(4096 + 200);
        assertThat(path(result.fileLogUrl()))
                .content()
                .contains("bytes left out here")
                .contains("line 1999")
                .contains("weir: finished");
    }

    @Test
    void aTimeOutEndsTheWholeTreeHoweverItResists() {
        Result result = run(jobs.job("t1", stubborn(), word, 1, null, null));
        assertThat(result.status()).isEqualTo(Outcome.FAILED);
        assertThat(result.errorType()).isEqualTo(ErrorType.TIMEOUT);
        assertThat(result.fileOutUrl()).as("half an output").isNull();
        assertThat(result.fileLogUrl()).isNotNull();
    }

    @Test
    void aCancelEndsTheWholeTreeHoweverItResists() {
        Thread cancel = new Thread(() -> {
            await().until(() -> Processes.with(word).size() >= 4);
            stop.request(Cause.CANCEL, "the task is cancelled");
        });
        cancel.start();
        Result result = run(jobs.job("c1", stubborn(), word));
        assertThat(result.status()).isEqualTo(Outcome.CANCELLED);
        assertThat(result.errorMessage()).isEqualTo("the task is cancelled");
        assertThat(result.fileOutUrl()).isNull();
        assertThat(path(result.fileLogUrl())).content().contains("cancelled");
    }

    @Test
    void aKillAndAShutdownAreKilledBeforeAnythingRuns() {
        jobs.program("cat", "cat \"$1\"");
        stop.request(Cause.SHUTDOWN, "stopped");
        Result result = run(jobs.job("k1", "cat", "{file_in}"));
        assertThat(result.status()).isEqualTo(Outcome.KILLED);
        assertThat(result.errorType()).isEqualTo(ErrorType.KILLED);
        assertThat(result.exitCode()).isNull();
        assertThat(ran).isFalse();
    }

    @Test
    void aStopDuringTheUploadOfTheOutputStillUploadsTheLog() throws IOException {
        jobs.program("cat", "cat \"$1\"");
        Storages plain = Storages.standard(new StorageRoots(List.of(jobs.data())), new HttpHosts(List.of()));
        Storage hanging = new Storage() {
            @Override
            public Set<String> schemes() {
                return Set.of("file");
            }

            @Override
            public void fetch(String url, Path target, long maxBytes) throws IOException, InterruptedException {
                plain.fetch(url, target, maxBytes);
            }

            @Override
            public void store(Path source, String url) throws IOException, InterruptedException {
                if (url.endsWith(".out")) {
                    stop.request(Cause.SHUTDOWN, "the pilot was stopped");
                    new CountDownLatch(1).await();
                }
                plain.store(source, url);
            }
        };
        Result result = run(jobs.job("k4", "cat", "{file_in}"), new Storages(List.of(hanging)));
        assertThat(result.status()).isEqualTo(Outcome.KILLED);
        assertThat(result.errorMessage()).isEqualTo("the pilot was stopped");
        assertThat(result.fileOutUrl()).isNull();
        assertThat(path(result.fileLogUrl()))
                .content()
                .contains("weir: finished (exit code 0)")
                .contains("weir: killed: the pilot was stopped");
        assertThat(result.fileLogSize()).isEqualTo(Files.size(path(result.fileLogUrl())));
    }

    @Test
    void aKillByOthersIsNoFaultOfTheProgram() {
        // Whoever started the tests may ignore hangups and interrupts, and programs inherit that.
        jobs.program("suicide", "exec env --default-signal=HUP,INT sh -c 'echo half; kill -$0 $$' \"$1\"");
        for (int signal : new int[] {1, 2, 9, 15}) {
            Result result = run(jobs.job("k2", "suicide", String.valueOf(signal)));
            assertThat(result.status()).isEqualTo(Outcome.KILLED);
            assertThat(result.errorType()).isEqualTo(ErrorType.KILLED);
            assertThat(result.exitCode()).isEqualTo(128 + signal);
            assertThat(result.fileOutUrl()).as("half an output").isNull();
        }
        assertThat(run(jobs.job("k3", "suicide", "6")).errorType()).isEqualTo(ErrorType.EXIT);
    }

    @Test
    void aDaemonLeftBehindByAProgramIsEnded() throws IOException {
        jobs.program("sleeper", "sleep 300");
        jobs.program("daemon", "setsid " + jobs.bin() + "/sleeper " + word + " > /dev/null 2>&1 &\necho started");
        Result result = run(jobs.job("d1", "daemon", ""));
        assertThat(result.status()).isEqualTo(Outcome.FINISHED);
        assertThat(path(result.fileOutUrl())).hasContent("started");
    }

    @Test
    void thePilotsOwnSettingsAreHiddenFromPrograms() throws IOException {
        jobs.program("environment", "env | grep -c ^WEIR_AMQP; env | grep ^TMPDIR=");
        Result result = run(jobs.job("v1", "environment", ""));
        assertThat(path(result.fileOutUrl())).content().startsWith("0\nTMPDIR=" + jobs.work());
    }

    /** Starts children, one of them in a session of its own, that all ignore SIGTERM. */
    private String stubborn() {
        jobs.program("child", "trap '' TERM; while true; do sleep 0.1; done");
        return jobs.program(
                "stubborn",
                "trap '' TERM; echo half; " + jobs.bin() + "/child $1 & " + jobs.bin() + "/child $1 & setsid "
                        + jobs.bin() + "/child $1 & while true; do sleep 0.1; done");
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
        Attempt attempt = attempt(job, storages);
        Result result = attempt.run(jobs.work(), () -> ran.set(true));
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
