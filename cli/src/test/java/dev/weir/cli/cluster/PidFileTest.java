package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidFileTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private Process process;
    private PidFile file;

    @BeforeEach
    void start() throws Exception {
        process = new ProcessBuilder("sleep", "600").start();
        file = PidFile.in(directory.resolve("pids"), "taskmanager-1");
        file.write(process);
    }

    @AfterEach
    void kill() {
        process.destroyForcibly();
    }

    @Test
    void aProcessIsFoundAndEnded() throws Exception {
        assertThat(file.name()).isEqualTo("taskmanager-1");
        assertThat(file.living()).map(ProcessHandle::pid).contains(process.pid());

        assertThat(file.end(LIMIT)).isTrue();

        assertThat(process.isAlive()).isFalse();
        assertThat(file.file()).doesNotExist();
        assertThat(file.end(LIMIT)).isFalse();
    }

    @Test
    void aProcessWhoseFileCannotBeWrittenIsEnded() throws Exception {
        PidFile below = PidFile.in(file.file(), "taskmanager-2");

        assertThatThrownBy(() -> below.write(process)).isInstanceOf(IOException.class);

        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aProcessThatGotTheSameIdLaterIsLeftAlone() throws Exception {
        Files.write(file.file(), List.of(String.valueOf(process.pid()), "an earlier start"));

        assertThat(file.living()).isEmpty();
        assertThat(file.end(LIMIT)).isFalse();

        assertThat(process.isAlive()).isTrue();
        assertThat(file.file()).doesNotExist();
    }

    @Test
    void aProcessThatIgnoresTheRequestIsKilled() throws Exception {
        Process stubborn =
                new ProcessBuilder("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done").start();
        try {
            assertThat(stubborn.inputReader().readLine()).isEqualTo("ready");
            file.write(stubborn);

            assertThat(file.end(Duration.ofMillis(300))).isTrue();

            assertThat(stubborn.isAlive()).isFalse();
        } finally {
            stubborn.destroyForcibly();
        }
    }

    @Test
    void anIncompleteFileNamesNoProcess() throws Exception {
        Files.writeString(file.file(), process.pid() + "\n");

        assertThat(file.living()).isEmpty();
    }
}
