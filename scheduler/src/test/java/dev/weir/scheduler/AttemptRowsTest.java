package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.AttemptRow;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Result;
import dev.weir.scheduler.api.Event;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What the mirror shows of attempts with which their jobs have not finished. */
class AttemptRowsTest {

    private final Lab lab = Lab.withDefaults();

    private Job only(int retry) {
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(retry).build());
        return lab.take();
    }

    private Job retried() {
        lab.pass(600_000);
        return lab.take();
    }

    @Test
    void eachAttemptThatFailsIsShownWithItsPilotItsTimesItsErrorAndItsLog() {
        Job first = only(1);
        Instant queued = Instant.ofEpochMilli(lab.now);
        lab.pass(1_000).starting("p", first);
        Instant started = Instant.ofEpochMilli(lab.now);
        lab.pass(1_000).ended("p", first, Result.Outcome.FAILED, null, first.fileLogUrl());
        Instant ended = Instant.ofEpochMilli(lab.now);
        Job second = retried();
        lab.starting("q", second)
                .ended("q", second, Result.Outcome.KILLED, null, null)
                .settle();

        assertThat(lab.attemptRows).hasSize(2);
        AttemptRow row = lab.attemptRows.get(0);
        assertThat(row)
                .isEqualTo(new AttemptRow(
                        first.uid(),
                        1,
                        "t",
                        JobStatus.FAILED,
                        "p",
                        first.fileLogUrl(),
                        1,
                        ErrorType.EXIT,
                        null,
                        queued,
                        started,
                        ended,
                        row.version(),
                        false));
        assertThat(lab.attemptRows.get(1).attempt()).isEqualTo(2);
        assertThat(lab.attemptRows.get(1).status()).isEqualTo(JobStatus.KILLED);
        assertThat(lab.attemptRows.get(1).pilotId()).isEqualTo("q");
        assertThat(lab.attemptRows.get(1).fileLogUrl()).isNull();
    }

    @Test
    void anAttemptWhosePilotWasSilentSaysSo() {
        Job job = only(0);
        lab.starting("p", job).pass(90_000);

        assertThat(lab.attemptRows).singleElement().satisfies(row -> {
            assertThat(row.errorMessage()).isEqualTo("pilot p was not heard for 60 s");
            assertThat(row.exitCode()).isNull();
            assertThat(row.errorType()).isEqualTo(ErrorType.LOST);
        });
        assertThat(lab.jobRows.get(job.uid()).errorType()).isEqualTo(ErrorType.LOST);
    }

    @Test
    void aFailureOfWhichThePilotGaveNoTypeHasOneUntilItsJobFinishes() {
        Job job = only(2);
        lab.starting("p", job).apply(new Event.ReportArrived(Lab.result("p", job, Result.Outcome.FAILED, null)));
        job = retried();
        lab.starting("p", job).apply(new Event.ReportArrived(Lab.result("p", job, Result.Outcome.KILLED, null)));

        assertThat(lab.attemptRows)
                .extracting(AttemptRow::errorType)
                .containsExactly(ErrorType.UNKNOWN, ErrorType.KILLED);
        assertThat(lab.jobRows.get(job.uid()).errorType()).isEqualTo(ErrorType.KILLED);

        lab.run("p", retried());

        assertThat(lab.jobRows.get(job.uid()).status()).isEqualTo(JobStatus.FINISHED);
        assertThat(lab.jobRows.get(job.uid()).errorType()).isNull();
    }

    @Test
    void anAttemptThatFinishesIsShownOnlyAsItsJob() {
        lab.run("p", only(0));

        assertThat(lab.attemptRows).isEmpty();
    }
}
