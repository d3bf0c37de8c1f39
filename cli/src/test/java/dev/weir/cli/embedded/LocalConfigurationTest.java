package dev.weir.cli.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.job.FlinkDefaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalConfigurationTest {

    @TempDir
    Path directory;

    @Test
    void theDefaultsForFlinkAreTheSameAsOnACluster() throws IOException {
        Configuration local = LocalConfiguration.complete(new Configuration(), directory, 8081);

        assertThat(local.toMap())
                .containsAllEntriesOf(FlinkDefaults.under(new Configuration()).toMap());
        assertThat(local.get(ExecutionOptions.BUFFER_TIMEOUT)).isBetween(Duration.ZERO, Duration.ofMillis(2));
        assertThat(local.get(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void checkpointsAreInTheDirectoryWithAnyName() throws IOException {
        Path odd = directory.resolve("ä b%20#c");

        Configuration local = LocalConfiguration.complete(new Configuration(), odd, 8081);

        var checkpoints = new org.apache.flink.core.fs.Path(local.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY));
        assertThat(checkpoints.getPath()).isEqualTo(odd.resolve("checkpoints").toString());
        assertThat(checkpoints.getFileSystem().mkdirs(checkpoints)).isTrue();
        assertThat(odd.resolve("checkpoints")).isDirectory();
    }

    @Test
    void whatAKilledFlinkWasWorkingOnIsDeletedAndCheckpointsStay() throws IOException {
        Path working = Path.of(LocalConfiguration.complete(new Configuration(), directory, 8081)
                .get(CoreOptions.TMP_DIRS));
        Path left = Files.createDirectories(working.resolve("minicluster_1/tm_2/tmp/job_3_op_4_uuid_5"));
        Files.writeString(left.resolve("000007.sst"), "rows");
        Path checkpoint = Files.createDirectories(directory.resolve("checkpoints/schedule/chk-1"));

        LocalConfiguration.complete(new Configuration(), directory, 8081);

        assertThat(working).isEmptyDirectory();
        assertThat(checkpoint).exists();
    }

    @Test
    void aDirectoryForWorkingFilesThatTheUserChoseIsNotTouched() throws IOException {
        Configuration given = new Configuration();
        Path chosen = Files.createDirectories(directory.resolve("working"));
        Path file = Files.writeString(chosen.resolve("file"), "mine");
        given.set(CoreOptions.TMP_DIRS, chosen.toString());

        LocalConfiguration.complete(given, directory, 8081);

        assertThat(file).exists();
    }

    @Test
    void noServerOfFlinkIsReachableFromAnotherMachine() throws IOException {
        Configuration local = LocalConfiguration.complete(new Configuration(), directory, 8081);

        assertThat(local.get(RestOptions.BIND_ADDRESS)).isEqualTo("127.0.0.1");
        assertThat(local.get(JobManagerOptions.BIND_HOST)).isEqualTo("127.0.0.1");
        assertThat(local.get(TaskManagerOptions.BIND_HOST)).isEqualTo("127.0.0.1");
    }

    @Test
    void theUsersSettingsOverrideTheDefaults() throws IOException {
        Configuration given = new Configuration();
        given.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(9));
        given.set(TaskManagerOptions.NUM_TASK_SLOTS, 7);

        Configuration local = LocalConfiguration.complete(given, directory, 8081);

        assertThat(local.toMap()).containsAllEntriesOf(given.toMap());
    }
}
