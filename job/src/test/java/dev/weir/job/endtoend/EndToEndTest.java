package dev.weir.job.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.job.options.AmqpOptions;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobCounts;
import dev.weir.protocol.Registration;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import dev.weir.testing.ScratchBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole graph with real and embedded broker and database; the other parties are fakes that follow the protocol page. */
class EndToEndTest {

    @TempDir
    Path directory;

    static Stream<ScratchBroker> brokers() {
        return ScratchBroker.createAll().stream();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void everyFileIsRunOnceAndTheDatasetClosesWithAllOfThem(ScratchBroker broker) throws Exception {
        FakeDsm dsm = new FakeDsm().with("a", 50).with("b", 30).with("empty", 0);
        try (Deployment weir =
                        new Deployment(broker, dsm, directory).startSchedule().startMirror();
                FakePilots pilots = new FakePilots(weir, "cpu", 3, Duration.ZERO, job -> true)) {
            weir.sendTask("ta", "a", ",\"rank\":4");
            weir.sendTask("tb", "b", "");
            weir.sendTask("te", "empty", "");
            awaitClosed(weir, "ta", "tb", "te");

            assertThat(pilots.run())
                    .extracting(Job::fileInUrl)
                    .doesNotHaveDuplicates()
                    .hasSize(80);
            assertThat(weir.registrations())
                    .filteredOn(Registration.File.class::isInstance)
                    .hasSize(80);
            assertThat(weir.registrations())
                    .filteredOn(Registration.Log.class::isInstance)
                    .hasSize(80);
            assertThat(closes(weir)).hasSize(3);
            assertThat(close(weir, "ta.out").checkList()).hasSize(100).doesNotHaveDuplicates();
            assertThat(weir.rejected()).isEmpty();
            Awaitility.await()
                    .atMost(Deployment.PATIENCE)
                    // The mirror job makes the tables.
                    .ignoreExceptionsInstanceOf(SQLException.class)
                    .untilAsserted(() -> assertThat(
                                    weir.database().rows("SELECT uid, state, jobs_finished FROM task_all ORDER BY uid"))
                            .containsExactly(
                                    List.of("ta", "closed", "50"),
                                    List.of("tb", "closed", "30"),
                                    List.of("te", "closed", "0")));
            Awaitility.await()
                    .atMost(Deployment.PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    weir.database().value("SELECT count(*) FROM job_all WHERE status = 'Finished'"))
                            .isEqualTo("80"));
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aFileThatAlwaysFailsIsTriedAgainAndThenFailsWhileTheOthersFinish(ScratchBroker broker) throws Exception {
        FakeDsm dsm = new FakeDsm().with("a", 10);
        try (Deployment weir = new Deployment(broker, dsm, directory).startSchedule();
                FakePilots pilots = new FakePilots(
                        weir, "cpu", 2, Duration.ZERO, job -> !job.fileInUrl().endsWith("00003.dat"))) {
            weir.sendTask("t", "a", ",\"retry\":2");
            awaitClosed(weir, "t");

            assertThat(pilots.run().stream()
                            .filter(job -> job.fileInUrl().endsWith("00003.dat"))
                            .map(Job::attempt))
                    .containsExactly(1, 2, 3);
            assertThat(last(weir, "t").counts().finished()).isEqualTo(9);
            assertThat(last(weir, "t").counts().failed()).isEqualTo(1);
            // Nine last logs, and all logs of the job that failed finally.
            assertThat(weir.registrations())
                    .filteredOn(Registration.Log.class::isInstance)
                    .hasSize(12);
            assertThat(weir.registrations())
                    .filteredOn(Registration.File.class::isInstance)
                    .hasSize(9);
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aHardStopInTheMiddleLosesNoFileAndClosesNothingTwice(ScratchBroker broker) throws Exception {
        int files = 400;
        FakeDsm dsm = new FakeDsm().with("a", files);
        try (Deployment weir = new Deployment(broker, dsm, directory).startSchedule();
                FakePilots pilots = new FakePilots(weir, "cpu", 4, Duration.ofMillis(5), job -> true)) {
            weir.sendTask("t", "a", "");
            for (int crash = 1; crash <= 3; crash++) {
                int ran = crash * files / 5;
                Awaitility.await()
                        .atMost(Deployment.PATIENCE)
                        .until(() -> pilots.run().size() >= ran && weir.hasCheckpoint());
                weir.crashAndRestore();
            }
            awaitClosed(weir, "t");

            Set<String> ran = pilots.run().stream().map(Job::fileInUrl).collect(Collectors.toSet());
            assertThat(ran).hasSize(files);
            assertThat(last(weir, "t").counts().finished()).isEqualTo(files);
            assertThat(closes(weir))
                    .extracting(Registration::id)
                    .containsOnly(close(weir, "t.out").id());
            assertThat(weir.registrations().stream()
                            .filter(Registration.File.class::isInstance)
                            .map(file -> ((Registration.File) file).jobUid())
                            .distinct())
                    .hasSize(files);
            assertThat(close(weir, "t.out").checkList()).hasSize(2 * files).doesNotHaveDuplicates();
            assertThat(weir.rejected()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void invalidInputIsRejectedWithItsReasonAndAffectsNothingElse(ScratchBroker broker) throws Exception {
        FakeDsm dsm = new FakeDsm()
                .with("a", 5)
                .with("garbage", 2)
                .withBroken("garbage", FakeDsm.body(200, "<html>no</html>"))
                .withBroken(
                        "nameless", FakeDsm.body(200, "{\"total\":1,\"data\":[{\"storage_url\":\"s\",\"path\":\"\"}]}"))
                .with("late", 3)
                .withBroken("late", FakeDsm.body(500, "not now"));
        try (Deployment weir = new Deployment(broker, dsm, directory).startSchedule();
                FakePilots pilots = new FakePilots(weir, "cpu", 1, Duration.ZERO, job -> true)) {
            weir.send(AmqpOptions.TASKS, "this is not JSON");
            weir.send(AmqpOptions.TASKS, "{\"uid\":\"x\"}");
            weir.send(
                    AmqpOptions.REPORTS,
                    "{\"type\":\"status\",\"pilot_id\":\"p\",\"pool\":\"moon\",\"job_uid\":\"j\","
                            + "\"attempt\":1,\"status\":\"running\",\"route\":\"0/0/nowhere\"}");
            weir.send(AmqpOptions.COMMANDS, "{\"id\":\"c\",\"type\":\"fly\"}");
            weir.sendTask("t-unknown", "unknown", "");
            weir.sendTask("t-garbage", "garbage", "");
            weir.sendTask("t-nameless", "nameless", "");
            weir.sendTask("t-late", "late", "");
            weir.sendTask("t-rank", "a", ",\"rank\":5000");
            weir.sendTask("t-good", "a", "");
            awaitClosed(weir, "t-good");
            dsm.repaired("late");
            awaitClosed(weir, "t-late");
            dsm.repaired("garbage");
            awaitClosed(weir, "t-garbage");

            Awaitility.await()
                    .atMost(Deployment.PATIENCE)
                    .untilAsserted(() -> assertThat(weir.rejected())
                            .extracting(rejected -> rejected.field() + "")
                            .contains("rank", "type"));
            for (String uid : List.of("t-unknown", "t-nameless")) {
                Awaitility.await()
                        .atMost(Deployment.PATIENCE)
                        .untilAsserted(
                                () -> assertThat(last(weir, uid).state()).isIn(TaskState.REJECTED, TaskState.FAILED));
                assertThat(last(weir, uid).reason()).isNotBlank();
            }
            assertThat(pilots.run()).hasSize(10);
            assertThat(weir.restarts()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void commandsActOnTheirTaskAndTheOthersContinue(ScratchBroker broker) throws Exception {
        FakeDsm dsm = new FakeDsm().with("a", 200).with("b", 60).with("c", 200).with("d", 300);
        try (Deployment weir = new Deployment(broker, dsm, directory).startSchedule();
                FakePilots pilots = new FakePilots(weir, "cpu", 2, Duration.ofMillis(10), job -> true)) {
            weir.sendTask("td", "d", "");
            weir.sendTask("ta", "a", "");
            weir.sendTask("tb", "b", "");
            weir.sendTask("tc", "c", "");
            Awaitility.await()
                    .atMost(Deployment.PATIENCE)
                    .until(() -> pilots.run().size() >= 20);
            weir.sendCommand("pause", "td", "");
            weir.sendCommand("cancel", "ta", "");
            weir.sendCommand("close", "tc", "");
            weir.sendCommand("rank", "tb", ",\"rank\":9");
            awaitClosed(weir, "ta", "tb", "tc");

            assertThat(pilots.run().stream().filter(job -> job.taskUid().equals("td")))
                    .hasSizeLessThan(300);
            assertThat(weir.events())
                    .anyMatch(event -> event.taskUid().equals("td") && event.state() == TaskState.PAUSED);
            assertThat(last(weir, "tb").counts().finished()).isEqualTo(60);
            for (String stopped : List.of("ta", "tc")) {
                JobCounts counts = last(weir, stopped).counts();
                assertThat(counts.finished() + counts.cancelled()).isEqualTo(200);
                assertThat(counts.cancelled()).isPositive();
                assertThat(close(weir, stopped + ".out").checkList())
                        .hasSizeGreaterThanOrEqualTo((int) counts.finished());
            }
            weir.sendCommand("resume", "td", "");
            awaitClosed(weir, "td");
            assertThat(last(weir, "td").counts().finished()).isEqualTo(300);
        }
    }

    private static void awaitClosed(Deployment weir, String... tasks) {
        Awaitility.await()
                .atMost(Deployment.PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> assertThat(weir.events().stream()
                                .filter(event -> event.state() == TaskState.CLOSED)
                                .map(TaskEvent::taskUid))
                        .contains(tasks));
    }

    private static TaskEvent last(Deployment weir, String task) throws IOException {
        List<TaskEvent> all = weir.events().stream()
                .filter(event -> event.taskUid().equals(task))
                .toList();
        assertThat(all).as("events of " + task).isNotEmpty();
        return all.stream()
                .filter(event -> event.state().isTerminal())
                .findFirst()
                .orElse(all.get(all.size() - 1));
    }

    private static List<Registration> closes(Deployment weir) throws IOException {
        return weir.registrations().stream()
                .filter(Registration.Close.class::isInstance)
                .toList();
    }

    private static Registration.Close close(Deployment weir, String dataset) throws IOException {
        return (Registration.Close) closes(weir).stream()
                .filter(close -> close.datasetUid().equals(dataset))
                .findFirst()
                .orElseThrow();
    }
}
