package dev.weir.cli.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cli.client.LogLines;
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

    /** The address is none, so the pilot ends at once with a reason. Returns what is logged of that. */
    private List<String> startPilotThatEnds() throws Exception {
        try (LogLines log = new LogLines(PilotProcesses.class);
                PilotProcesses pilots =
                        new PilotProcesses("no address", directory.resolve("work"), directory, List.of(), List.of())) {
            pilots.start("p", List.of("cpu"), "CPU");
            await().atMost(BOUND).until(() -> !log.seen().isEmpty());
            assertThat(pilots.alive()).isZero();
            return log.seen();
        }
    }

    @Test
    void aPilotThatEndsByItselfIsNamedWithTheLogThatSaysWhy() throws Exception {
        assertThat(startPilotThatEnds())
                .singleElement()
                .asString()
                .startsWith("pilot p has ended with code ")
                .contains(directory.resolve("pilot-p.log") + " says why");
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
