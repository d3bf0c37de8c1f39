package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Order;
import dev.weir.protocol.PageRequest;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a task's files come from DSM, and what becomes of the task when they don't. */
class ReadingTest {

    private final Lab lab = Lab.withDefaults();

    @Test
    void aDatasetThatDoesNotExistRejectsTheTask() {
        lab.task(Lab.task("t", "nowhere").build());

        assertThat(lab.states("t")).containsExactly("accepted", "rejected");
        assertThat(lab.closes("t-out")).isEmpty();
    }

    @Test
    void aDatasetIsReadPageByPageAndNeverMuchFurtherThanNeeded() {
        lab.dataset("in", 100_000);
        lab.apply(new Event.TaskArrived(Lab.task("t", "in").chunkFiles(100).build()));
        int asked = 0;
        for (int i = 0; i < 1000; i++) {
            while (!lab.pages.isEmpty()) {
                PageRequest request = lab.pages.poll();
                asked += request.limit();
                lab.apply(lab.answer(request));
            }
            assertThat(asked).isLessThanOrEqualTo(i + 16 + 300);
            lab.run("p", lab.take());
        }
    }

    @Test
    void aRepeatedPageChangesNothing() {
        lab.dataset("in", 300);
        lab.apply(new Event.TaskArrived(Lab.task("t", "in").chunkFiles(100).build()));
        List<Event> answers = new ArrayList<>();
        while (!lab.pages.isEmpty()
                || lab.queues.get("cpu") != null && !lab.queues.get("cpu").isEmpty()) {
            while (!lab.pages.isEmpty()) {
                answers.add(lab.answer(lab.pages.poll()));
                answers.forEach(lab::apply);
            }
            Job job = lab.take();
            lab.starting("p", job).finished("p", job);
        }

        assertThat(lab.close("t-out").checkList()).hasSize(600);
        assertThat(lab.scheduler.metrics().ignored()).containsKey("page");
    }

    @Test
    void anUnansweredPageIsAskedForAgain() {
        lab.dataset("in", 5);
        lab.apply(new Event.TaskArrived(Lab.task("t", "in").build()));
        lab.pages.clear();
        lab.pass(61_000);
        assertThat(lab.pages).hasSize(1);
        assertThat(lab.taskRows.get("t").why()).isEqualTo("page");
        lab.settle().runAll("p");

        assertThat(lab.close("t-out").checkList()).hasSize(10);
    }

    @Test
    void aChangedTotalFailsTheTaskButWhatRanIsRegisteredAndTheDatasetCloses() {
        lab.dataset("in", 1000);
        lab.apply(new Event.TaskArrived(Lab.task("t", "in").chunkFiles(100).build()));
        lab.apply(lab.answer(lab.pages.remove()));
        Job first = lab.take();
        lab.starting("p", first).finished("p", first);
        Job running = lab.take();
        lab.starting("p", running);
        lab.apply(Lab.withDefaults().dataset("in", 999).answer(lab.pages.remove()));
        lab.finished("p", running).settle();

        assertThat(lab.states("t")).last().isEqualTo("failed");
        assertThat(lab.events.get(lab.events.size() - 1).reason())
                .contains("1000")
                .contains("999");
        assertThat(lab.close("t-out").checkList()).hasSize(4 + 0);
    }

    @Test
    void anEmptyPageBeforeTheEndFailsTheTask() {
        lab.apply(new Event.TaskArrived(Lab.task("t", "in").build()));
        lab.apply(new Event.PageArrived("t", "in", 0, 250, new DatasetPage(10L, List.of())));

        assertThat(lab.states("t")).last().isEqualTo("failed");
    }

    @Test
    void filesGivenWithTheTaskNeedNoDsm() {
        lab.apply(new Event.TaskArrived(Lab.task("t", "in")
                .targets(List.of(Lab.file("a"), Lab.file("b")))
                .build()));
        assertThat(lab.pages).isEmpty();
        lab.runAll("p");

        assertThat(lab.close("t-out").checkList()).containsExactly("a.0.1.out", "a.0.1.log", "b.1.1.out", "b.1.1.log");
    }

    @Test
    void mergeGivesGroupsOfFilesOverTheWholeListing() {
        lab.dataset("in", 2500).task(Lab.task("t", "in").merge(1000).build());
        List<Integer> sizes = new ArrayList<>();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            sizes.add(job.fileInUrls().size());
            assertThat(job.fileInUrl()).isNull();
            lab.run("p", job);
        }

        assertThat(sizes).containsExactly(1000, 1000, 500);
        assertThat(lab.close("t-out").checkList()).hasSize(6);
    }

    @Test
    void mergeWithoutANumberTakesEverythingIntoOneJob() {
        lab.dataset("in", 7).task(Lab.task("t", "in").merge(null).build());
        Job job = lab.take();
        assertThat(job.fileInUrls()).hasSize(7);
        lab.starting("p", job).failed("p", job).settle();

        assertThat(lab.states("t")).last().isEqualTo("closed");
    }

    @Test
    void anEmptyDatasetClosesAtOnce() {
        lab.dataset("in", 0).task(Lab.task("t", "in").build());

        assertThat(lab.close("t-out").checkList()).isEmpty();
        assertThat(lab.states("t")).last().isEqualTo("closed");
    }

    private PageRequest asked() {
        assertThat(lab.pages).hasSize(1);
        return lab.pages.peek();
    }

    private void fails(PageRequest request, boolean permanent, String reason) {
        lab.apply(new Event.PageFailed(
                request.taskUid(), request.datasetUid(), request.offset(), request.limit(), permanent, reason));
    }

    private void start(Lab lab, int files) {
        lab.dataset("in", files);
        lab.apply(new Event.TaskArrived(Lab.task("t", "in").chunkFiles(100).build()));
    }

    @Test
    void thePauseAfterAFailureBeginsWithTheFailureAndARestartDoesNotForgetIt() {
        start(lab, 5);
        PageRequest request = lab.pages.remove();
        lab.pass(50_000);
        fails(request, false, "503 of DSM");
        lab.restore(lab.store);
        lab.pass(999);
        assertThat(lab.pages).isEmpty();
        lab.pass(1);

        assertThat(lab.pages).containsExactly(request);
    }

    @Test
    void aDatasetThatVanishesWhileItIsReadFailsTheTaskAndWhatRanIsInItsCheckList() {
        start(lab, 1000);
        lab.apply(lab.answer(lab.pages.remove()));
        Job running = lab.take();
        lab.starting("p", running);
        fails(asked(), true, "404 of DSM");
        assertThat(lab.closes("t-out")).isEmpty();
        lab.finished("p", running).settle();

        assertThat(lab.states("t")).containsExactly("accepted", "active", "failed");
        assertThat(lab.events.get(lab.events.size() - 1).reason()).contains("404");
        assertThat(lab.close("t-out").checkList()).hasSize(2);
        assertThat(lab.taskRows.get("t").counts().cancelled()).isEqualTo(999);
    }

    @Test
    void aPageWithMoreFilesThanTheDatasetHasFailsTheTask() {
        List<FileInfo> three = List.of(Lab.file("a"), Lab.file("b"), Lab.file("c"));
        lab.apply(new Event.TaskArrived(Lab.task("t", "in").build()));
        lab.apply(new Event.PageArrived("t", "in", 0, 250, new DatasetPage(2L, three)));

        assertThat(lab.states("t")).last().isEqualTo("failed");
        assertThat(lab.events.get(lab.events.size() - 1).reason()).contains("3 files", "of only 2");
        assertThat(lab.jobs).isEmpty();
    }

    @Test
    void aDatasetWithMoreFilesThanJobsCanBeNumberedFailsTheTaskAndOneWithJustAsManyIsTaken() {
        long most = Integer.MAX_VALUE - Limits.MAX_FILES_PER_JOB;
        for (long total : new long[] {most, most + 1}) {
            String uid = "t" + total;
            lab.apply(new Event.TaskArrived(Lab.task(uid, "in").build()));
            lab.apply(new Event.PageArrived(uid, "in", 0, 250, new DatasetPage(total, List.of(Lab.file("a")))));
        }

        assertThat(lab.states("t" + most)).containsExactly("accepted", "active");
        assertThat(lab.states("t" + (most + 1))).last().isEqualTo("failed");
        assertThat(lab.events.get(lab.events.size() - 1).reason()).contains(most + " at most");
    }

    @Test
    void aStoppedTaskLeavesNoFilesInStateAndTakesNoLatePage() {
        start(lab, 1000);
        lab.apply(lab.answer(lab.pages.remove()));
        Job running = lab.take();
        lab.starting("p", running);
        PageRequest late = asked();
        lab.command(Command.Type.CANCEL, "t");
        List<String> chunks = new ArrayList<>();
        lab.store.forEach(Tables.CHUNK, (key, chunk) -> chunks.add(key));
        lab.apply(lab.answer(late));

        assertThat(chunks).isEmpty();
        assertThat(lab.scheduler.metrics().ignored()).containsEntry("page", 1L);
        lab.pages.clear();
        lab.pass(3_600_000);
        assertThat(lab.pages).isEmpty();
    }

    @Test
    void aTaskInOrderWhoseLaterFilesNameGroupsChoosesAmongThemFromThenOnAndRunsEachOnce() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withAttempts(AttemptOptions.defaults().withCoolOff(Duration.ZERO, 1, Duration.ZERO, 0))
                .withPool("cpu", PoolOptions.defaults().withWindow(4)));
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            files.add(i < 150 ? Lab.file("f" + i) : Lab.grouped("f" + i, "site"));
        }
        lab.served().limit("site", 1, null, null);
        lab.dataset("in", files);
        lab.apply(new Event.TaskArrived(Lab.task("t", "in")
                .retry(1)
                .chunkFiles(100)
                .order(Order.SEQUENTIAL)
                .build()));
        lab.apply(lab.answer(lab.pages.remove()));
        // One failed attempt waits to be tried again when the page with groups comes, and finds the pool paused.
        Job failed = lab.take();
        lab.starting("p", failed);
        lab.pool(Command.Type.POOL_PAUSE, "cpu");
        lab.failed("p", failed);
        lab.settle();
        lab.pool(Command.Type.POOL_RESUME, "cpu");
        Set<String> finished = new HashSet<>();
        int atTheSite = 0;
        for (Job job = lab.take(); job != null; job = lab.take()) {
            if (finished.isEmpty() || lab.queues.get("cpu").isEmpty()) {
                lab.settle();
            }
            atTheSite += position(job) >= 150 ? 1 : 0;
            assertThat(lab.queues.get("cpu").stream().filter(queued -> position(queued) >= 150))
                    .hasSizeLessThanOrEqualTo(1);
            lab.run("p", job);
            assertThat(finished.add(job.fileInUrl())).isTrue();
        }

        assertThat(finished).hasSize(300);
        assertThat(atTheSite).isEqualTo(150);
        assertThat(lab.jobs.stream().filter(job -> job.attempt() == 2)).hasSize(1);
        assertThat(lab.close("t-out").checkList()).hasSize(600);
    }

    private static long position(Job job) {
        return Long.parseLong(job.fileInUrl().substring(job.fileInUrl().lastIndexOf('f') + 1));
    }

    @Test
    void filesOfAMergeJobThatIsNotFullWaitInStateForTheNextPage() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withReading(SchedulerOptions.defaults().reading().withPageFiles(30)));
        lab.dataset("in", 100);
        lab.apply(new Event.TaskArrived(Lab.task("t", "in").merge(40).build()));
        List<Integer> sizes = new ArrayList<>();
        while (!lab.pages.isEmpty()) {
            lab.restore(lab.store);
            lab.apply(lab.answer(lab.pages.remove()));
        }
        for (Job job = lab.take(); job != null; job = lab.take()) {
            sizes.add(job.fileInUrls().size());
            lab.run("p", job);
        }

        assertThat(sizes).containsExactly(40, 40, 20);
        assertThat(lab.taskRows.get("t").counts().total()).isEqualTo(3);
        assertThat(lab.checkList("t-out")).hasSize(6);
    }

    @Test
    void aTaskWhosePageDsmCouldNotGiveSaysSoAtOnceAndAsksAgainByItselfWithGrowingPauses() {
        start(lab, 5);
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            fails(lab.pages.remove(), false, "No answer.");
            assertThat(lab.taskRows.get("t").whyText()).isEqualTo("No answer; Weir asks again by itself");
            long failedAt = lab.now;
            while (lab.pages.isEmpty()) {
                lab.pass(1_000);
            }
            pauses.add((lab.now - failedAt) / 1_000);
        }
        lab.settle().runAll("p");

        assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
        assertThat(lab.states("t")).last().isEqualTo("closed");
    }
}
