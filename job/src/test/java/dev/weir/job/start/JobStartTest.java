package dev.weir.job.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.job.FlinkDefaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobStartTest {

    @TempDir
    Path directory;

    private Configuration settings;
    private Written schedule;
    private Written elsewhere;

    @BeforeEach
    void configure() {
        settings = FlinkDefaults.under(new Configuration());
        settings.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve("checkpoints").toUri().toString());
        schedule = new Written(directory.resolve("checkpoints/schedule"));
        elsewhere = new Written(directory.resolve("elsewhere"));
    }

    @Test
    void everyJobContinuesFromTheNewestOfItsOwnDirectory() throws IOException {
        schedule.complete("a/chk-1", 1000);
        var newest = schedule.complete("b/chk-2", 2000);

        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST).from()).contains(newest);
        assertThat(decide(WeirJob.MIRROR, StartFrom.NEWEST).from()).isEmpty();
    }

    @Test
    void theGraphForFlinkContainsTheNameTheDirectoryAndTheCheckpoint() throws IOException {
        var newest = schedule.complete("a/chk-1", 1000);

        JobStart start = decide(WeirJob.SCHEDULE, StartFrom.NEWEST);
        StreamGraph graph = start.environment().getStreamGraph();

        assertThat(graph.getJobName()).isEqualTo("weir schedule");
        assertThat(graph.getSavepointRestoreSettings().getRestorePath()).isEqualTo(newest.toString());
        assertThat(graph.getSavepointRestoreSettings().getRecoveryClaimMode()).isEqualTo(RecoveryClaimMode.CLAIM);
        assertThat(graph.getJobConfiguration().get(CheckpointingOptions.CHECKPOINTS_DIRECTORY))
                .isEqualTo(start.directory().toString())
                .endsWith("/checkpoints/schedule");
    }

    @Test
    void noOperatorKeepsAChosenJobInABufferForLongerThanTwoMilliseconds() throws IOException {
        StreamGraph graph =
                decide(WeirJob.SCHEDULE, StartFrom.NEWEST).environment().getStreamGraph();

        assertThat(graph.getStreamNodes())
                .isNotEmpty()
                .allMatch(node -> node.getBufferTimeout() >= 0 && node.getBufferTimeout() <= 2);
    }

    @Test
    void theGraphForFlinkContainsNoPassword() throws IOException {
        settings.setString("weir.amqp.uri", "amqp://weir:s3cret@localhost/x");
        settings.setString("weir.postgres.password", "s3cret");

        assertThat(decide(WeirJob.MIRROR, StartFrom.NEWEST)
                        .environment()
                        .getStreamGraph()
                        .getJobConfiguration()
                        .toMap()
                        .toString())
                .doesNotContain("s3cret");
    }

    @Test
    void aFreshStartIsEmptyAndRenamesTheEarlierDirectory() throws IOException {
        schedule.complete("a/chk-1", 1000);

        assertThat(decide(WeirJob.SCHEDULE, StartFrom.EMPTY).from()).isEmpty();

        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST).from()).isEmpty();
        try (var kept = Files.list(directory.resolve("checkpoints"))) {
            assertThat(kept)
                    .singleElement()
                    .satisfies(aside ->
                            assertThat(aside.resolve("a/chk-1/_metadata")).exists());
        }
    }

    @Test
    void aGivenSavepointIsUsedInsteadOfANewerCheckpointAndIsNotDeleted() throws IOException {
        schedule.complete("a/chk-1", 2000);
        var savepoint = elsewhere.complete("savepoint-x", 1, 1000);

        JobStart start = decide(WeirJob.SCHEDULE, from("schedule", savepoint));

        assertThat(start.from()).contains(savepoint);
        assertThat(start.environment()
                        .getStreamGraph()
                        .getSavepointRestoreSettings()
                        .getRecoveryClaimMode())
                .isEqualTo(RecoveryClaimMode.NO_CLAIM);
    }

    /** Flink's checkpoints after that would name the files of the savepoint as their own, and could not be read. */
    @Test
    void aSavepointIsNeverClaimedAlsoNotOneInTheJobsOwnDirectory() throws IOException {
        schedule.complete("a/chk-1", 1000);
        var savepoint = schedule.complete("savepoint-x", 2, 2000);

        JobStart start = decide(WeirJob.SCHEDULE, StartFrom.NEWEST);

        assertThat(start.from()).contains(savepoint);
        assertThat(start.settings().get(StateRecoveryOptions.RESTORE_MODE)).isEqualTo(RecoveryClaimMode.NO_CLAIM);
    }

    @Test
    void aSavepointThatAStartContinuedFromIsDeletedByAStartThatContinuesFromANewerCheckpoint() throws IOException {
        var used = schedule.complete("savepoint-used", 2, 2000);
        var unused = decide(WeirJob.SCHEDULE, StartFrom.NEWEST);
        var again = decide(WeirJob.SCHEDULE, StartFrom.NEWEST);
        assertThat(again.from()).contains(used);
        schedule.complete("savepoint-of-an-operator", 3, 3000);
        var newest = schedule.complete("b/chk-4", 4000);

        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST).from()).contains(newest);
        assertThat(directory.resolve("checkpoints/schedule/savepoint-used")).doesNotExist();
        assertThat(directory.resolve("checkpoints/schedule/savepoint-of-an-operator"))
                .exists();
    }

    /** It may be the only copy of the newest state, and the older one may have been named by mistake. */
    @Test
    void aUsedSavepointStaysWhenAStartNamesAnOlderCheckpointOrOneElsewhere() throws IOException {
        var older = schedule.complete("a/chk-1", 1000);
        schedule.complete("savepoint-used", 2, 2000);
        var unused = decide(WeirJob.SCHEDULE, StartFrom.NEWEST);

        assertThat(decide(WeirJob.SCHEDULE, from("schedule", older)).from()).contains(older);
        var since = schedule.complete("b/chk-3", 2500);
        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST).from()).contains(since);
        var moved = elsewhere.complete("savepoint-x", 9, 3000);
        assertThat(decide(WeirJob.SCHEDULE, from("schedule", moved)).from()).contains(moved);

        assertThat(directory.resolve("checkpoints/schedule/savepoint-used/_metadata"))
                .exists();
    }

    @Test
    void theSameCommandAfterACrashContinuesFromNewerCheckpointsInsteadOfTheSavepoint() throws IOException {
        schedule.complete("a/chk-1", 2000);
        var savepoint = elsewhere.complete("savepoint-x", 1, 1000);
        StartFrom command = from("schedule", savepoint);
        var unused = decide(WeirJob.SCHEDULE, command);

        assertThat(decide(WeirJob.SCHEDULE, command).from()).contains(savepoint);
        var since = schedule.complete("b/chk-2", 500);
        assertThat(decide(WeirJob.SCHEDULE, command).from()).contains(since);
    }

    @Test
    void checkpointsOlderThanAGivenSavepointAreNotUsedWhenTheCommandNoLongerNamesIt() throws IOException {
        schedule.complete("a/chk-1", 2000);
        var savepoint = elsewhere.complete("savepoint-x", 1, 1000);
        var unused = decide(WeirJob.SCHEDULE, from("schedule", savepoint));

        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST).from()).contains(savepoint);
    }

    @Test
    void aPathWithoutACheckpointIsRefused() {
        assertThatIOException()
                .isThrownBy(
                        () -> decide(WeirJob.MIRROR, new StartFrom(false, Map.of("mirror", "file:/nowhere"), false)))
                .withMessageContaining("file:/nowhere")
                .withMessageContaining("_metadata");
    }

    @Test
    void aDamagedCheckpointIsNotGoneBehindUnlessTheLossIsAccepted() throws IOException {
        var older = schedule.complete("a/chk-1", 1000);
        schedule.damaged("a/chk-2", 2000);

        assertThatIOException()
                .isThrownBy(() -> decide(WeirJob.SCHEDULE, StartFrom.NEWEST))
                .withMessageContaining("a/chk-2/_metadata")
                .withMessageContaining("The newest one that can be restored is " + older)
                .withMessageEndingWith("Restore that file; or tell the starter of schedule")
                .withMessageNotContainingAny("./weir", "--from", "--fresh");
        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST.withLossAccepted()).from())
                .contains(older);
    }

    @Test
    void aCheckpointWithoutAFileOfItsStateIsDamagedToo() throws Exception {
        var older = schedule.complete("a/chk-1", 1000);
        var newest = schedule.withState("a/chk-2", 2000);
        Path state = directory.resolve("checkpoints/schedule/shared/1.sst");
        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST).from()).contains(newest);

        long size = Files.size(state);
        Files.write(state, new byte[9]);
        assertThatIOException()
                .isThrownBy(() -> decide(WeirJob.SCHEDULE, StartFrom.NEWEST))
                .withMessageContaining("shared/1.sst has 9 of " + size + " bytes");
        Files.delete(state);
        assertThatIOException()
                .isThrownBy(() -> decide(WeirJob.SCHEDULE, StartFrom.NEWEST))
                .withMessageContaining("shared/1.sst is missing. The newest one that can be restored is " + older);
        assertThatIOException()
                .isThrownBy(() -> decide(WeirJob.SCHEDULE, from("schedule", newest)))
                .withMessageContaining("shared/1.sst is missing");
        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST.withLossAccepted()).from())
                .contains(older);
    }

    /** RocksDB would find it when it reads there, and the job would fail at it again and again. */
    @Test
    void aCheckpointOfWhichAByteHasChangedIsDamagedToo() throws Exception {
        var older = schedule.complete("a/chk-1", 1000);
        schedule.withState("a/chk-2", 2000);
        Path state = directory.resolve("checkpoints/schedule/shared/1.sst");
        byte[] content = Files.readAllBytes(state);
        content[content.length / 3] ^= 1;
        Files.write(state, content);

        assertThatIOException()
                .isThrownBy(() -> decide(WeirJob.SCHEDULE, StartFrom.NEWEST))
                .withMessageContaining("shared/1.sst is not as it was written")
                .withMessageContaining("The newest one that can be restored is " + older);
        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST.withLossAccepted()).from())
                .contains(older);
    }

    @Test
    void aLossIsAcceptedOnce() throws IOException {
        var older = schedule.complete("a/chk-11", 1000);
        schedule.damaged("a/chk-12", 2000);
        schedule.damaged("savepoint-x", 3000);
        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST.withLossAccepted()).from())
                .contains(older);

        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST).from()).contains(older);
        var since = schedule.complete("b/chk-12", 1500);
        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST).from()).contains(since);
        schedule.damaged("b/chk-13", 4000);
        assertThatIOException()
                .isThrownBy(() -> decide(WeirJob.SCHEDULE, StartFrom.NEWEST))
                .withMessageContaining("b/chk-13");
    }

    @Test
    void withoutAReadableCheckpointNoLossCanBeAccepted() throws IOException {
        schedule.damaged("a/chk-1", 1000);

        assertThatIOException()
                .isThrownBy(() -> decide(WeirJob.SCHEDULE, StartFrom.NEWEST.withLossAccepted()))
                .withMessageContaining("a/chk-1/_metadata")
                .withMessageContaining("No older one can be restored");
    }

    @Test
    void aClockThatWasSetBackSendsNoJobBack() throws IOException {
        var savepoint = elsewhere.complete("savepoint-x", 5, 5000);
        schedule.complete("a/chk-900", 4000);
        var unused = decide(WeirJob.SCHEDULE, from("schedule", savepoint));
        schedule.complete("b/chk-6", 6000);
        var newest = schedule.complete("b/chk-7", 1000);

        assertThat(decide(WeirJob.SCHEDULE, from("schedule", savepoint)).from()).contains(newest);
        assertThat(decide(WeirJob.SCHEDULE, StartFrom.NEWEST).from()).contains(newest);
    }

    @Test
    void aHistoryThatWasNotWrittenToItsEndIsRefused() throws IOException {
        schedule.complete("a/chk-1", 1000);
        Files.writeString(directory.resolve("checkpoints/schedule/begun-from"), "from file:/s\nnever file:/a/chk-");

        assertThatIOException()
                .isThrownBy(() -> decide(WeirJob.SCHEDULE, StartFrom.NEWEST))
                .withMessageContaining("--from schedule=PATH");
    }

    @Test
    void withoutACheckpointDirectoryNoJobStarts() {
        settings.removeConfig(CheckpointingOptions.CHECKPOINTS_DIRECTORY);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> decide(WeirJob.SCHEDULE, StartFrom.NEWEST))
                .withMessageContaining("execution.checkpointing.dir");
    }

    @Test
    void aSavepointInFlinksOwnOptionIsForTheJobThatStartsAloneOrForTheScheduleJob() throws IOException {
        var savepoint = elsewhere.complete("savepoint-x", 1, 1000);
        settings.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint.toString());
        StartFrom both = StartFrom.NEWEST.withFlinksOwn(settings, List.of(WeirJob.SCHEDULE, WeirJob.MIRROR));
        StartFrom alone = StartFrom.NEWEST.withFlinksOwn(settings, List.of(WeirJob.QUEUES));

        assertThat(decide(WeirJob.SCHEDULE, both).from()).contains(savepoint);
        assertThat(decide(WeirJob.MIRROR, both)
                        .environment()
                        .getStreamGraph()
                        .getSavepointRestoreSettings()
                        .restoreSavepoint())
                .isFalse();
        assertThat(decide(WeirJob.QUEUES, alone).from()).contains(savepoint);
        assertThat(alone.of(WeirJob.SCHEDULE)).isEmpty();
        Configuration blank = new Configuration().set(StateRecoveryOptions.SAVEPOINT_PATH, "");
        assertThat(StartFrom.NEWEST.withFlinksOwn(blank, List.of(WeirJob.QUEUES)))
                .isEqualTo(StartFrom.NEWEST);
        assertThat(StartFrom.EMPTY.withFlinksOwn(settings, List.of(WeirJob.SCHEDULE)))
                .isEqualTo(StartFrom.EMPTY);
    }

    @Test
    void thePlaceholderOfTheKubernetesOperatorForTheLastStateIsNoPath() throws IOException {
        var newest = schedule.complete("a/chk-7", 1000);
        settings.set(StateRecoveryOptions.SAVEPOINT_PATH, "KUBERNETES_OPERATOR_LAST_STATE");
        StartFrom from = StartFrom.NEWEST.withFlinksOwn(settings, List.of(WeirJob.SCHEDULE));

        assertThat(decide(WeirJob.SCHEDULE, from).from()).contains(newest);
    }

    @Test
    void aSavepointInTheClustersOwnConfigurationDoesNotReachTheMirrorJobThroughItsEnvironment() throws IOException {
        Configuration cluster = new Configuration();
        cluster.set(StateRecoveryOptions.SAVEPOINT_PATH, "file:/of/the/schedule/job");
        ClusterContext.enter(cluster);
        try {
            assertThat(decide(WeirJob.MIRROR, StartFrom.NEWEST)
                            .environment()
                            .getConfiguration()
                            .getOptional(StateRecoveryOptions.SAVEPOINT_PATH))
                    .isEmpty();
        } finally {
            ClusterContext.leave();
        }
    }

    private JobStart decide(WeirJob job, StartFrom from) throws IOException {
        return JobStart.decide(job, settings, from, name -> "tell the starter of " + name);
    }

    private static StartFrom from(String job, org.apache.flink.core.fs.Path path) {
        return new StartFrom(false, Map.of(job, path.toString()), false);
    }
}
