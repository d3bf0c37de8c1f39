package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Result.Outcome;
import dev.weir.protocol.Status;
import dev.weir.testing.ScratchBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pilot that Weir has told to take no jobs, on the embedded broker and on RabbitMQ. */
class PilotDrainTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int LONG_S = 600;

    @TempDir
    Path temp;

    private Rig rig;

    static List<ScratchBroker> brokers() {
        return ScratchBroker.createAll();
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private PilotState lastState() {
        return rig.reports.stream()
                .filter(Heartbeat.class::isInstance)
                .map(report -> ((Heartbeat) report).state())
                .reduce((first, second) -> second)
                .orElse(null);
    }

    private void drain(int leaseS) throws IOException {
        rig.tell("p1", Notice.drain(leaseS, "the test wants it"));
        await().atMost(SOON).until(() -> lastState() == PilotState.DRAINING);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void itTakesNoJobUntilItIsResumed(ScratchBroker broker) throws Exception {
        rig = new Rig(broker, temp).withQueues().hearing();
        rig.jobs.program("quick", "echo done");
        rig.launch("p1", "cpu");
        await().atMost(SOON).until(() -> lastState() == PilotState.IDLE);
        drain(LONG_S);
        int heard = rig.reports.size();
        rig.give("cpu", rig.jobs.job("j1", "quick", ""));
        // Several heartbeats long it has had the time to take it.
        await().atMost(SOON).until(() -> rig.reports.size() >= heard + 4);
        assertThat(rig.saw("j1", Status.Phase.STARTING)).isFalse();
        assertThat(rig.waiting("cpu")).isEqualTo(1);
        assertThat(lastState()).isEqualTo(PilotState.DRAINING);
        rig.tell("p1", Notice.resume("the test is satisfied"));

        assertThat(rig.result("j1").status()).isEqualTo(Outcome.FINISHED);
        await().atMost(SOON).until(() -> lastState() == PilotState.IDLE);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void itWorksAgainWhenItHasNotBeenToldForTheTimeThatTheNoticeGave(ScratchBroker broker) throws Exception {
        rig = new Rig(broker, temp).withQueues().hearing();
        rig.jobs.program("quick", "echo done");
        rig.launch("p1", "cpu");
        await().atMost(SOON).until(() -> lastState() == PilotState.IDLE);
        drain(1);
        rig.give("cpu", rig.jobs.job("j1", "quick", ""));

        assertThat(rig.result("j1").status()).isEqualTo(Outcome.FINISHED);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void itEndsTheJobThatItHasAndTakesNoOther(ScratchBroker broker) throws Exception {
        rig = new Rig(broker, temp).withQueues().hearing();
        rig.jobs.program("wait", "while [ ! -e " + rig.jobs.data() + "/go ]; do sleep 0.05; done");
        rig.give("cpu", rig.jobs.job("j1", "wait", ""));
        rig.launch("p1", "cpu");
        await().atMost(SOON).until(() -> rig.saw("j1", Status.Phase.RUNNING));
        drain(LONG_S);
        rig.give("cpu", rig.jobs.job("j2", "wait", ""));
        rig.jobs.input("go", "");
        assertThat(rig.result("j1").status()).isEqualTo(Outcome.FINISHED);
        int heard = rig.reports.size();
        await().atMost(SOON).until(() -> rig.reports.size() >= heard + 4);

        assertThat(rig.waiting("cpu")).isEqualTo(1);
        assertThat(rig.saw("j2", Status.Phase.STARTING)).isFalse();
    }

    /** As while the broker has an alarm: it would run job after job, and all of them would be given to others again. */
    @ParameterizedTest
    @MethodSource("brokers")
    void itTakesNoJobWhileItCannotReportTheLastOne(ScratchBroker broker) throws Exception {
        rig = new Rig(broker, temp).withQueues();
        rig.jobs.program("quick", "echo done");
        rig.give("cpu", rig.jobs.job("j1", "quick", ""));
        rig.give("cpu", rig.jobs.job("j2", "quick", ""));
        PilotSettings usual = rig.settings("p1", false, "cpu");
        PilotSettings endsWhenIdle = new PilotSettings(
                usual.id(),
                usual.device(),
                usual.workDirectory(),
                usual.storageRoots(),
                usual.httpHosts(),
                usual.heartbeat(),
                Duration.ofMillis(500),
                0,
                Duration.ZERO,
                usual.uplink(),
                usual.run());

        PilotSummary summary = rig.start(rig.pilot(endsWhenIdle)).get(SOON.toSeconds(), TimeUnit.SECONDS);

        assertThat(summary.finished()).isEqualTo(1);
        assertThat(summary.unconfirmed()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aDrainFileIsHeededWhileAJobRuns(ScratchBroker broker) throws Exception {
        rig = new Rig(broker, temp).withQueues().hearing();
        rig.jobs.program("wait", "while [ ! -e " + rig.jobs.data() + "/go ]; do sleep 0.05; done");
        rig.give("cpu", rig.jobs.job("j1", "wait", ""));
        rig.launch("p1", "cpu");
        await().atMost(SOON).until(() -> rig.saw("j1", Status.Phase.RUNNING));
        Files.createFile(rig.jobs.work().resolve("p1/drain"));
        await().atMost(SOON).until(() -> lastState() == PilotState.DRAINING);
        rig.jobs.input("go", "");

        assertThat(rig.result("j1").status()).isEqualTo(Outcome.FINISHED);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void itCanStillBeEnded(ScratchBroker broker) throws Exception {
        rig = new Rig(broker, temp).withQueues().hearing();
        Pilot pilot = rig.pilot(rig.settings("p1", false, "cpu"));
        var run = rig.start(pilot);
        await().atMost(SOON).until(() -> lastState() == PilotState.IDLE);
        drain(LONG_S);
        pilot.drain("the test ends it");

        assertThat(run).succeedsWithin(SOON);
    }
}
