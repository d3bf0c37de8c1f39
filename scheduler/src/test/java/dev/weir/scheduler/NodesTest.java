package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Result;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that keep failing, and pilots that are heard. */
class NodesTest {

    private Lab lab = new Lab(SchedulerOptions.defaults()
            .withPilots(PilotOptions.defaults().withSetAside(2, Duration.ofMinutes(5)))
            .withPool("cpu", PoolOptions.defaults().withWindow(9)));

    private void failTwice(String pilot, ErrorType error) {
        for (int i = 0; i < 2; i++) {
            Job job = lab.take();
            lab.starting(pilot, job).failed(pilot, job, error);
        }
    }

    private long pilots() {
        return lab.scheduler.metrics().pools().get("cpu").pilots();
    }

    @Test
    void neverAreMoreThanHalfOfAPoolsNodesSetAside() {
        lab.idle("a").idle("b").idle("c").idle("d");
        lab.dataset("in", 40).task(Lab.task("t", "in").build());
        failTwice("a", ErrorType.STAGE_IN);
        assertThat(pilots()).isEqualTo(3);
        failTwice("b", ErrorType.STAGE_IN);
        failTwice("c", ErrorType.STAGE_IN);
        failTwice("d", ErrorType.STAGE_IN);

        assertThat(pilots()).isEqualTo(2);
        assertThat(lab.notices).anySatisfy(told -> {
            assertThat(told.pilotId()).isEqualTo("a");
            assertThat(told.notice().reason()).isEqualTo("node a is set aside after 2 failures in a row");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jobsThatAPilotKillsAsItEndsSetItsNodeAsideOnlyIfItHasNotSaidThatItEnds(boolean says) {
        lab.idle("a").idle("b").idle("c");
        lab.dataset("in", 40).task(Lab.task("t", "in").build());
        for (int i = 0; i < 2; i++) {
            Job job = lab.take();
            lab.starting("a", job);
            if (says) {
                lab.apply(new Event.ReportArrived(new Heartbeat(
                        "a",
                        "cpu",
                        null,
                        null,
                        null,
                        null,
                        PilotState.DRAINING,
                        job.uid(),
                        job.attempt(),
                        job.route())));
            }
            lab.apply(new Event.ReportArrived(Lab.result("a", job, Result.Outcome.KILLED, ErrorType.KILLED)));
        }
        lab.idle("a");

        assertThat(pilots()).isEqualTo(says ? 3 : 2);
    }

    @Test
    void payloadFailuresSetNoNodeAside() {
        lab.idle("a").idle("b");
        lab.dataset("in", 40).task(Lab.task("t", "in").autoCancel(false).build());
        failTwice("a", ErrorType.EXIT);

        assertThat(pilots()).isEqualTo(2);
        assertThat(lab.notices).isEmpty();
    }

    @Test
    void aFinishedJobBetweenTwoFailuresBreaksTheRow() {
        lab.idle("a").idle("b");
        lab.dataset("in", 40).task(Lab.task("t", "in").build());
        for (int i = 0; i < 4; i++) {
            Job failed = lab.take();
            lab.starting("a", failed).failed("a", failed, ErrorType.DISK_FULL);
            lab.run("a", lab.take());
        }

        assertThat(pilots()).isEqualTo(2);
    }

    @Test
    void whoReportsAboutAJobThatIsOverLivesAllTheSame() {
        lab.dataset("in", 40).task(Lab.task("t", "in").build());
        Job job = lab.take();
        lab.run("p", job).alive("late", job);

        assertThat(pilots()).isEqualTo(2);
    }

    private Lab idle(String pilot, String... pools) {
        return lab.apply(new Event.ReportArrived(
                new Heartbeat(pilot, pools[0], List.of(pools), null, null, null, PilotState.IDLE, null, null, null)));
    }

    @Test
    void ofNoPoolThatANodeServesAreMoreThanHalfOfTheNodesSetAside() {
        idle("both", "cpu", "gpu").idle("a").idle("b").idle("c");
        lab.dataset("in", 40).task(Lab.task("t", "in").build());
        failTwice("both", ErrorType.STAGE_IN);
        assertThat(lab.notices).isEmpty();
        idle("g", "gpu");
        failTwice("both", ErrorType.STAGE_IN);

        assertThat(lab.notices).extracting(Outbox.Told::pilotId).containsOnly("both");
        assertThat(pilots()).isEqualTo(3);
        assertThat(lab.scheduler.metrics().pools().get("gpu").pilots()).isEqualTo(1);
    }

    @Test
    void aFirstPilotConcernsNoTaskThatWaitsForASlot() {
        lab = new Lab(lab.options.withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(2)));
        for (int i = 0; i < 60; i++) {
            lab.dataset("in" + i, 40).task(Lab.task("t" + i, "in" + i).build());
        }
        lab.pass(5_000);
        assertThat(lab.taskRows.get("t0").why()).isEqualTo("pilots");
        long before = lab.rowsOfTasks;
        lab.idle("a").pass(2_000);

        assertThat(lab.taskRows.get("t0").why()).isEqualTo("window");
        assertThat(lab.rowsOfTasks - before).isEqualTo(2);
    }

    @Test
    void aNodeWithoutLivePilotsDoesNotCountForTheHalf() {
        lab.idle("a").idle("b").idle("c").idle("d").pass(40_000);
        lab.idle("a").idle("b");
        lab.pass(40_000);
        lab.dataset("in", 40).task(Lab.task("t", "in").build());
        failTwice("a", ErrorType.STAGE_IN);
        failTwice("b", ErrorType.STAGE_IN);

        assertThat(pilots()).isEqualTo(1);
    }

    /** These are heard for longer than a lease, others are not. */
    private void onlyHeard(String... pilots) {
        for (int i = 0; i < 6; i++) {
            lab.pass(15_000);
            for (String pilot : pilots) {
                lab.idle(pilot);
            }
        }
    }

    private List<Notice.Kind> told(String pilot) {
        return lab.notices.stream()
                .filter(told -> told.pilotId().equals(pilot))
                .map(told -> told.notice().type())
                .toList();
    }

    @Test
    void aNodeThatIsLeftAloneIsTriedAgainBeforeItsTimeIsOver() {
        lab.idle("a").idle("b");
        lab.dataset("in", 40).task(Lab.task("t", "in").build());
        failTwice("a", ErrorType.STAGE_IN);
        assertThat(pilots()).isEqualTo(1);
        onlyHeard("a");
        assertThat(pilots()).isEqualTo(1);
        assertThat(told("a")).last().isEqualTo(Notice.Kind.RESUME);
        lab.notices.clear();
        // One job tries it. It fails too, and there is no other node: it goes on.
        failTwice("a", ErrorType.STAGE_IN);

        assertThat(pilots()).isEqualTo(1);
        assertThat(told("a")).doesNotContain(Notice.Kind.DRAIN, Notice.Kind.KILL);
    }

    @Test
    void theNodeThatWasSetAsideFirstIsTriedFirstWhenOthersGo() {
        lab.idle("a").idle("b").idle("c").idle("d");
        lab.dataset("in", 40).task(Lab.task("t", "in").build());
        failTwice("b", ErrorType.STAGE_IN);
        lab.now++;
        failTwice("a", ErrorType.STAGE_IN);
        lab.notices.clear();
        onlyHeard("a", "b", "c");

        assertThat(pilots()).isEqualTo(2);
        assertThat(told("b")).last().isEqualTo(Notice.Kind.RESUME);
        assertThat(told("a")).containsOnly(Notice.Kind.DRAIN);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNodeThatComesBackToAPoolThatHasNoOtherIsTriedAgainAtOnce(boolean afterARestore) {
        lab.idle("a").idle("b");
        lab.dataset("in", 40).task(Lab.task("t", "in").build());
        failTwice("a", ErrorType.STAGE_IN);
        onlyHeard();
        assertThat(pilots()).isZero();
        lab.notices.clear();
        if (afterARestore) {
            lab.restore(lab.store);
        }
        lab.idle("a");

        assertThat(told("a")).last().isEqualTo(Notice.Kind.RESUME);
        assertThat(pilots()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {100_000, 400_000})
    void aRestoreDoesNotKeepANodeSetAsideForLonger(long away) {
        lab = new Lab(lab.options.withPilots(PilotOptions.defaults()
                .withLease(Duration.ofMinutes(2), Duration.ofHours(1))
                .withSetAside(2, Duration.ofMinutes(5))));
        lab.idle("a").idle("b");
        lab.dataset("in", 40).task(Lab.task("t", "in").build());
        failTwice("a", ErrorType.STAGE_IN);
        assertThat(pilots()).isEqualTo(1);
        lab.notices.clear();
        lab.now += away;
        lab.restore(lab.store);
        lab.pass(Math.max(0, 300_000 - away));

        assertThat(pilots()).isEqualTo(2);
        assertThat(lab.notices).singleElement().satisfies(told -> {
            assertThat(told.pilotId()).isEqualTo("a");
            assertThat(told.notice().type()).isEqualTo(Notice.Kind.RESUME);
        });
    }
}
