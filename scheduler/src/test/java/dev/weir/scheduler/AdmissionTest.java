package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionTest {

    private static Lab lab(int active) {
        return new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(2))
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(active)));
    }

    private static List<String> activations(Lab lab) {
        return lab.events.stream()
                .filter(event -> event.state() == TaskState.ACTIVE)
                .map(dev.weir.protocol.TaskEvent::taskUid)
                .toList();
    }

    @Test
    void noMoreTasksAreInterleavedThanAllowedAndTheRestSayThatTheyWaitForASlot() {
        Lab lab = lab(2);
        for (int i = 0; i < 5; i++) {
            lab.dataset("in" + i, 10).task(Lab.task("t" + i, "in" + i).build());
        }
        assertThat(lab.scheduler.metrics().activeTasks()).isEqualTo(2);
        assertThat(lab.taskRows.get("t4").why()).isEqualTo("slot");
        assertThat(lab.taskRows.get("t4").whyText()).contains("place 3 of 3");
        lab.runAll("p");

        assertThat(activations(lab)).containsExactly("t0", "t1", "t2", "t3", "t4");
        assertThat(lab.scheduler.metrics().openTasks()).isZero();
    }

    @Test
    void aTaskGoesToThePoolThatItNamesAndElseToThatOfItsDevice() {
        Lab lab = new Lab(SchedulerOptions.defaults().withPool("big", PoolOptions.defaults()));
        lab.dataset("in", 1)
                .task(Lab.task("named", "in").pool("big").build())
                .task(Lab.task("cpu", "in").build())
                .task(Lab.task("gpu", "in").gpu().build())
                .task(Lab.task("both", "in").gpu().pool("big").build());

        assertThat(lab.poolOf.values()).containsExactlyInAnyOrder("big", "cpu", "gpu", "big");
        assertThat(lab.taskRows.get("both").pool()).isEqualTo("big");
        lab.run("p", lab.take("big")).run("p", lab.take("big"));
        assertThat(lab.states("named")).last().isEqualTo("closed");
        assertThat(lab.states("both")).last().isEqualTo("closed");
    }

    @Test
    void anUnknownPoolIsRefusedAndTheKnownPoolsAreNamed() {
        Lab lab = lab(1);
        lab.task(Lab.task("t", "in").pool("big").build());

        assertThat(lab.rejected).containsExactly("pool: there is no pool 'big'; there are cpu, gpu");
    }

    @Test
    void thoseThatWaitGoByRankAndThenByArrival() {
        Lab lab = lab(1);
        double[] ranks = {1, 2, 5, 2, 9};
        for (int i = 0; i < ranks.length; i++) {
            lab.dataset("in" + i, 4)
                    .task(Lab.task("t" + i, "in" + i).rank(ranks[i]).build());
        }
        lab.runAll("p");

        assertThat(activations(lab)).containsExactly("t0", "t4", "t2", "t1", "t3");
    }

    @Test
    void whoWaitsLongEnoughGoesBeforeANewcomerOfHigherRank() {
        Lab lab = lab(1);
        lab.dataset("in", 4).task(Lab.task("first", "in").build());
        lab.dataset("in", 4).task(Lab.task("old", "in").rank(1).build());
        lab.pass(4 * 600_000L + 1);
        lab.dataset("in", 4).task(Lab.task("new", "in").rank(5).build());
        lab.dataset("in", 4).task(Lab.task("newer", "in").rank(6).build());
        lab.runAll("p");

        assertThat(activations(lab)).containsExactly("first", "newer", "old", "new");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theRankOfATaskThatWaitsIsShownToGrowAndItsPlaceToChange(boolean restart) {
        Lab lab = lab(1);
        lab.dataset("in", 4).task(Lab.task("first", "in").build());
        lab.dataset("in", 4).task(Lab.task("next", "in").rank(3).build());
        lab.dataset("in", 4).task(Lab.task("old", "in").rank(1).build());
        assertThat(lab.taskRows.get("old").rank()).isEqualTo(1);
        if (restart) {
            lab.restore(lab.store);
        }
        lab.pass(20 * 60_000L);
        assertThat(lab.taskRows.get("old").rank()).isEqualTo(3);
        assertThat(lab.taskRows.get("old").baseRank()).isEqualTo(1);
        assertThat(lab.taskRows.get("old").weight()).isEqualTo(1);
        assertThat(lab.taskRows.get("old").whyText()).contains("place 2 of 2");
        lab.command(Command.Type.CANCEL, "next").settle().pass(10 * 60_000L);
        assertThat(lab.taskRows.get("old").whyText()).contains("place 1 of 1");
        assertThat(lab.taskRows.get("old").rank()).isEqualTo(4);
        lab.runAll("p");

        // The gain counts only for its slot: among the tasks of the pool it has the rank that WFMS gave.
        assertThat(lab.jobs.get(lab.jobs.size() - 1).rank()).isLessThan(3);
    }

    @Test
    void aTaskFromAClockThatWasAheadWaitsNoLongerThanATaskThatComesAtTheRestart() {
        Lab lab = lab(1);
        lab.dataset("in", 4).task(Lab.task("first", "in").build());
        long right = lab.now;
        lab.now += Duration.ofDays(1).toMillis();
        lab.task(Lab.task("early", "in").rank(5).build());
        lab.now = right;
        lab.restore(lab.store).pass(20 * 60_000L);
        assertThat(lab.taskRows.get("early").rank()).isEqualTo(7);
        lab.task(Lab.task("lower", "in").rank(6).build())
                .task(Lab.task("higher", "in").rank(8).build());
        lab.runAll("p");

        assertThat(activations(lab)).containsExactly("first", "higher", "early", "lower");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theRankOfATaskWhoseFirstPageIsBeingAskedForIsShownAsItWasGiven(boolean restart) {
        Lab lab = lab(1);
        lab.apply(new Event.TaskArrived(Lab.task("t", "slow").rank(5).build()));
        if (restart) {
            lab.restore(lab.store);
        }
        lab.rank("t", 6).pass(1_500);

        assertThat(lab.taskRows.get("t").why()).isEqualTo("page");
        assertThat(lab.taskRows.get("t").rank()).isEqualTo(6);
    }

    @Test
    void noMoreThanAHundredWaitingTasksAreShownAgainInASecond() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults()
                        .withMaxActiveTasks(1)
                        .withReadAhead(0)
                        .withWaitPerRank(Duration.ofMillis(100))));
        for (int i = 0; i < 201; i++) {
            lab.apply(new Event.TaskArrived(Lab.task("t" + i, "in" + i).build()));
        }
        lab.pass(10_000);
        long before = lab.rowsOfTasks;
        lab.pass(10_000);

        assertThat(lab.rowsOfTasks - before).isBetween(900L, 1_010L);
    }

    @Test
    void aPausedTaskHoldsNoSlot() {
        Lab lab = lab(1);
        lab.dataset("a", 4).task(Lab.task("a", "a").build());
        lab.dataset("b", 4).task(Lab.task("b", "b").build());
        lab.command(Command.Type.PAUSE, "a").settle();

        assertThat(activations(lab)).containsExactly("a", "b");
    }

    @Test
    void aTaskThatHasReleasedAllItsFilesHoldsNoSlot() {
        Lab lab = lab(1);
        lab.dataset("a", 2).task(Lab.task("a", "a").build());
        lab.dataset("b", 4).task(Lab.task("b", "b").build());

        assertThat(activations(lab)).containsExactly("a", "b");
        assertThat(lab.states("a")).doesNotContain("closed");
    }

    @Test
    void aTaskWhoseFilesAreAllAdoptedWhileItWaitsTakesNoSlot() {
        Job sentBefore = lab(1).dataset("b", 1).task(Lab.task("b", "b").build()).take();
        Lab lab = lab(1);
        lab.dataset("a", 10).task(Lab.task("a", "a").build());
        lab.dataset("b", 1).task(Lab.task("b", "b").build());
        lab.dataset("c", 4).task(Lab.task("c", "c").build());
        lab.starting("p", sentBefore).command(Command.Type.CANCEL, "a").settle();

        assertThat(activations(lab)).containsExactly("a", "c");
    }

    @Test
    void aDatasetThatDsmDoesNotGiveBlocksNoOtherTask() {
        Lab lab = lab(1);
        List<PageRequest> failing = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            lab.apply(new Event.TaskArrived(Lab.task("bad" + i, "bad" + i).build()));
            while (!lab.pages.isEmpty()) {
                PageRequest r = lab.pages.remove();
                failing.add(r);
                lab.apply(new Event.PageFailed(r.taskUid(), r.datasetUid(), r.offset(), r.limit(), false, "503"));
            }
        }
        assertThat(failing).hasSize(30);
        lab.dataset("good", 4).task(Lab.task("good", "good").build());
        lab.runAll("p");

        assertThat(lab.states("good")).last().isEqualTo("closed");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTaskThatLostItsSlotByDsmsFaultWaitsForAnotherOneWhenDsmAnswers(boolean restart) {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(1))
                .withPool("cpu", PoolOptions.defaults().withWindow(1)));
        // Its files are read in two pages, and DSM does not give the second.
        lab.dataset("slow", 1_000);
        lab.apply(new Event.TaskArrived(Lab.task("slow", "slow").build()));
        lab.apply(lab.answer(lab.pages.remove()));
        PageRequest second = null;
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.starting("p", job).finished("p", job);
            second = second == null ? lab.pages.poll() : second;
        }
        lab.apply(new Event.PageFailed(
                second.taskUid(), second.datasetUid(), second.offset(), second.limit(), false, "503"));
        lab.dataset("next", 3).task(Lab.task("next", "next").build());
        assertThat(lab.taskRows.get("next").state()).isEqualTo(TaskState.ACTIVE);
        lab.apply(lab.answer(second));
        if (restart) {
            lab.restore(lab.store);
        }
        assertThat(lab.scheduler.metrics().activeTasks()).isEqualTo(1);
        assertThat(lab.taskRows.get("slow").why()).isEqualTo("slot");
        lab.runAll("p").pass(1_000);

        assertThat(activations(lab)).containsExactly("slow", "next");
        assertThat(lab.scheduler.metrics().openTasks()).isZero();
    }

    @Test
    void whileDsmIsSilentATaskKeepsItsSlotForTheFilesThatItHasAndNoLonger() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(1))
                .withPool("cpu", PoolOptions.defaults().withWindow(1)));
        lab.dataset("slow", 1_000).dataset("next", 3);
        lab.apply(new Event.TaskArrived(Lab.task("slow", "slow").build()));
        lab.apply(lab.answer(lab.pages.remove()));
        // The request for its second page is not answered, which is known before its files are used up.
        lab.pages.remove();
        lab.apply(new Event.TaskArrived(Lab.task("next", "next").build()));
        lab.apply(lab.answer(lab.pages.remove()));
        lab.pass(70_000);
        assertThat(lab.taskRows.get("slow").why()).isEqualTo("pilots");
        assertThat(activations(lab)).containsExactly("slow");
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.starting("p", job).finished("p", job);
        }
        assertThat(activations(lab)).containsExactly("slow", "next");
        lab.runAll("p").pass(600_000).settle().runAll("p").pass(1_000);

        assertThat(lab.states("slow")).last().isEqualTo("closed");
        assertThat(lab.jobs).hasSize(1_003);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8})
    void whileDsmIsSilentATaskWithItsFilesWaitsForNoEarlierTask(int readAhead) {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(1).withReadAhead(readAhead)));
        for (int i = 0; i < 50; i++) {
            lab.apply(new Event.TaskArrived(Lab.task("silent" + i, "in" + i).build()));
        }
        lab.apply(new Event.TaskArrived(
                Lab.task("here", "in").targets(List.of(Lab.file("a"))).build()));
        // The slot is for the first; a page may take a moment.
        lab.pass(59_999);
        assertThat(lab.jobs).isEmpty();
        lab.pass(1);
        assertThat(lab.jobs).extracting(Job::taskUid).containsExactly("here");

        // DSM speaks again: those before go first.
        lab.dataset("in0", 4).dataset("in1", 4);
        lab.apply(lab.answer(lab.pages.remove()));
        lab.apply(new Event.TaskArrived(
                Lab.task("later", "in").targets(List.of(Lab.file("a"))).build()));
        assertThat(activations(lab)).containsExactly("here", "silent0");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTaskThatRunsOutOfFilesWhileDsmIsKnownToBeSilentGivesItsSlotToTheNext(boolean byReportsAfterARestore) {
        Lab lab = lab(1);
        lab.dataset("in", 20).dataset("other", 5);
        lab.apply(new Event.TaskArrived(Lab.task("t", "in").chunkFiles(10).build()));
        lab.apply(lab.answer(lab.pages.remove()));
        PageRequest second = lab.pages.remove();
        lab.task(Lab.task("next", "other").build());
        HeapStore before = lab.store.snapshot();
        Event silent = new Event.PageFailed("t", "in", second.offset(), second.limit(), false, "DSM says 503");
        lab.apply(silent);
        for (int i = 0; i < 8; i++) {
            assertThat(activations(lab)).containsExactly("t");
            lab.run("p", lab.take());
        }
        if (byReportsAfterARestore) {
            lab.events.clear();
            lab.restore(before).apply(silent);
            List.copyOf(lab.jobs).stream()
                    .filter(job -> job.taskUid().equals("t"))
                    .forEach(job -> lab.starting("p" + lab.jobs.indexOf(job), job));
            assertThat(activations(lab)).containsExactly("next");
        } else {
            assertThat(activations(lab)).containsExactly("t", "next");
            lab.runAll("p").apply(lab.answer(second)).settle().runAll("p");
            assertThat(lab.states("next")).endsWith("closed");
            assertThat(lab.states("t")).endsWith("closed");
        }
    }

    @Test
    void onlySoManyWaitingTasksReadTheirFirstPageAhead() {
        Lab lab = lab(1);
        for (int i = 0; i < 50; i++) {
            lab.apply(new Event.TaskArrived(Lab.task("t" + i, "in" + i).build()));
        }

        assertThat(lab.pages).hasSize(1 + AdmissionOptions.defaults().readAhead());
    }

    @Test
    void noMoreTasksAreTakenThanCanBeKept() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxOpenTasks(3)));
        for (int i = 0; i < 5; i++) {
            lab.apply(new Event.TaskArrived(Lab.task("t" + i, "in" + i).build()));
        }

        assertThat(lab.rejected).hasSize(2);
    }

    @Test
    void aTaskThatHadBeenAcceptedIsTakenAgainBeforeTheReportsThatHadMadeRoomForIt() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxOpenTasks(10)));
        for (int i = 0; i < 12; i++) {
            lab.apply(new Event.TaskArrived(Lab.task("t" + i, "in" + i).build()));
            if (i == 9) {
                lab.restoreBehindReports(lab.store);
            }
        }

        assertThat(lab.rejected).hasSize(1);
    }

    @Test
    void slotsSurviveARestart() {
        Lab lab = lab(2);
        for (int i = 0; i < 6; i++) {
            lab.dataset("in" + i, 10).task(Lab.task("t" + i, "in" + i).build());
        }
        lab.restore(lab.store);
        assertThat(lab.scheduler.metrics().activeTasks()).isEqualTo(2);
        lab.runAll("p");

        assertThat(activations(lab)).containsExactly("t0", "t1", "t2", "t3", "t4", "t5");
    }

    @Test
    void aPausedPoolReleasesNothingAndADrainingOneOnlyWhatWasBegun() {
        Lab lab = lab(5);
        lab.dataset("a", 10).task(Lab.task("a", "a").retry(1).build());
        lab.pool(Command.Type.POOL_DRAIN, "cpu");
        var first = lab.take();
        var second = lab.take();
        lab.starting("p", first).failed("p", first);
        lab.starting("p", second).finished("p", second).pass(3000);
        assertThat(lab.jobs).hasSize(3);
        assertThat(lab.take().uid()).isEqualTo(first.uid());
        lab.now++;
        lab.pool(Command.Type.POOL_RESUME, "cpu");

        assertThat(lab.jobs).hasSize(4);
    }
}
