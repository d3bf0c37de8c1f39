package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.pilot.run.Program.End;
import dev.weir.pilot.run.Program.Ended;
import dev.weir.protocol.ErrorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {

    private static final AttemptFailure FULL = new AttemptFailure(ErrorType.DISK_FULL, "no room");

    @TempDir
    Path temp;

    private Path work;

    @BeforeEach
    void makeDirectory() throws IOException {
        work = Files.createDirectory(temp.resolve("work"));
    }

    @Test
    void aProgramThatFillsTheDiskIsEnded() throws IOException {
        String word = UUID.randomUUID().toString();
        Ended ended = run("sleep 300; : " + word, () -> FULL);
        assertThat(ended.end()).isEqualTo(End.FAILED);
        assertThat(ended.failure()).isSameAs(FULL);
        assertThat(Processes.with(word)).isEmpty();
    }

    @Test
    void aProgramThatEndsWellOnAFullDiskHasFailed() throws IOException {
        Ended ended = run("exit 0", () -> FULL);
        assertThat(ended.end()).isEqualTo(End.BY_ITSELF);
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.failure()).isSameAs(FULL);
    }

    /** Without its environment it does not show whose it is, as nothing does on a system without {@code /proc}. */
    @Test
    void aProgramThatNoThreadCanLookAfterIsEnded() throws IOException {
        String word = UUID.randomUUID().toString();
        InheritableThreadLocal<String> noThread = new InheritableThreadLocal<>() {
            @Override
            protected String childValue(String parentValue) {
                long giveUpAt = System.nanoTime() + Duration.ofSeconds(20).toNanos();
                while (Files.notExists(work.resolve("begun")) && System.nanoTime() < giveUpAt) {
                    Thread.onSpinWait();
                }
                throw new OutOfMemoryError("unable to create native thread");
            }
        };
        List<String> command = List.of("env", "-i", "/bin/sh", "-c", "echo > begun; sleep 60; : " + word);
        noThread.set("");
        try (BoundedLog log = new BoundedLog(temp.resolve("log"), 1024)) {
            assertThatThrownBy(() -> Program.start(command, work, Map.of(), null, 100, log, word))
                    .isInstanceOf(OutOfMemoryError.class);
        } finally {
            noThread.remove();
        }
        assertThat(Processes.with(word)).isEmpty();
    }

    private Ended run(String script, Program.Watch watch) throws IOException {
        try (BoundedLog log = new BoundedLog(temp.resolve("log"), 1024)) {
            String mark = UUID.randomUUID().toString();
            return Program.start(List.of("sh", "-c", script), work, Map.of(), temp.resolve("out"), 100, log, mark)
                    .await(Duration.ofMinutes(5), Duration.ofSeconds(5), new StopSignal(), watch, null);
        }
    }
}
