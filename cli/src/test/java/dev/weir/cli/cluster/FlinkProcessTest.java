package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FlinkProcessTest {

    @TempDir
    Path home;

    @Test
    void aProcessOutlivesCtrlCInAScriptAndAHangUpAndKeepsItsId() throws Exception {
        Path program = Files.write(
                Files.createDirectories(home.resolve("bin")).resolve("flink-process"),
                List.of("#!/bin/sh", "kill -INT $$; kill -HUP $$; echo $$ $1 $2"));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path logs = home.resolve("logs");

        Process process =
                FlinkProcess.start(new Home(home), "session-jobmanager", home.resolve("conf"), logs, Map.of("a", "b"));

        assertThat(process.waitFor()).isZero();
        assertThat(FlinkProcess.lastWords(logs)).isEqualTo(process.pid() + " session-jobmanager -Da=b");
    }
}
