package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.pilot.storage.HttpHosts;
import dev.weir.pilot.storage.StorageRoots;
import dev.weir.pilot.storage.Storages;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Result;
import dev.weir.protocol.Result.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are really full: file systems of 256 KiB, which only root can mount. */
class FullDiskTest {

    private static final int TOO_MUCH = 512 << 10;
    private static final int MIN_FREE = 64 << 10;

    @TempDir
    Path temp;

    private TestJobs jobs;
    private Path small;

    @BeforeEach
    void makeDirectories() throws IOException {
        jobs = new TestJobs(temp);
        jobs.program("much", "head -c " + TOO_MUCH + " /dev/zero");
        jobs.program("own", "head -c " + TOO_MUCH + " /dev/zero > \"$1\"");
        jobs.program("little", "echo done");
    }

    private void mount(Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=256k", "none", directory.toString()), "no right to mount");
        small = directory;
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (small != null) {
            assertThat(run("umount", small.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor() == 0;
    }

    @Test
    void anOutputThatTheStorageDoesNotTakeInFullIsNotFinishedAndLeavesNothingOfIt() throws Exception {
        Path storage = jobs.data().resolve("out");
        mount(storage);
        Result result = attempt(jobs.job("j1", "much", ""));
        assertThat(result.status()).isEqualTo(Outcome.FAILED);
        assertThat(result.errorType()).isEqualTo(ErrorType.STAGE_OUT);
        assertThat(result.errorMessage()).contains("No space left on device");
        assertThat(result.fileOutUrl()).isNull();
        try (Stream<Path> left = Files.walk(storage)) {
            assertThat(left.filter(Files::isRegularFile).map(Path::toString)).allMatch(name -> name.endsWith(".log"));
        }
    }

    @Test
    void anOutputThatTheWorkingDiskDoesNotTakeInFullIsNotFinished() throws Exception {
        mount(jobs.work());
        for (Job job : List.of(jobs.job("j1", "much", ""), jobs.job("j2", "own", "{file_out}"))) {
            Result result = attempt(job);
            assertThat(result.status()).isEqualTo(Outcome.FAILED);
            assertThat(result.errorType()).as(job.uid()).isEqualTo(ErrorType.DISK_FULL);
            assertThat(result.fileOutUrl()).as(job.uid()).isNull();
        }
        assertThat(attempt(jobs.job("j3", "little", "")).status()).isEqualTo(Outcome.FINISHED);
    }

    @Test
    void onAFullDiskAnItemIsNotFailedAndAResultIsWhole() throws Exception {
        mount(jobs.work());
        String fill = "head -c " + TOO_MUCH + " /dev/zero > " + small.resolve("fill") + "; echo whole";

        assertThat(item(fill, "").result()).asString(StandardCharsets.UTF_8).isEqualTo("whole\n");

        ItemRun.Outcome next = item("cat", "payload");
        assertThat(next.end()).isEqualTo(ItemRun.End.UNABLE);
        assertThat(next.error()).contains("No space left on device");
    }

    private ItemRun.Outcome item(String script, String payload) {
        ItemLimits limits = new ItemLimits(Duration.ofMinutes(1), 0, Duration.ofSeconds(1));
        return new ItemRun(List.of("sh", "-c", script), limits, new StopSignal())
                .run(jobs.work(), payload.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    private Result attempt(Job job) throws IOException {
        RunSettings usual = jobs.settings();
        RunSettings settings = new RunSettings(
                usual.executables(),
                usual.maxLogBytes(),
                usual.maxOutputBytes(),
                usual.maxInputBytes(),
                0,
                MIN_FREE,
                usual.transferTimeout(),
                usual.transferTries(),
                usual.transferPause(),
                usual.killGrace(),
                usual.stopUpload(),
                usual.slot());
        Storages storages = Storages.standard(new StorageRoots(List.of(jobs.data())), new HttpHosts(List.of()));
        Executables executables = new Executables(settings.executables());
        Attempt attempt =
                new Attempt(job, "p", "cpu", "p", executables, storages, settings, new StopSignal(), new Watchdog());
        Result result = attempt.run(jobs.work(), () -> {});
        attempt.clear(true);
        return result;
    }
}
