package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Result;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A pilot hangs and is heard all the same: its attempt ends. */
class OverdueTest {

    private static final long TIMEOUT = 600_000;
    private static final long SLACK = 120_000;
    private static final long LEASE = 60_000;

    private final Lab lab = new Lab(SchedulerOptions.defaults()
            .withAttempts(AttemptOptions.defaults()
                    .withJobTimeout(Duration.ofMillis(TIMEOUT))
                    .withAttemptSlack(Duration.ofMillis(SLACK))));
    private Job job;

    private void start() {
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(0).build());
        job = lab.take();
        lab.starting("p", job).running("p", job);
    }

    private void beats(long millis) {
        for (long end = lab.now + millis; lab.now < end; ) {
            lab.pass(Math.min(5_000, end - lab.now)).alive("p", job);
        }
    }

    private JobStatus status() {
        return lab.jobRows.get(job.uid()).status();
    }

    @Test
    void anAttemptThatTakesTooLongIsOrderedToStopAndIsLostALeaseLater() {
        start();
        beats(TIMEOUT + SLACK - 1);
        assertThat(lab.notices).isEmpty();
        assertThat(status()).isEqualTo(JobStatus.RUNNING);

        beats(1);
        Notice notice = lab.notices.get(lab.notices.size() - 1).notice();
        assertThat(notice.type()).isEqualTo(Notice.Kind.KILL);
        assertThat(notice.reason())
                .isEqualTo("the attempt took more than 720 s: the time limit of its program, and 120 s for transfers");
        beats(LEASE - 20_000);
        assertThat(status()).isEqualTo(JobStatus.RUNNING);

        beats(40_000);
        assertThat(lab.jobRows.get(job.uid()).systemRetries()).isEqualTo(1);
        assertThat(lab.jobRows.get(job.uid()).errorType()).isEqualTo(ErrorType.TIMEOUT);
        assertThat(lab.take().attempt()).isEqualTo(2);
    }

    @Test
    void aMergeJobHasTheTimeForTransfersForEachTenFiles() {
        lab.dataset("in", 21).task(Lab.task("t", "in").merge(21).build());
        job = lab.take();
        lab.starting("p", job).running("p", job);

        beats(TIMEOUT + 3 * SLACK - 1);
        assertThat(lab.notices).isEmpty();
        beats(1);
        assertThat(lab.notices).isNotEmpty();
    }

    @Test
    void aPilotThatObeysEndsTheAttemptAtOnceAndThatIsASystemFailure() {
        start();
        beats(TIMEOUT + SLACK);

        lab.ended("p", job, Result.Outcome.KILLED, null, job.fileLogUrl());

        assertThat(lab.jobRows.get(job.uid()).systemRetries()).isEqualTo(1);
        assertThat(lab.jobRows.get(job.uid()).errorMessage()).startsWith("the attempt took more than 720 s");
        Job again = lab.takeAgain(job);
        assertThat(again.attempt()).isEqualTo(2);
        lab.starting("p", again);
        job = again;
        beats(TIMEOUT + SLACK - 1);
        assertThat(lab.jobRows.get(job.uid()).systemRetries()).isEqualTo(1);
    }

    @Test
    void anAttemptThatFinishesInTimeOrLateCounts() {
        start();
        beats(TIMEOUT + SLACK + 30_000);

        lab.finished("p", job).settle();

        assertThat(lab.states("t")).last().isEqualTo("closed");
        assertThat(status()).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void aRestoreKeepsTheTimeOfTheAttemptAndThatItIsOver() {
        start();
        beats(TIMEOUT);
        lab.restore(lab.store);
        beats(SLACK - 1);
        assertThat(lab.notices).isEmpty();
        beats(1);
        assertThat(lab.notices).isNotEmpty();

        lab.restore(lab.store);
        beats(LEASE + 30_000);

        assertThat(lab.jobRows.get(job.uid()).systemRetries()).isEqualTo(1);
    }

    @Test
    void aCancelledTaskDoesNotWaitForAPilotThatHangs() {
        start();
        beats(TIMEOUT);
        lab.command(Command.Type.CANCEL, "t");
        beats(SLACK + LEASE + 30_000);

        assertThat(status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(lab.settle().states("t")).last().isEqualTo("closed");
    }
}
