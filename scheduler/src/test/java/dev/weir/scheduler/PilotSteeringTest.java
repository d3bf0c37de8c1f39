package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.NodeInfo;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Result;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pilots that may take nothing: told so, obeying or not. */
class PilotSteeringTest {

    private Lab lab = Lab.withDefaults();

    private Job only(int retry) {
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(retry).build());
        return lab.take();
    }

    private List<Notice.Kind> told(String pilot) {
        List<Notice.Kind> kinds = lab.notices.stream()
                .filter(told -> told.pilotId().equals(pilot))
                .map(told -> told.notice().type())
                .toList();
        lab.notices.clear();
        return kinds;
    }

    private Lab killed(String pilot, Job job) {
        return lab.apply(new Event.ReportArrived(Lab.result(pilot, job, Result.Outcome.KILLED, ErrorType.KILLED)));
    }

    /** The next job of the queue, however long it takes to come. */
    private Job next() {
        for (Job job = lab.take(); ; job = lab.take()) {
            if (job != null) {
                return job;
            }
            lab.pass(100);
        }
    }

    @Test
    void anExcludedPilotGivesItsJobBackAndIsToldToTakeNoOther() {
        Job job = only(0);
        lab.starting("p", job).pilot(Command.Type.PILOT_EXCLUDE, "p");
        assertThat(told("p")).containsExactly(Notice.Kind.KILL, Notice.Kind.DRAIN);
        killed("p", job);
        job = next();
        lab.starting("p", job);
        assertThat(told("p")).containsExactly(Notice.Kind.DRAIN, Notice.Kind.KILL);
        killed("p", job);
        job = next();
        lab.starting("q", job).finished("q", job).settle();

        assertThat(told("q")).isEmpty();
        assertThat(lab.states("t")).last().isEqualTo("closed");
        assertThat(lab.taskRows.get("t").counts().systemRetries()).isZero();
    }

    @Test
    void aDrainedPilotKeepsItsJobAndIsToldToTakeNoOther() {
        Job job = only(0);
        lab.starting("p", job).pilot(Command.Type.PILOT_DRAIN, "p").running("p", job);
        assertThat(told("p")).containsExactly(Notice.Kind.DRAIN);
        lab.finished("p", job).settle();

        assertThat(lab.states("t")).last().isEqualTo("closed");
    }

    @ParameterizedTest
    @EnumSource(names = {"PILOT_EXCLUDE", "PILOT_DRAIN"})
    void anUnwantedPilotIsToldAgainAtEachHeartbeatForTheLengthOfALeaseUntilItIsIncluded(Command.Type type) {
        lab.idle("p");
        assertThat(told("p")).isEmpty();
        lab.pilot(type, "p").idle("p").idle("p");
        assertThat(lab.notices).hasSize(3).allSatisfy(told -> {
            assertThat(told.notice().type()).isEqualTo(Notice.Kind.DRAIN);
            assertThat(told.notice().leaseS()).isEqualTo(60);
            assertThat(told.notice().reason()).contains("pilot p is");
        });
        lab.notices.clear();
        lab.pilot(Command.Type.PILOT_INCLUDE, "p").idle("p");

        assertThat(told("p")).containsExactly(Notice.Kind.RESUME);
    }

    @Test
    void aPilotThatDoesNotObeyGetsAJobEverMoreSeldomAndLeavesNothingBehind() {
        Job job = only(0);
        lab.idle("old").pilot(Command.Type.PILOT_EXCLUDE, "old");
        long begin = lab.now;
        int kills = 0;
        for (; lab.now < begin + 3_600_000; job = next()) {
            lab.starting("old", job);
            killed("old", job);
            kills++;
        }
        // 1 s, 2 s, 4 s … 5 min, with jitter: not once a second.
        assertThat(kills).isBetween(15, 30);
        lab.pilot(Command.Type.PILOT_INCLUDE, "old").run("old", job);

        assertThat(lab.close("t-out").checkList())
                .containsExactlyInAnyOrder("f0.0." + (kills + 1) + ".out", "f0.0." + (kills + 1) + ".log");
    }

    @Test
    void aJobOfACancelledTaskStaysCancelledWhenAnyPilotReportsALaterAttempt() {
        Job job = only(9);
        lab.starting("p", job).pilot(Command.Type.PILOT_EXCLUDE, "q").command(Command.Type.CANCEL, "t");
        lab.notices.clear();
        lab.starting("q", Copies.attempt(job, 2));
        assertThat(told("q")).containsExactly(Notice.Kind.DRAIN, Notice.Kind.CANCEL);
        lab.starting("r", Copies.attempt(job, 3));

        assertThat(told("r")).containsExactly(Notice.Kind.CANCEL);
    }

    @Test
    void whatAStoppedAttemptMadeIsKeptWhenTheJobEndsWithIt() {
        Job job = only(0);
        lab.starting("p", job).pilot(Command.Type.PILOT_EXCLUDE, "p").command(Command.Type.CLOSE, "t");
        killed("p", job).settle();

        assertThat(lab.close("t-out").checkList()).containsExactly("f0.0.1.log");
    }

    @Test
    void aRetryByCommandBeginsWithTheShortestPauseAgain() {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job job = lab.take();
        lab.starting("q", lab.take()).pilot(Command.Type.PILOT_EXCLUDE, "p");
        for (int i = 0; i < 6; i++, job = next()) {
            lab.starting("p", job);
            killed("p", job);
        }
        lab.starting("r", job).failed("r", job).command(Command.Type.RETRY_FAILED, "t");
        job = next();
        lab.starting("p", job);
        killed("p", job);
        long before = lab.now;
        next();

        assertThat(lab.now - before).isBetween(700L, 1_400L);
    }

    @Test
    void anOlderExcludeThatComesLateDoesNotOverrideTheIncludeOfAPilotThatWasNotHeardSince() {
        long before = lab.now - 1;
        Job job = only(0);
        lab.pilot(Command.Type.PILOT_INCLUDE, "p").pilot(Command.Type.PILOT_EXCLUDE, "p", before);
        lab.starting("p", job);

        assertThat(told("p")).containsExactly(Notice.Kind.RESUME);
    }

    @Test
    void anExcludedPilotGivesBackAJobThatItHadBeforeARestore() {
        Job job = only(0);
        lab.idle("p").starting("p", job);
        lab.restore(lab.store);
        lab.notices.clear();
        lab.pilot(Command.Type.PILOT_EXCLUDE, "p");

        assertThat(told("p")).contains(Notice.Kind.KILL);
    }

    // ---- nodes

    private Lab idle(String pilot, String node) {
        return lab.apply(new Event.ReportArrived(new Heartbeat(
                pilot, "cpu", null, null, null, new NodeInfo(node, 1, 1L), PilotState.IDLE, null, null, null)));
    }

    private Lab withSetAside(int after) {
        PilotOptions pilots = PilotOptions.defaults().withSetAside(after, Duration.ofMinutes(5));
        lab = new Lab(SchedulerOptions.defaults().withPilots(pilots));
        return lab;
    }

    private void setAside(String pilot, int failures) {
        for (int i = 0; i < failures; i++) {
            Job job = next();
            lab.starting(pilot, job).failed(pilot, job, ErrorType.DISK_FULL);
        }
    }

    @Test
    void allPilotsOfANodeThatIsSetAsideAreToldAtOnceAndWhenItsTimeIsOver() {
        withSetAside(2).dataset("in", 9).task(Lab.task("t", "in").build());
        idle("a1", "a");
        idle("a2", "a");
        idle("b1", "b");
        setAside("a1", 2);
        assertThat(lab.notices).extracting(Outbox.Told::pilotId).containsExactlyInAnyOrder("a1", "a2");
        assertThat(told("a2")).containsExactly(Notice.Kind.DRAIN);
        for (int i = 0; i < 20; i++) {
            idle("a1", "a");
            idle("a2", "a");
            idle("b1", "b");
            lab.notices.clear();
            lab.pass(15_000);
        }

        assertThat(lab.notices)
                .filteredOn(told -> told.notice().type() == Notice.Kind.RESUME)
                .extracting(Outbox.Told::pilotId)
                .containsExactlyInAnyOrder("a1", "a2");
    }

    /** A node with pilots a1 and a2 was set aside, and is tried again with this job. */
    private Job probe() {
        withSetAside(2).dataset("in", 9).task(Lab.task("t", "in").build());
        idle("a1", "a");
        idle("a2", "a");
        idle("b1", "b");
        setAside("a1", 2);
        lab.now += 301_000;
        Job probe = next();
        lab.starting("a1", probe);
        lab.notices.clear();
        return probe;
    }

    @Test
    void aNodeOnProbationRunsOneJobAndItsOtherPilotsWaitUntilThatIsDone() {
        Job probe = probe();
        lab.alive("a1", probe);
        assertThat(told("a1")).isEmpty();
        idle("a2", "a");
        assertThat(told("a2")).containsExactly(Notice.Kind.DRAIN);
        Job second = next();
        lab.starting("a2", second);
        assertThat(told("a2")).containsExactly(Notice.Kind.DRAIN, Notice.Kind.KILL);
        killed("a2", second);
        lab.finished("a1", probe);
        assertThat(told("a2")).containsExactly(Notice.Kind.RESUME);
        Job third = next();
        lab.starting("a2", third);

        assertThat(told("a2")).isEmpty();
    }

    @Test
    void theOtherPilotsOfANodeOnProbationMayTakeJobsOnceTheProgramOfTheFirstRuns() {
        Job probe = probe();
        idle("a2", "a");
        lab.notices.clear();
        lab.running("a1", probe);
        assertThat(told("a2")).containsExactly(Notice.Kind.RESUME);
        for (String pilot : List.of("a2", "a3")) {
            lab.notices.clear();
            idle(pilot, "a");
            lab.starting(pilot, next());
            assertThat(told(pilot)).isEmpty();
        }
        lab.failed("a1", probe, ErrorType.DISK_FULL);

        assertThat(told("a2")).containsExactly(Notice.Kind.DRAIN);
    }

    @Test
    void aNodeThatFailsNowAndThenIsToldNothing() {
        withSetAside(3).dataset("in", 9).task(Lab.task("t", "in").build());
        idle("a1", "a");
        idle("b1", "b");
        setAside("a1", 2);
        lab.run("a1", next());

        assertThat(lab.notices).isEmpty();
    }
}
