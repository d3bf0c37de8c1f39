package dev.weir.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.job.start.StartFrom;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainArgumentsTest {

    @TempDir
    Path directory;

    @Test
    void byDefaultEveryJobContinuesFromItsNewestCheckpoint() {
        assertThat(MainArguments.parse().from()).isEqualTo(StartFrom.NEWEST);
        assertThat(MainArguments.parse("--config", "a.yaml").file()).contains(Path.of("a.yaml"));
        assertThat(MainArguments.parse().file()).contains(Path.of(MainArguments.DEFAULT_FILE));
    }

    @Test
    void settingsMayBeGivenInsteadOfAFileOrOverIt() throws Exception {
        Path file = Files.writeString(directory.resolve("weir.yaml"), "weir.lanes: 3\nweir.dsm.concurrency: 4\n");

        MainArguments only = MainArguments.parse("--set", "weir.lanes=2", "--set", "weir.postgres.password=");
        MainArguments over = MainArguments.parse("--set", "weir.lanes=2", "--config", file.toString());

        assertThat(only.file()).isEmpty();
        assertThat(Main.configuration(only).toMap())
                .containsEntry("weir.lanes", "2")
                .containsEntry("weir.postgres.password", "");
        assertThat(Main.configuration(over).toMap())
                .containsEntry("weir.lanes", "2")
                .containsEntry("weir.dsm.concurrency", "4");
    }

    @Test
    void eachJobMayBeGivenASavepoint() {
        assertThat(MainArguments.parse("--from", "schedule=file:/s/1=2", "--config", "a", "--from", "mirror=file:/m")
                        .from()
                        .given())
                .isEqualTo(Map.of("schedule", "file:/s/1=2", "mirror", "file:/m"));
        assertThat(MainArguments.parse("--fresh").from()).isEqualTo(StartFrom.EMPTY);
        assertThat(MainArguments.parse("--accept-loss").from()).isEqualTo(StartFrom.NEWEST.withLossAccepted());
    }

    @ParameterizedTest
    @CsvSource({
        "--frsh, unknown argument '--frsh'",
        "--config, --config needs a value",
        "--from, --from needs a value",
        "--from schedule, needs JOB=PATH",
        "--from =/a, needs JOB=PATH",
        "--from schedule=, needs JOB=PATH",
        "--from moon=/a, 'the jobs are schedule, queues, mirror'",
        "--from mirror=/a --from mirror=/b, twice",
        "--fresh --from mirror=/a, use only one of them",
        "--fresh --accept-loss, use only one of them",
        "--fresh --restore, use only one of them",
        "--set weir.lanes, needs KEY=VALUE",
        "--set a=1 --set a=2, twice",
        "--job moon, 'the jobs are schedule, queues, mirror'"
    })
    void invalidArgumentsAreRefusedWithTheReason(String arguments, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MainArguments.parse(arguments.split(" ")))
                .withMessageContaining(reason);
    }

    @Test
    void theAdviceOnADamagedCheckpointNamesOnlyTheArgumentsOfMain() {
        assertThat(Main.waysOut("mirror"))
                .contains("--accept-loss", "--from mirror=PATH", "--fresh")
                .doesNotContain("./weir", "tables");
    }

    @Test
    void flinkOptionsInTheFileOverrideWeirsDefaults() throws Exception {
        Path file = Files.writeString(
                directory.resolve("weir.yaml"), "execution.checkpointing.interval: 7 s\nweir.lanes: 3\n");

        Map<String, String> all = Main.configuration(MainArguments.parse("--config", file.toString()))
                .toMap();

        assertThat(all).containsEntry("execution.checkpointing.interval", "7 s").containsEntry("weir.lanes", "3");
        assertThat(all).containsEntry("execution.buffer-timeout.interval", "0 ms");
    }
}
