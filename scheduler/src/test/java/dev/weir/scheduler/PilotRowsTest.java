package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.Device;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.NodeInfo;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.PilotState;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the dashboard shows of pilots. */
class PilotRowsTest {

    private final Lab lab = new Lab(
            SchedulerOptions.defaults().withPilots(PilotOptions.defaults().withSetAside(2, Duration.ofMinutes(5))));

    private PilotRow row() {
        return lab.pilotRows.get("p");
    }

    private void idle() {
        idle("p", "host-1");
    }

    private void idle(String pilot, String host) {
        lab.apply(new Event.ReportArrived(new Heartbeat(
                pilot,
                "cpu",
                List.of(),
                null,
                Device.CPU_GPU,
                new NodeInfo(host, 8, 16L << 30, 2),
                PilotState.IDLE,
                null,
                null,
                null)));
    }

    private Job job() {
        lab.dataset("in", 20).task(Lab.task("t", "in").retry(5).build());
        return lab.take();
    }

    @Test
    void aHeartbeatShowsWhereThePilotRunsAndWhatItIs() {
        idle();

        assertThat(row().pool()).isEqualTo("cpu");
        assertThat(row().host()).isEqualTo("host-1");
        assertThat(row().cores()).isEqualTo(8);
        assertThat(row().memory()).isEqualTo(16L << 30);
        assertThat(row().gpus()).isEqualTo(2);
        assertThat(row().device()).isEqualTo(Device.CPU_GPU);
        assertThat(row().state()).isEqualTo(PilotRow.State.IDLE);
        assertThat(row().lastSeenAt()).isEqualTo(Instant.ofEpochMilli(lab.now));
        assertThat(row().setAsideUntil()).isNull();
    }

    @Test
    void oneThatIsKnownByItsReportsOnlyIsShownAsTheyTell() {
        Job job = job();
        lab.starting("p", job);

        assertThat(row().state()).isEqualTo(PilotRow.State.BUSY);
        assertThat(row().jobUid()).isEqualTo(job.uid());
        lab.pass(10_000).finished("p", job);
        long endedAt = lab.now;
        lab.pass(40_000);
        assertThat(row().state()).as("it is heard of with its result as well").isNotEqualTo(PilotRow.State.LOST);
        lab.pass(120_000);
        assertThat(row().state()).isEqualTo(PilotRow.State.LOST);
        assertThat(row().jobUid()).isNull();
        assertThat(row().finished()).isEqualTo(1);
        assertThat(row().lastSeenAt()).isEqualTo(Instant.ofEpochMilli(endedAt));
    }

    @Test
    void oneThatIsNotHeardForALeaseIsLostUntilItIsHeardAgain() {
        idle();
        lab.pass(120_000);
        assertThat(row().state()).isEqualTo(PilotRow.State.LOST);
        idle();
        assertThat(row().state()).isEqualTo(PilotRow.State.IDLE);
        lab.pilot(Command.Type.PILOT_DRAIN, "p").pass(120_000);

        assertThat(row().state()).isEqualTo(PilotRow.State.LOST);
    }

    @Test
    void itCountsWhatItFinishedAndWhatFailedThere() {
        job();
        lab.finished("p", lab.jobs.get(0)).finished("p", lab.jobs.get(1)).failed("p", lab.jobs.get(2));
        idle();

        assertThat(row().finished()).isEqualTo(2);
        assertThat(row().failed()).isEqualTo(1);
    }

    @Test
    void itIsShownUntilWhenItsNodeIsSetAsideAndWhenThatIsOver() {
        idle();
        idle("q", "host-2");
        job();
        lab.failed("p", lab.jobs.get(0), ErrorType.DISK_FULL);
        lab.failed("p", lab.jobs.get(1), ErrorType.DISK_FULL);

        Instant over = Instant.ofEpochMilli(lab.now + 300_000);
        assertThat(row().setAsideUntil()).isEqualTo(over);
        for (int i = 0; i < 10; i++) {
            assertThat(row().setAsideUntil()).isEqualTo(over);
            lab.pass(30_000);
            idle();
            idle("q", "host-2");
        }
        assertThat(row().setAsideUntil()).isNull();
    }

    @Test
    void oneThatDrainedAndHadNoJobHasEndedWhenItIsHeardNoMore() {
        Job job = job();
        lab.starting("p", job);
        lab.apply(new Event.ReportArrived(draining(job)));
        lab.finished("p", job).pass(120_000);

        assertThat(row().state()).isEqualTo(PilotRow.State.ENDED);
        idle();
        assertThat(row().state()).isEqualTo(PilotRow.State.IDLE);
    }

    @Test
    void oneThatDrainedAndIsSilentAboutItsJobIsLost() {
        Job job = job();
        lab.starting("p", job);
        lab.apply(new Event.ReportArrived(draining(job)));
        lab.pass(120_000);

        assertThat(row().state()).isEqualTo(PilotRow.State.LOST);
    }

    private static Heartbeat draining(Job job) {
        return new Heartbeat(
                "p",
                "cpu",
                List.of(),
                Instant.EPOCH,
                Device.CPU,
                null,
                PilotState.DRAINING,
                job.uid(),
                job.attempt(),
                job.route());
    }

    @Test
    void theOrderOfAnOperatorIsShownAlsoOfOneThatWasNotHeard() {
        idle();
        lab.pilot(Command.Type.PILOT_EXCLUDE, "p");
        assertThat(row().keptOut()).isEqualTo(PilotRow.KeptOut.EXCLUDED);
        lab.pilot(Command.Type.PILOT_INCLUDE, "p");
        assertThat(row().keptOut()).isNull();

        lab.pilot(Command.Type.PILOT_DRAIN, "q");
        assertThat(lab.pilotRows.get("q").keptOut()).isEqualTo(PilotRow.KeptOut.DRAINED);
        assertThat(lab.pilotRows.get("q").state()).isNull();
        idle("q", "host-1");
        assertThat(lab.pilotRows.get("q").keptOut()).isEqualTo(PilotRow.KeptOut.DRAINED);
        assertThat(lab.pilotRows.get("q").state()).isEqualTo(PilotRow.State.IDLE);
        lab.pilot(Command.Type.PILOT_INCLUDE, "q");
        assertThat(lab.pilotRows.get("q").keptOut()).isNull();
    }
}
