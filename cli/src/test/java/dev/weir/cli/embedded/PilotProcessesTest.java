package dev.weir.cli.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PilotProcessesTest {

    private static final Duration BOUND = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    /** The address is none, so the pilot ends at once with a reason. */
    private void startPilotThatEnds() throws Exception {
        try (PilotProcesses pilots =
                new PilotProcesses("no address", directory.resolve("work"), directory, List.of(), List.of())) {
            pilots.start("p", List.of("cpu"), "CPU");
            await().atMost(BOUND).until(() -> pilots.alive() == 0);
        }
    }

    @Test
    void theLogOfAnEarlierStartStays() throws Exception {
        Path log = directory.resolve("pilot-p.log");
        Files.writeString(log, "of the first start\n");

        startPilotThatEnds();

        assertThat(Files.readString(log)).startsWith("of the first start\n").contains("amqp://");
    }

    @Test
    void aLargeLogIsSetAside() throws Exception {
        Path log = directory.resolve("pilot-p.log");
        Files.write(log, new byte[21 << 20]);

        startPilotThatEnds();

        assertThat(directory.resolve("pilot-p.log.1")).hasSize(21 << 20);
        assertThat(Files.size(log)).isLessThan(1 << 20);
    }
}
