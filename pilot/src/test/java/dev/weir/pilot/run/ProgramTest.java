package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.pilot.run.Program.End;
import dev.weir.pilot.run.Program.Ended;
import dev.weir.protocol.ErrorType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {

    private static final AttemptFailure FULL = new AttemptFailure(ErrorType.DISK_FULL, "no room");

    @TempDir
    Path temp;

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

    private Ended run(String script, Program.Watch watch) throws IOException {
        try (BoundedLog log = new BoundedLog(temp.resolve("log"), 1024)) {
            String mark = UUID.randomUUID().toString();
            return Program.start(List.of("sh", "-c", script), temp, Map.of(), temp.resolve("out"), 100, log, mark)
                    .await(Duration.ofMinutes(5), Duration.ofSeconds(5), new StopSignal(), watch);
        }
    }
}
