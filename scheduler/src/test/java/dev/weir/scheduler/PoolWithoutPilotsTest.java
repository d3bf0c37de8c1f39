package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A pool without pilots leaves the places of limited groups to pools with pilots. */
class PoolWithoutPilotsTest {

    private static final int PLACES = 4;
    private static final int FILES = 20;

    private Lab lab = Lab.withDefaults();

    private void limit() {
        lab.limit("site", PLACES, null, null);
    }

    private void gpuTask() {
        lab.dataset("g-in", FILES)
                .task(Lab.task("g", "g-in").gpu().groups("site").build());
    }

    private void cpuTask() {
        lab.dataset("c-in", FILES).task(Lab.task("c", "c-in").groups("site").build());
    }

    private void gpuPilot() {
        lab.idle("gpu-1", "gpu").settle();
    }

    private int finished() {
        int jobs = 0;
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.run("cpu-1", job);
            jobs++;
        }
        return jobs;
    }

    private String why(String task) {
        lab.pass(2_000);
        return lab.taskRows.get(task).why();
    }

    @Test
    void jobsWithoutPilotsKeepNoPlacesFromAPoolWithPilots() {
        limit();
        lab.idle("cpu-1");
        gpuTask();
        cpuTask();
        assertThat(lab.take("gpu")).isNull();
        assertThat(finished()).isEqualTo(FILES);
        assertThat(why("g")).isEqualTo("pilots");
        assertThat(lab.scheduler.metrics().why()).containsEntry("pilots", (long) FILES);
    }

    /** One of its jobs has failed, and is not tried again for an hour. */
    private void oneOfFourCoolsOffAndThePilotIsDrained() {
        lab = new Lab(SchedulerOptions.defaults()
                .withAttempts(AttemptOptions.defaults().withCoolOff(Duration.ofHours(1), 1, Duration.ofHours(1), 0))
                .withPool("cpu", PoolOptions.defaults().withWindow(1)));
        limit();
        lab.limit("other", 1, null, null).idle("cpu-1");
        lab.dataset("in", 4).task(Lab.task("t", "in").groups("other").retry(1).build());
        Job job = lab.take();
        lab.starting("cpu-1", job).pilot(Command.Type.PILOT_DRAIN, "cpu-1").failed("cpu-1", job);
    }

    @Test
    void filesThatNeverStartedWaitForPilotsThereThoughOneOfTheirTaskCoolsOff() {
        oneOfFourCoolsOffAndThePilotIsDrained();

        assertThat(why("t")).isEqualTo("pilots");
        assertThat(lab.scheduler.metrics().why()).containsEntry("pilots", 4L);
    }

    @Test
    void soTheyDoOnceTheGroupHasRoomThatTheyWaitedFor() {
        oneOfFourCoolsOffAndThePilotIsDrained();
        lab.limit("other", 0, null, null);
        assertThat(why("t")).isEqualTo("pilots");
        lab.limit("other", 1, null, null);
        assertThat(why("t")).isEqualTo("pilots");
    }

    @Test
    void aFailedJobThatIsToBeTriedAgainThereWaitsForAPilot() {
        limit();
        lab.idle("cpu-1");
        gpuPilot();
        lab.dataset("one", 1)
                .task(Lab.task("g", "one").gpu().groups("site").retry(3).build());
        Job job = lab.take("gpu");
        lab.starting("gpu-1", job).pilot(Command.Type.PILOT_DRAIN, "gpu-1").failed("gpu-1", job);
        lab.pass(5_000);
        assertThat(lab.take("gpu")).isNull();
        assertThat(why("g")).isEqualTo("pilots");
        lab.pool(Command.Type.POOL_DRAIN, "gpu");
        assertThat(why("g")).isEqualTo("pilots");
    }

    @Test
    void itsFirstPilotGetsWorkAtOnce() {
        limit();
        lab.idle("cpu-1");
        gpuTask();
        gpuPilot();
        for (int i = 0; i < PLACES; i++) {
            assertThat(lab.take("gpu")).isNotNull();
        }
        assertThat(why("g")).isEqualTo("group");
    }

    @Test
    void noPlaceIsKeptForAPoolWhoseLastPilotHasGone() {
        lab.limit("site", 1, null, null);
        lab.idle("cpu-1");
        gpuPilot();
        gpuTask();
        cpuTask();
        lab.pilot(Command.Type.PILOT_DRAIN, "gpu-1").settle();
        int jobs = 0;
        for (int i = 0; i < 10 * FILES && jobs < FILES; i++) {
            Job job = lab.take();
            if (job == null) {
                job = lab.take("gpu");
                assertThat(job).isNotNull();
                lab.run("gpu-1", job);
            } else {
                lab.run("cpu-1", job);
                jobs++;
            }
        }
        assertThat(jobs).isEqualTo(FILES);
        assertThat(lab.scheduler.metrics().pools().get("gpu").finished()).isEqualTo(1);
    }

    @Test
    void withoutLimitsItsQueueIsFilledForTheFirstPilot() {
        lab.idle("cpu-1");
        gpuTask();
        assertThat(lab.take("gpu")).isNotNull();
    }

    @Test
    void oneOfSeveralLanesDoesNotHearThePilotsOfOthersSoItFillsTheQueue() {
        Lab lane = new Lab(SchedulerOptions.defaults().withLanes(2));
        lane.limit("site", PLACES, null, null).idle("cpu-1");
        lane.dataset("g-in", FILES)
                .task(Lab.task("g", "g-in").gpu().groups("site").build());
        assertThat(lane.take("gpu")).isNotNull();
    }

    @Test
    void aLimitThatIsLiftedLetsItFillItsQueue() {
        limit();
        lab.idle("cpu-1");
        gpuTask();
        assertThat(lab.take("gpu")).isNull();
        lab.lift("site").settle();
        assertThat(lab.take("gpu")).isNotNull();
    }

    @Test
    void aMomentInWhichNoPoolHasPilotsGivesNoPlacesToAPoolThatNeverHasOne() {
        limit();
        gpuTask();
        cpuTask();
        lab.idle("cpu-1").pilot(Command.Type.PILOT_DRAIN, "cpu-1").settle();
        lab.pass(600_000);
        lab.pilot(Command.Type.PILOT_INCLUDE, "cpu-1").idle("cpu-1").settle();
        assertThat(lab.take("gpu")).isNull();
        assertThat(finished()).isEqualTo(FILES);
    }

    @Test
    void pilotsThatAreTooManyToBeRememberedGetWorkToo() {
        lab = new Lab(SchedulerOptions.defaults()
                .withPilots(
                        new PilotOptions(Duration.ofSeconds(15), Duration.ofSeconds(60), 2, Duration.ofMinutes(5), 1)));
        limit();
        lab.idle("cpu-1");
        gpuTask();
        assertThat(lab.take("gpu")).isNull();
        gpuPilot();
        assertThat(lab.take("gpu")).isNotNull();
    }

    @Test
    void itIsTheSameAfterARestart() {
        limit();
        lab.idle("cpu-1");
        gpuTask();
        cpuTask();
        HeapStore snapshot = lab.store.snapshot();
        lab.queues.clear();
        lab.restore(snapshot).settle();
        assertThat(lab.take("gpu")).isNull();
        gpuPilot();
        assertThat(lab.take("gpu")).isNull();
        lab.limit("site", 2 * FILES, null, null).settle();
        assertThat(lab.take("gpu")).isNotNull();
    }
}
