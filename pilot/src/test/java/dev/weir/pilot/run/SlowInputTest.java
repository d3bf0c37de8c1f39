package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.pilot.run.StopSignal.Cause;
import dev.weir.pilot.storage.Storage;
import dev.weir.pilot.storage.Storages;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Result;
import dev.weir.protocol.Result.Outcome;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The input is on the working disk, and reading it there takes for ever. */
class SlowInputTest {

    private static final long SOON_S = 30;

    @TempDir
    Path temp;

    private final StopSignal stop = new StopSignal();
    private final CountDownLatch checking = new CountDownLatch(1);
    private final CompletableFuture<RandomAccessFile> pipe = new CompletableFuture<>();
    private TestJobs jobs;

    @BeforeEach
    void makeDirectories() throws IOException {
        jobs = new TestJobs(temp);
        jobs.program("cat", "cat \"$1\"");
    }

    @AfterEach
    void endTheInput() throws Exception {
        pipe.get(SOON_S, TimeUnit.SECONDS).close();
    }

    @Test
    void aStopEndsTheCheckOfAnInput() throws Exception {
        CompletableFuture<Result> result = start(jobs.settings());
        assertThat(checking.await(SOON_S, TimeUnit.SECONDS)).isTrue();

        stop.request(Cause.CANCEL, "the task is cancelled");

        assertThat(result.get(SOON_S, TimeUnit.SECONDS).status()).isEqualTo(Outcome.CANCELLED);
        assertThat(result.get().errorMessage()).isEqualTo("the task is cancelled");
        assertThat(jobs.work()).isEmptyDirectory();
    }

    @Test
    void theCheckOfAnInputHasTheTimeOutOfATransfer() throws Exception {
        RunSettings of = jobs.settings();
        RunSettings impatient = new RunSettings(
                of.executables(),
                of.maxLogBytes(),
                of.maxOutputBytes(),
                of.maxInputBytes(),
                of.maxMemoryBytes(),
                of.minFreeBytes(),
                Duration.ofSeconds(4),
                of.transferTries(),
                of.transferPause(),
                of.killGrace(),
                of.stopUpload(),
                of.slot());

        Result result = start(impatient).get(SOON_S, TimeUnit.SECONDS);

        assertThat(result.errorType()).isEqualTo(ErrorType.STAGE_IN);
        assertThat(result.errorMessage()).startsWith("checking the input was not done after 4 s: file://");
    }

    private CompletableFuture<Result> start(RunSettings settings) throws IOException {
        Job job = jobs.job("j1", "cat", "{file_in}", 60, null, "md5:" + "0".repeat(32));
        Watchdog watchdog = new Watchdog() {
            @Override
            public void begin(String name, Duration limit) {
                super.begin(name, limit);
                if (name.equals("the check of the input")) {
                    checking.countDown();
                }
            }
        };
        Executables executables = new Executables(settings.executables());
        Storages storages = new Storages(List.of(new Endless()));
        Attempt attempt = new Attempt(job, "p", "cpu", "p", executables, storages, settings, stop, watchdog);
        CompletableFuture<Result> result = new CompletableFuture<>();
        Runnable work = () -> {
            Result ended = attempt.run(jobs.work(), () -> {});
            attempt.clear(true);
            result.complete(ended);
        };
        Thread thread = new Thread(work, "test-attempt");
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** Every input is a pipe into which nothing is written, and which does not end. */
    private final class Endless implements Storage {

        @Override
        public Set<String> schemes() {
            return Set.of("file");
        }

        @Override
        public void fetch(String url, Path target, long maxBytes) throws IOException, InterruptedException {
            int exit = new ProcessBuilder("mkfifo", target.toString()).start().waitFor();
            assertThat(exit).isZero();
            pipe.complete(new RandomAccessFile(target.toFile(), "rw"));
        }

        @Override
        public void store(Path source, String url) {}
    }
}
