package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Why is it not running: one word and one sentence for each task that waits, and a count of its files. */
class WhyTest {

    private Lab lab = new Lab(
            SchedulerOptions.defaults().withPool("cpu", PoolOptions.defaults().withWindow(3)));

    /** What readers see a moment later. */
    private void assertWaits(String word, long files, String... parts) {
        lab.pass(1_000);
        assertThat(lab.taskRows.get("t").why()).isEqualTo(word);
        assertThat(lab.taskRows.get("t").whyText()).contains(parts);
        assertThat(lab.scheduler.metrics().why()).containsEntry(word, files);
        assertThat(lab.scheduler.metrics().why().values().stream()
                        .mapToLong(count -> count)
                        .sum())
                .isEqualTo(files);
        assertThat(lab.scheduler.metrics().whyTasks().get(word)).isPositive();
    }

    private void assertRuns() {
        lab.pass(1_000);
        assertThat(lab.taskRows.get("t").why()).isNull();
        assertThat(lab.scheduler.metrics().why().values()).containsOnly(0L);
        assertThat(lab.scheduler.metrics().whyTasks().values()).containsOnly(0L);
    }

    @Test
    void aTaskWithoutPilotsWaitsForThemAndOneWithPilotsForThem() {
        lab.dataset("in", 10).task(Lab.task("t", "in").build());
        assertWaits("pilots", 10, "pool cpu has no pilots", "3 jobs");
        lab.idle("p").starting("p", lab.take());
        assertWaits("window", 7, "the window of pool cpu is full: 3 of 3 jobs are out");
    }

    @Test
    void aTaskWhoseFilesAreAllOutWaitsForNothing() {
        lab.idle("p").dataset("in", 3).task(Lab.task("t", "in").build());

        assertRuns();
    }

    @Test
    void aTaskWhoseOnlyFilesFailedCoolsOff() {
        lab.dataset("in", 2).task(Lab.task("t", "in").retry(20).build());
        for (int i = 0; i < 8; i++) {
            Job job = lab.take();
            lab.starting("p", job).failed("p", job);
            while (lab.queues.get("cpu").size() < 2 && i < 7) {
                lab.pass(1_000);
            }
        }
        assertWaits("cooling", 1, "1 failed jobs");
    }

    @Test
    void aTaskInAFullGroupNamesItAndSaysWhenItOpens() {
        lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(9)));
        lab.idle("p").limit("g", 2, null, null);
        lab.dataset("in", 10).task(Lab.task("t", "in").groups("g").build());
        assertWaits("group", 8, "group g has 2 of 2 in flight");
        assertThat(lab.taskRows.get("t").whyText()).doesNotContain("next at");
        // Starts count from when the limit needs them.
        lab.limit("g", null, 3, 60);
        String opens = java.time.Instant.ofEpochMilli(lab.now + 60_000).toString();
        assertWaits("group", 5, "at most 3 starts in 60 s", "the next at " + opens);
        lab.limit("g", 9, null, null);

        assertWaits("window", 1, "9 jobs");
    }

    @Test
    void ofSeveralGroupsOneIsNamedThatIsStillFull() {
        lab.idle("p").limit("a", 0, null, null).limit("b", 0, null, null).limit("c", 0, null, null);
        lab.dataset("in", List.of(Lab.grouped("1", "a"), Lab.grouped("2", "b"), Lab.grouped("3", "c")))
                .task(Lab.task("t", "in").build());
        Set<String> named = new HashSet<>();
        for (int waiting = 3; waiting > 0; waiting--) {
            assertWaits("group", waiting, "in flight");
            String text = lab.taskRows.get("t").whyText();
            String group = text.substring("group ".length(), "group ".length() + 1);
            assertThat(named.add(group)).as("group %s is open by now", group).isTrue();
            lab.limit(group, 1, null, null);
        }

        assertThat(lab.jobs).hasSize(3);
        assertRuns();
    }

    @Test
    void aLimitThatIsGivenWhileNothingElseHappensIsShown() {
        lab.dataset("in", 10).task(Lab.task("t", "in").groups("g").build());
        for (int i = 0; i < 2; i++) {
            lab.starting("p", lab.take());
        }
        lab.pass(5_000);
        lab.limit("g", 0, null, null);
        lab.finished("p", lab.jobs.get(0));

        assertWaits("group", 7, "group g has 2 of 0 in flight");
    }

    @Test
    void aPausedTaskAPausedPoolAndAMissingSlotSaySo() {
        lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(1))
                .withPool("cpu", PoolOptions.defaults().withWindow(3)));
        lab.dataset("in", 10)
                .task(Lab.task("a", "in").build())
                .task(Lab.task("t", "in").build());
        lab.pass(1_000);
        assertThat(lab.taskRows.get("t").why()).isEqualTo("slot");
        assertThat(lab.taskRows.get("t").whyText()).isEqualTo("waits for a slot, at place 1 of 1");
        assertThat(lab.scheduler.metrics().why()).containsEntry("slot", 10L).containsEntry("pilots", 10L);
        lab.command(Command.Type.CANCEL, "a");
        lab.command(Command.Type.PAUSE, "t");
        assertWaits("paused", 10, "the task is paused");
        lab.command(Command.Type.RESUME, "t").pool(Command.Type.POOL_PAUSE, "cpu");
        assertWaits("pool", 10, "pool cpu is paused");
        lab.pool(Command.Type.POOL_DRAIN, "cpu");

        assertWaits("pool", 10, "pool cpu is draining");
    }

    /** Task {@code t} has a failed job, which cools off for a minute, and two files that have not begun; u's job takes the window. */
    private void failInAPoolThatIsDrainedThen() {
        Duration pause = Duration.ofMinutes(1);
        lab = new Lab(SchedulerOptions.defaults()
                .withAttempts(AttemptOptions.defaults().withCoolOff(pause, 1, pause, 0))
                .withPool("cpu", PoolOptions.defaults().withWindow(1)));
        lab.idle("p").dataset("in", 3).dataset("one", 1);
        lab.task(Lab.task("t", "in").groups("g").retry(3).build());
        Job job = lab.take();
        lab.starting("p", job).command(Command.Type.PAUSE, "t").failed("p", job);
        lab.task(Lab.task("u", "one").build());
        lab.pool(Command.Type.POOL_DRAIN, "cpu").command(Command.Type.RESUME, "t");
    }

    @Test
    void inADrainedPoolAFailedJobWaitsForWhatKeepsItFromBeingTriedAgain() {
        failInAPoolThatIsDrainedThen();
        assertWaits("cooling", 3, "1 failed jobs");
        lab.idle("p").pass(30_000).idle("p").pass(30_000);
        assertWaits("window", 3, "the window of pool cpu is full: 1 of 1 jobs are out");
        lab.limit("g", 0, null, null).run("p", lab.take());
        assertWaits("group", 3, "group g has 0 of 0 in flight");
        lab.pool(Command.Type.POOL_PAUSE, "cpu");
        assertWaits("pool", 3, "pool cpu is paused");
        lab.pool(Command.Type.POOL_DRAIN, "cpu");
        assertWaits("group", 3, "group g");
        lab.limit("g", 1, null, null);
        // Only what has not begun is left.
        assertWaits("pool", 2, "pool cpu is draining");
        lab.pool(Command.Type.POOL_RESUME, "cpu");

        assertWaits("window", 2, "the window of pool cpu is full: 1 of 1 jobs are out");
    }

    @Test
    void inADrainedPoolAJobThatCoolsOffWaitsForNoGroupThatOnlyFreshFilesAreIn() {
        lab = new Lab(SchedulerOptions.defaults()
                .withAttempts(AttemptOptions.defaults().withCoolOff(Duration.ofSeconds(9), 1, Duration.ofSeconds(9), 0))
                .withPool("cpu", PoolOptions.defaults().withWindow(3)));
        lab.idle("p").limit("a", 0, null, null).limit("b", 0, null, null);
        lab.dataset("in", List.of(Lab.grouped("1", "c"), Lab.grouped("2", "a"), Lab.grouped("3", "b")))
                .task(Lab.task("t", "in").retry(3).build());
        Job job = lab.take();
        lab.starting("p", job).failed("p", job);
        assertWaits("group", 3, "in flight");
        lab.pool(Command.Type.POOL_DRAIN, "cpu");
        assertWaits("cooling", 3, "1 failed jobs");
        lab.limit("c", 0, null, null).pass(9_000);

        assertWaits("group", 3, "group c has 0 of 0 in flight");
    }

    @Test
    void inADrainedPoolATaskWithoutASlotWaitsForThePoolUnlessOneOfItsJobsIsTriedAgain() {
        lab = new Lab(SchedulerOptions.defaults()
                .withAttempts(AttemptOptions.defaults().withCoolOff(Duration.ofSeconds(9), 1, Duration.ofSeconds(9), 0))
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(1))
                .withPool("cpu", PoolOptions.defaults().withWindow(1)));
        lab.idle("p").dataset("in", 3).task(Lab.task("t", "in").retry(3).build());
        Job job = lab.take();
        lab.starting("p", job).command(Command.Type.PAUSE, "t").failed("p", job);
        lab.task(Lab.task("u", "in").build()).command(Command.Type.RESUME, "t");
        lab.pass(1_000);
        assertThat(lab.taskRows.get("t").why()).isEqualTo("slot");
        lab.pool(Command.Type.POOL_DRAIN, "cpu").pass(1_000);
        assertThat(lab.taskRows.get("t").why()).isEqualTo("cooling");
        assertThat(lab.taskRows.get("u").why()).isEqualTo("pool");
        lab.run("q", lab.take()).pass(9_000);

        assertThat(lab.take().taskUid()).isEqualTo("t");
        assertThat(lab.taskRows.get("t").why()).isEqualTo("pool");
    }

    @Test
    void aTaskWhoseDatasetIsBeingAskedForDoesNotSeemToWaitForASlot() {
        lab.apply(new Event.TaskArrived(Lab.task("t", "slow").build()));
        lab.apply(new Event.TaskArrived(Lab.task("u", "slow").build()));
        lab.pass(1_000);

        assertThat(lab.pages).hasSize(2);
        assertThat(lab.taskRows.get("t").why()).isEqualTo("page");
        assertThat(lab.taskRows.get("u").why()).isEqualTo("page");
    }

    @Test
    void aTaskWithoutItsPageWaitsForDsm() {
        lab.dataset("in", 10).apply(new Event.TaskArrived(Lab.task("t", "in").build()));
        lab.apply(new Event.PageFailed("t", "in", 0, lab.pages.poll().limit(), false, "503 for now"));

        assertWaits("page", 0, "503 for now");
        assertThat(lab.scheduler.metrics().whyTasks()).containsEntry("page", 1L);
    }

    @Test
    void aTaskThatGetsASlotInTheEventInWhichAnotherTakesTheLastPlaceOfTheWindowWaitsForTheWindow() {
        lab = new Lab(SchedulerOptions.defaults()
                .withAttempts(AttemptOptions.defaults().withAutoCancelFrom(1))
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(2))
                .withPool("cpu", PoolOptions.defaults().withWindow(1)));
        lab.dataset("in", 5);
        lab.task(Lab.task("ends", "in").build())
                .task(Lab.task("next", "in").build())
                .task(Lab.task("t", "in").build());
        Job job = lab.take();
        lab.idle("p").starting("p", job).pass(5_000).failed("p", job).pass(1_000);

        assertThat(lab.take().taskUid()).isEqualTo("next");
        assertThat(lab.taskRows.get("t").why()).isEqualTo("window");
    }

    @Test
    void whatRunsAtPilotsThatAreDrainedDoesNotWaitForOne() {
        lab.dataset("in", 10).task(Lab.task("t", "in").build());
        lab.starting("p", lab.take()).starting("q", lab.take());
        lab.pilot(Command.Type.PILOT_DRAIN, "p").pilot(Command.Type.PILOT_DRAIN, "q");
        assertWaits("pilots", 8, "and 1 jobs wait for one");
        lab.starting("r", lab.take()).pilot(Command.Type.PILOT_DRAIN, "r");

        assertWaits("pilots", 7, "pool cpu has no pilots that take more");
    }

    @Test
    void aPoolWhosePilotsAreTooManyToBeKnownIsNotSaidToHaveNone() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPilots(
                        new PilotOptions(Duration.ofSeconds(15), Duration.ofSeconds(60), 2, Duration.ofMinutes(5), 1)));
        lab.idle("known").idle("unknown", "gpu");
        lab.dataset("in", 100).task(Lab.task("g", "in").gpu().build());
        lab.run("unknown", lab.take("gpu")).pass(2_000);

        assertThat(lab.taskRows.get("g").why()).isEqualTo("window");
    }

    @Test
    void aPausedTaskSaysWhoPausedItAndThatWhatWasSentStillStarts() {
        lab.idle("p").dataset("in", 10).task(Lab.task("t", "in").build());
        lab.starting("p", lab.take()).command(Command.Type.PAUSE, "t").restore(lab.store);
        assertWaits("paused", 7, "the task is paused by test; 2 jobs that were sent before can still start");
        lab.command(Command.Type.RESUME, "t");

        assertWaits("window", 7, "the window of pool cpu is full");
    }
}
