package dev.weir.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.embedded.DataDirectory;
import dev.weir.cli.embedded.LocalPorts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {

    @TempDir
    Path directory;

    @Test
    void everyTaskClosesEveryFileHasOneOutcomeAndNoProcessIsLeft() throws Exception {
        DemoSettings settings = new DemoSettings(directory, 5, 12, 3, Duration.ofMinutes(5), LocalPorts.ANY);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        DemoResult result;
        try (DataDirectory data = DataDirectory.open(directory);
                Demo demo = new Demo(settings, data, new PrintStream(said, true, UTF_8), false)) {
            result = demo.run();
        }

        assertThat(result.complaints()).isEmpty();
        assertThat(result.isGood()).isTrue();
        assertThat(result.summary().tasks()).isEqualTo(6);
        assertThat(result.summary().jobs()).isEqualTo(61);
        assertThat(result.summary().failed()).isPositive();
        assertThat(result.summary().retries()).isPositive();
        assertThat(said.toString(UTF_8)).contains("Flink:", "Database:", "checksum 12/12");
        assertThat(merged()).last().asString().startsWith("total ");
        assertThat(ProcessHandle.current().descendants().filter(this::isOfThisDemo))
                .isEmpty();
    }

    /** The counts of 12 files and their sum. */
    private List<String> merged() throws Exception {
        try (Stream<Path> files = Files.walk(directory.resolve("storage/merge"))) {
            Path output = files.filter(file -> file.toString().endsWith(".out"))
                    .findFirst()
                    .orElseThrow();
            List<String> lines = Files.readAllLines(output);
            assertThat(lines).hasSize(13);
            return lines;
        }
    }

    private boolean isOfThisDemo(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains(directory.toString());
    }
}
