package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Awaitility.setDefaultTimeout;

import dev.weir.pilot.run.Processes;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Result.Outcome;
import dev.weir.protocol.Status;
import dev.weir.testing.ScratchBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything here holds on the embedded broker and on RabbitMQ. */
class PilotTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path temp;

    private final List<Rig> rigs = new ArrayList<>();
    private final String word = UUID.randomUUID().toString();

    static List<ScratchBroker> brokers() {
        return ScratchBroker.createAll();
    }

    @BeforeEach
    void waitLongEnoughForABusyMachine() {
        setDefaultTimeout(SOON);
    }

    @AfterEach
    void closeAll() throws IOException {
        for (Rig rig : rigs) {
            rig.close();
        }
        assertThat(Processes.with(word)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aJobIsReportedStartingRunningAndFinishedAndItsOutputIsThere(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues().hearing();
        rig.jobs.program("upper", "tr a-z A-Z < \"$1\"");
        Job job = rig.jobs.job("j1", "upper", "{file_in}");
        rig.launch("p1", "cpu");
        rig.give("cpu", job);

        Result result = rig.result("j1");
        assertThat(result.status()).isEqualTo(Outcome.FINISHED);
        assertThat(result.pilotId()).isEqualTo("p1");
        assertThat(result.pool()).isEqualTo("cpu");
        assertThat(result.route()).isEqualTo(job.route());
        assertThat(Path.of(result.fileOutUrl().substring("file://".length()))).hasContent("INPUT OF J1");
        assertThat(aboutJobs(rig))
                .extracting(report -> report.getClass().getSimpleName())
                .containsExactly("Status", "Status", "Result");
        assertThat(rig.saw("j1", Status.Phase.STARTING)).isTrue();
        assertThat(rig.saw("j1", Status.Phase.RUNNING)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aBusyPilotHoldsNoOtherJobAndTakesThePreferredPoolFirst(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues().hearing();
        rig.jobs.program("wait", "while [ ! -e " + rig.jobs.data() + "/go ]; do sleep 0.05; done");
        for (int i = 0; i < 3; i++) {
            rig.give("cpu", rig.jobs.job("c" + i, "wait", ""));
        }
        rig.give("gpu", rig.jobs.job("g", "wait", ""));
        await().until(() -> rig.waiting("gpu") == 1 && rig.waiting("cpu") == 3);
        rig.launch("p1", "gpu", "cpu");
        await().until(() -> rig.saw("g", Status.Phase.RUNNING));
        assertThat(rig.waiting("cpu")).isEqualTo(3);
        await().until(() -> beats(rig).stream().anyMatch(beat -> "g".equals(beat.jobUid())));
        assertThat(beats(rig).stream().filter(beat -> "g".equals(beat.jobUid())))
                .allSatisfy(beat -> assertThat(beat.state()).isEqualTo(PilotState.BUSY));

        rig.jobs.input("go", "");
        for (String uid : List.of("g", "c0", "c1", "c2")) {
            assertThat(rig.result(uid).status()).isEqualTo(Outcome.FINISHED);
        }
        assertThat(rig.result("g").pool()).isEqualTo("gpu");
        assertThat(rig.result("c0").pool()).isEqualTo("cpu");
        assertThat(rig.reports.stream().filter(Result.class::isInstance)).hasSize(4);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void jobsThatArriveWhileItConsumesFromTwoPoolsAreRunOnceEach(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues().hearing();
        rig.jobs.program("quick", "echo done");
        rig.launch("p1", "gpu", "cpu");
        rig.launch("p2", "gpu", "cpu");
        await().until(() ->
                beats(rig).stream().map(Heartbeat::pilotId).distinct().count() == 2);
        for (int i = 0; i < 20; i++) {
            rig.give(i % 2 == 0 ? "cpu" : "gpu", rig.jobs.job("j" + i, "quick", ""));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(rig.result("j" + i).status()).isEqualTo(Outcome.FINISHED);
        }
        assertThat(rig.reports.stream().filter(Result.class::isInstance)).hasSize(20);
        await().until(() -> rig.waiting("cpu") == 0 && rig.waiting("gpu") == 0);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aJobThatComesTwiceNeverWritesTheSamePathTwice(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues().hearing();
        rig.jobs.program("quick", "echo done");
        Job job = rig.jobs.job("j1", "quick", "");
        rig.give("cpu", job);
        rig.give("cpu", job);
        rig.launch("p1", "cpu");
        await().until(() -> rig.results("j1").size() == 2);
        assertThat(rig.results("j1"))
                .extracting(Result::fileOutUrl)
                .doesNotHaveDuplicates()
                .allSatisfy(url ->
                        assertThat(Path.of(url.substring("file://".length()))).hasContent("done"));
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aMessageThatIsNoJobIsDroppedAndTheNextIsRun(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues().hearing();
        rig.jobs.program("quick", "echo done");
        for (String garbage : List.of("", "{", "[]", "null", "{\"uid\": 3}", "{\"uid\": \"../x\"}")) {
            rig.give("cpu", garbage.getBytes(StandardCharsets.UTF_8));
        }
        rig.give("cpu", rig.jobs.job("j1", "quick", ""));
        Pilot pilot = rig.pilot(rig.settings("p1", false, "cpu"));
        rig.launch(pilot);
        assertThat(rig.result("j1").status()).isEqualTo(Outcome.FINISHED);
        assertThat(pilot.summary().rejected()).isEqualTo(6);
        assertThat(rig.waiting("cpu")).isZero();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aNoticeStopsItsAttemptAndNoOther(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues().hearing();
        rig.give("cpu", rig.jobs.job("j1", stubborn(rig), word));
        rig.give("cpu", rig.jobs.job("j2", "stubborn", word));
        rig.launch("p1", "cpu");
        await().until(() -> Processes.with(word).size() >= 2);
        rig.tell("p1", new Notice(Notice.Kind.CANCEL, "j1", 2, "another attempt"));
        rig.tell("p1", new Notice(Notice.Kind.CANCEL, "j2", 1, "another job"));
        rig.tell("p2", new Notice(Notice.Kind.CANCEL, "j1", 1, "another pilot"));
        rig.tell("p1", new Notice(Notice.Kind.CANCEL, "j1", 1, "the task is cancelled"));
        Result first = rig.result("j1");
        assertThat(first.status()).isEqualTo(Outcome.CANCELLED);
        assertThat(first.errorMessage()).isEqualTo("the task is cancelled");
        await().until(() -> rig.saw("j2", Status.Phase.RUNNING));
        rig.tell("all", new Notice(Notice.Kind.KILL, "j2", 1, null));
        Result second = rig.result("j2");
        assertThat(second.status()).isEqualTo(Outcome.KILLED);
        assertThat(second.errorType()).isEqualTo(ErrorType.KILLED);
        assertThat(Processes.with(word)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aCutConnectionStopsNoJobAndItsResultArrivesAfterwards(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues().hearing();
        rig.jobs.program(
                "wait",
                "while [ ! -e " + rig.jobs.data() + "/go ]; do sleep 0.05; done; touch " + rig.jobs.data() + "/gone");
        Pilot pilot = rig.pilot(rig.settings("p1", false, "cpu"));
        rig.launch(pilot);
        rig.give("cpu", rig.jobs.job("j1", "wait", ""));
        await().until(() -> rig.saw("j1", Status.Phase.RUNNING));
        rig.proxy.cut();
        rig.jobs.input("go", "");
        await().until(() -> Files.exists(rig.jobs.data().resolve("gone")));
        await().until(() -> pilot.summary().finished() == 1);
        assertThat(rig.results("j1")).isEmpty();
        rig.proxy.join();
        assertThat(rig.result("j1").status()).isEqualTo(Outcome.FINISHED);
        // And it goes on working on the new connection.
        rig.give("cpu", rig.jobs.job("j2", "wait", ""));
        assertThat(rig.result("j2").status()).isEqualTo(Outcome.FINISHED);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aResultThatCouldNotBeToldSurvivesThePilotAndIsToldByTheNext(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues().hearing();
        rig.jobs.program("wait", "while [ ! -e " + rig.jobs.data() + "/go ]; do sleep 0.05; done");
        Pilot first = rig.pilot(rig.settings("p1", false, "cpu"));
        CompletableFuture<PilotSummary> run = rig.start(first);
        rig.give("cpu", rig.jobs.job("j1", "wait", ""));
        await().until(() -> rig.saw("j1", Status.Phase.RUNNING));
        rig.proxy.cut();
        rig.jobs.input("go", "");
        await().until(() -> first.summary().finished() == 1);
        first.close();
        assertThat(run.get(30, TimeUnit.SECONDS).unconfirmed()).isPositive();
        assertThat(rig.results("j1")).isEmpty();

        rig.proxy.join();
        rig.launch("p2", "cpu");
        Result result = rig.result("j1");
        assertThat(result.status()).isEqualTo(Outcome.FINISHED);
        assertThat(result.pilotId()).isEqualTo("p1");
        await().until(() -> !Files.exists(rig.jobs.work().resolve("p1")));
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void reportsThatNoQueueTakesAreKeptUntilOneDoes(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues();
        rig.jobs.program("quick", "echo done");
        rig.give("cpu", rig.jobs.job("j1", "quick", ""));
        Pilot pilot = rig.pilot(rig.settings("p1", false, "cpu"));
        rig.launch(pilot);
        await().until(() -> pilot.summary().finished() == 1);
        assertThat(pilot.summary().unconfirmed()).isEqualTo(3);
        rig.hearing();
        assertThat(rig.result("j1").status()).isEqualTo(Outcome.FINISHED);
        await().until(() -> pilot.summary().unconfirmed() == 0);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aStoppedPilotKillsItsJobTellsItAndLeavesNothing(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues().hearing();
        rig.give("cpu", rig.jobs.job("j1", stubborn(rig), word));
        rig.give("cpu", rig.jobs.job("j2", "stubborn", word));
        Pilot pilot = rig.pilot(rig.settings("p1", false, "cpu"));
        CompletableFuture<PilotSummary> run = rig.start(pilot);
        await().until(() -> Processes.with(word).size() >= 2);
        pilot.close();
        assertThat(Processes.with(word)).isEmpty();
        PilotSummary summary = run.get(30, TimeUnit.SECONDS);
        assertThat(summary.killed()).isEqualTo(1);
        assertThat(summary.unconfirmed()).isZero();
        assertThat(rig.result("j1").status()).isEqualTo(Outcome.KILLED);
        assertThat(rig.waiting("cpu")).isEqualTo(1);
        assertThat(rig.jobs.work()).isEmptyDirectory();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aDrainedPilotFinishesItsJobAndTakesNoOther(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues().hearing();
        rig.jobs.program("wait", "while [ ! -e " + rig.jobs.data() + "/go ]; do sleep 0.05; done");
        rig.give("cpu", rig.jobs.job("j1", "wait", ""));
        rig.give("cpu", rig.jobs.job("j2", "wait", ""));
        Pilot pilot = rig.pilot(rig.settings("p1", false, "cpu"));
        CompletableFuture<PilotSummary> run = rig.start(pilot);
        await().until(() -> rig.saw("j1", Status.Phase.RUNNING));
        pilot.drain("maintenance");
        await().until(() -> beats(rig).stream()
                .anyMatch(beat -> beat.state() == PilotState.DRAINING && "j1".equals(beat.jobUid())));
        rig.jobs.input("go", "");
        PilotSummary summary = run.get(30, TimeUnit.SECONDS);
        assertThat(summary.finished()).isEqualTo(1);
        assertThat(summary.reason()).isEqualTo("maintenance");
        assertThat(rig.result("j1").status()).isEqualTo(Outcome.FINISHED);
        assertThat(rig.waiting("cpu")).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aDrainFileDrainsAnIdlePilot(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues().hearing();
        CompletableFuture<PilotSummary> run = rig.start("p1", "cpu", "gpu");
        await().until(() -> !beats(rig).isEmpty());
        Files.createFile(rig.jobs.work().resolve("p1/drain"));
        assertThat(run.get(30, TimeUnit.SECONDS).jobs()).isZero();
        assertThat(beats(rig)).anySatisfy(beat -> assertThat(beat.state()).isEqualTo(PilotState.DRAINING));
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aPilotWaitsForQueuesThatWeirHasNotMadeYetOrMakesThem(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker);
        rig.jobs.program("quick", "echo done");
        CompletableFuture<PilotSummary> waiting = rig.start("p1", "cpu");
        Pilot declaring = rig.pilot(rig.settings("p2", true, "gpu"));
        rig.launch(declaring);
        await().until(() -> {
            try (var connection = broker.connect()) {
                connection
                        .createChannel()
                        .queueDeclarePassive(
                                Rig.broker(rig.settings("p", true, "gpu")).reportsQueue());
                return true;
            } catch (IOException e) {
                return false;
            }
        });
        rig.listening();
        await().until(() -> beats(rig).stream().anyMatch(beat -> beat.pilotId().equals("p2")));
        assertThat(waiting).isNotDone();
        rig.withQueues();
        await().until(() -> beats(rig).stream().anyMatch(beat -> beat.pilotId().equals("p1")));
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aRefusedPasswordEndsThePilotAtOnce(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker).withQueues();
        String url = Rig.broker(rig.settings("p1", false, "cpu")).url();
        Pilot pilot = rig.pilot(rig.settingsAt(url.replaceFirst("//.*@", "//nobody:wrong@"), Duration.ofMinutes(5)));
        assertThatThrownBy(pilot::run)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("refuses")
                .hasMessageNotContaining("wrong@");
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aVirtualHostThatStaysAwayIsNamed(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker);
        String url = Rig.broker(rig.settings("p1", false, "cpu")).url();
        String missing = url.replaceFirst("(//[^/]*).*", "$1/nowhere");
        Pilot pilot = rig.pilot(rig.settingsAt(missing, Duration.ofMillis(300)));
        assertThatThrownBy(pilot::run)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no connection")
                .hasMessageMatching("(?is).*virtual ?host.*|.*vhost.*not found.*");
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void twoPilotsOfOneNameCannotShareADirectory(ScratchBroker broker) throws Exception {
        Rig rig = rig(broker);
        rig.pilot(rig.settings("p1", false, "cpu"));
        assertThatThrownBy(() -> new Pilot(rig.settings("p1", false, "cpu"))).hasMessageContaining("another pilot");
    }

    private Rig rig(ScratchBroker broker) throws IOException {
        Rig rig = new Rig(broker, temp);
        rigs.add(rig);
        return rig;
    }

    private static List<Report> aboutJobs(Rig rig) {
        return rig.reports.stream()
                .filter(report -> !(report instanceof Heartbeat))
                .toList();
    }

    private static List<Heartbeat> beats(Rig rig) {
        return rig.reports.stream()
                .filter(Heartbeat.class::isInstance)
                .map(Heartbeat.class::cast)
                .toList();
    }

    private static String stubborn(Rig rig) {
        rig.jobs.program("child", "trap '' TERM; while true; do sleep 0.1; done");
        return rig.jobs.program(
                "stubborn", "trap '' TERM; " + rig.jobs.bin() + "/child $1 & while true; do sleep 0.1; done");
    }
}
