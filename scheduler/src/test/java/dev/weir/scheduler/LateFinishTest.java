package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Command;
import dev.weir.protocol.FileRow;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Result;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pilot was silent until its lease ran out, and then its job is finished after all. */
class LateFinishTest {

    private Lab lab = Lab.withDefaults();

    /** No system retries: a lost job has failed for good. */
    private static Lab strict() {
        return new Lab(SchedulerOptions.defaults()
                .withAttempts(AttemptOptions.defaults().withSystemRetryTime(Duration.ZERO)));
    }

    /** Two jobs, of which the first is lost for good; the second keeps the dataset open. */
    private Job lostForGood() {
        lab = strict();
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job job = lab.take();
        lab.starting("p", job).pass(90_000);
        assertThat(lab.jobRows.get(job.uid()).status()).isEqualTo(JobStatus.FAILED);
        return job;
    }

    private JobStatus status(Job job) {
        return lab.jobRows.get(job.uid()).status();
    }

    @Test
    void aLateFinishOfAnEarlierAttemptWinsAndTheNewerOneIsTold() {
        lab.dataset("in", 1).task(Lab.task("t", "in").build());
        Job first = lab.take();
        lab.starting("p", first);
        Job second = lab.takeAgain(first);
        lab.starting("q", second).finished("p", first).settle();

        assertThat(lab.notices).hasSize(1).first().satisfies(told -> {
            assertThat(told.pilotId()).isEqualTo("q");
            assertThat(told.notice().type()).isEqualTo(Notice.Kind.KILL);
        });
        assertThat(lab.close("t-out").checkList()).containsExactly("f0.0.1.out", "f0.0.1.log");
        lab.finished("q", second);
        assertThat(lab.registrations).hasSize(3);
    }

    @Test
    void itIsTakenWhileTheNextAttemptCoolsOffAndWhenThatIsDue() {
        lab.dataset("in", 2)
                .task(Lab.task("t", "in").retry(2).groups("g").build())
                .served();
        Job cooling = lab.take();
        lab.starting("p", cooling).failed("p", cooling).finished("p", cooling);
        assertThat(status(cooling)).isEqualTo(JobStatus.FINISHED);
        Job due = lab.take();
        lab.starting("p", due).failed("p", due).limit("g", 0, null, null).pass(60_000);
        assertThat(lab.take()).isNull();
        lab.finished("p", due);
        assertThat(status(due)).isEqualTo(JobStatus.FINISHED);
        lab.limit("g", 9, null, null).pass(60_000);

        assertThat(lab.take()).isNull();
        assertThat(lab.close("t-out").checkList()).hasSize(4);
    }

    @Test
    void aFileThatWasLostForGoodIsFinishedAfterAllWhileItsDatasetIsOpen() {
        Job job = lostForGood();
        lab.finished("p", job).settle();

        assertThat(status(job)).isEqualTo(JobStatus.FINISHED);
        assertThat(lab.closes("t-out")).isEmpty();
        theDatasetClosesWithBothFiles();
        assertThat(lab.taskRows.get("t").counts().finished()).isEqualTo(2);
        assertThat(lab.taskRows.get("t").counts().failed()).isZero();
    }

    private void theDatasetClosesWithBothFiles() {
        lab.run("q", lab.take());
        assertThat(lab.close("t-out").checkList())
                .containsExactlyInAnyOrder("f0.0.1.out", "f0.0.1.log", "f1.1.1.out", "f1.1.1.log");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5_000})
    void theRowOfItsOutputIsNewerThanTheRowWithoutOneAlsoInTheSameMillisecondAndWhenTheClockHasGoneBack(int back) {
        lab = strict();
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job job = lab.take();
        lab.starting("p", job);
        while (status(job) != JobStatus.FAILED) {
            lab.pass(1);
        }
        lab.now -= back;
        lab.finished("p", job);

        assertThat(lab.fileRows)
                .filteredOn(row -> row.kind() == FileRow.Kind.OUTPUT)
                .extracting(FileRow::status)
                .containsExactly(FileRow.Status.FAILED, FileRow.Status.FINISHED);
        assertThat(lab.fileRows.get(1).version())
                .isGreaterThan(lab.fileRows.get(0).version());
    }

    @Test
    void itIsRememberedOverARestore() {
        Job job = lostForGood();
        lab.restore(lab.store.snapshot()).finished("p", job);

        assertThat(status(job)).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void itCountsOnce() {
        Job job = lostForGood();
        lab.finished("p", job).finished("p", job).finished("q", job).failed("p", job);

        assertThat(status(job)).isEqualTo(JobStatus.FINISHED);
        assertThat(lab.registrations).hasSize(2);
        assertThat(lab.scheduler.metrics().stale()).containsEntry("job over", 3L);
    }

    @Test
    void nothingButAFinishBringsALostFileBack() {
        Job job = lostForGood();
        lab.running("p", job).alive("p", job).failed("p", job);

        assertThat(status(job)).isEqualTo(JobStatus.FAILED);
        assertThat(lab.scheduler.metrics().stale()).containsEntry("job over", 3L);
        assertThat(lab.taskRows.get("t").counts().failed()).isEqualTo(1);
    }

    @Test
    void anAttemptThatHasToldItsEndFinishesNothingMore() {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job job = lab.take();
        lab.starting("p", job).failed("p", job).finished("p", job);

        assertThat(status(job)).isEqualTo(JobStatus.FAILED);
        assertThat(lab.registrations).hasSize(1);
    }

    @Test
    void aLostAttemptWhoseFailureWasToldLateFinishesNothingMore() {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job first = lab.take();
        Job other = lab.take();
        lab.starting("p", first);
        Job second = lab.takeAgain(first);
        lab.failed("p", first).starting("q", second).failed("q", second).finished("p", first);

        assertThat(status(first)).isEqualTo(JobStatus.FAILED);
        lab.run("q", other);
        assertThat(lab.close("t-out").checkList()).doesNotHaveDuplicates().contains("f0.0.1.log", "f0.0.2.log");
    }

    @Test
    void aFileWhoseOutputIsRegisteredAlreadyGetsNoSecondOne() {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job first = lab.take();
        lab.take();
        lab.starting("p", first);
        Job second = lab.takeAgain(first);
        lab.starting("q", second).failedWithOutput("q", second);
        assertThat(lab.registrations).hasSize(2);
        lab.finished("p", first);

        assertThat(status(first)).isEqualTo(JobStatus.FAILED);
        assertThat(lab.registrations).hasSize(2);
    }

    @Test
    void itCountsWhileATaskIsStoppedAndNotOnceItsDatasetIsClosed() {
        Job job = lostForGood();
        Job other = lab.take();
        lab.starting("q", other).command(Command.Type.CLOSE, "t").finished("p", job);
        assertThat(status(job)).isEqualTo(JobStatus.FINISHED);
        lab.finished("q", other).settle();
        assertThat(lab.close("t-out").checkList()).hasSize(4);

        Job last = lostForGood();
        lab.run("q", lab.take());
        assertThat(lab.close("t-out").checkList()).hasSize(2);
        lab.finished("p", last);
        assertThat(status(last)).isEqualTo(JobStatus.FAILED);
        assertThat(lab.registrations).hasSize(3);
    }

    @Test
    void afterRetryFailedTheLostAttemptMayStillFinishFirst() {
        Job job = lostForGood();
        lab.command(Command.Type.RETRY_FAILED, "t").finished("p", job);

        assertThat(status(job)).isEqualTo(JobStatus.FINISHED);
        lab.command(Command.Type.RETRY_FAILED, "t");
        theDatasetClosesWithBothFiles();
    }

    @Test
    void unlessItHasToldItsFailureSince() {
        Job job = lostForGood();
        lab.take();
        lab.command(Command.Type.RETRY_FAILED, "t");
        Job again = lab.take();
        lab.failed("p", job).starting("q", again).failed("q", again).finished("p", job);

        assertThat(again.uid()).isEqualTo(job.uid());
        assertThat(status(job)).isEqualTo(JobStatus.FAILED);
    }

    /** It is lost, and the restore forgets that. */
    private void finishesAfterALaterAttemptHasFailed(Job first, HeapStore before) {
        Job second = lab.takeAgain(first);
        lab.restore(before);
        lab.starting("q", second).failed("q", second);
        assertThat(status(first)).isEqualTo(JobStatus.FAILED);
        lab.finished("p", first);

        assertThat(status(first)).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void anAttemptThatARestoreHasForgottenMayFinishTooOnceALaterOneHasFailed() {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job first = lab.take();
        lab.take();
        lab.starting("p", first);
        HeapStore before = lab.store.snapshot();
        finishesAfterALaterAttemptHasFailed(first, before);
    }

    @Test
    void soMayOneOfAFileThatWasNotReleasedWhenTheStateWasWritten() {
        lab.dataset("in", 2);
        lab.pool(Command.Type.POOL_PAUSE, "cpu").task(Lab.task("t", "in").build());
        HeapStore before = lab.store.snapshot();
        lab.pass(1).pool(Command.Type.POOL_RESUME, "cpu");
        Job first = lab.take();
        lab.take();
        lab.starting("p", first);
        finishesAfterALaterAttemptHasFailed(first, before);
    }

    @Test
    void theOutputOfALostAttemptThatFailedIsRegisteredWhenNoLaterOneLeftAny() {
        lab.dataset("in", 1).task(Lab.task("t", "in").build());
        Job first = lab.take();
        lab.starting("p", first);
        Job second = lab.takeAgain(first);
        lab.failedWithOutput("p", first)
                .starting("q", second)
                .failed("q", second)
                .settle();

        assertThat(lab.close("t-out").checkList()).containsExactly("f0.0.1.out", "f0.0.1.log", "f0.0.2.log");
    }

    @Test
    void aLaterOutputIsNotReplacedByThatOfALostAttempt() {
        lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(1)));
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(1).build());
        Job first = lab.take();
        lab.starting("p", first);
        Job second = lab.takeAgain(first);
        lab.starting("q", second).failedWithOutput("q", second).failedWithOutput("p", first);
        Job third = lab.takeAgain(first);
        lab.starting("q", third).failed("q", third).settle();

        assertThat(lab.close("t-out").checkList())
                .containsExactlyInAnyOrder("f0.0.1.log", "f0.0.2.out", "f0.0.2.log", "f0.0.3.log");
    }

    @Test
    void whatHasFailedForGoodAndSaysSoLateFinishesNothingMore() {
        Job job = lostForGood();
        lab.failed("p", job).finished("p", job);

        assertThat(status(job)).isEqualTo(JobStatus.FAILED);
        assertThat(lab.registrations).isEmpty();
    }

    private void isStopped(String pilot, Job job, Result.Outcome outcome, String output) {
        lab.ended(pilot, job, outcome, output, output);
    }

    /** Takes a copy of its message, is told to stop, and does. */
    private void takesACopy(String pilot, Job job, String output) {
        lab.starting(pilot, job);
        assertThat(lab.notices)
                .last()
                .satisfies(told -> assertThat(told.pilotId()).isEqualTo(pilot));
        isStopped(pilot, job, Result.Outcome.CANCELLED, output);
    }

    @Test
    void whatAPilotSaysThatTookACopyOfItsMessageDoesNotForgetALostAttempt() {
        Job job = lostForGood();
        takesACopy("q", job, null);
        lab.finished("p", job);

        assertThat(status(job)).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void norDoesItWhileTheJobIsTriedAgain() {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job job = lab.take();
        lab.take();
        lab.starting("p", job).pass(65_000);
        takesACopy("q", job, "file:///store/part-of-q");
        Job next = lab.takeAgain(job);
        lab.starting("r", next).failed("r", next);
        assertThat(status(job)).isEqualTo(JobStatus.FAILED);
        lab.finished("p", job);

        assertThat(status(job)).isEqualTo(JobStatus.FINISHED);
        assertThat(lab.registrations.toString()).doesNotContain("part-of-q");
    }

    @Test
    void ofAnAttemptThatWeStoppedNothingIsRegisteredWhetherItSaysSoInTimeOrLate() {
        for (boolean late : new boolean[] {false, true}) {
            lab = Lab.withDefaults();
            lab.dataset("in", 1).task(Lab.task("t", "in").build());
            Job job = lab.take();
            lab.starting("p", job).pilot(Command.Type.PILOT_EXCLUDE, "p").pass(late ? 65_000 : 1_000);
            isStopped("p", job, Result.Outcome.KILLED, "file:///store/part-of-p");
            Job next = lab.takeAgain(job);
            lab.starting("r", next).failed("r", next).settle();

            assertThat(lab.close("t-out").checkList()).containsExactly("f0.0.2.log");
        }
    }
}
