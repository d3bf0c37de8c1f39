package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Result;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.api.SchedulerMetrics;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of an attempt that has ended. */
class OutcomesTest {

    private Lab lab = Lab.withDefaults();

    private Job only(int retry) {
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(retry).build());
        return lab.take();
    }

    /** Milliseconds from now until the next job comes. */
    private long untilNext() {
        long before = lab.now;
        while (lab.queues.get("cpu").isEmpty()) {
            lab.pass(1);
        }
        return lab.now - before;
    }

    private static Lab coolOff(double factor, int longestS, double jitter) {
        return new Lab(SchedulerOptions.defaults()
                .withAttempts(AttemptOptions.defaults()
                        .withCoolOff(Duration.ofSeconds(2), factor, Duration.ofSeconds(longestS), jitter)));
    }

    @ParameterizedTest
    @CsvSource({"1, 2000, 2000, 2000, 2000", "2, 2000, 4000, 8000, 9000", "3, 2000, 6000, 9000, 9000"})
    void theCoolOffGrowsByItsFactorUpToItsLimit(double factor, long first, long second, long third, long fourth) {
        lab = coolOff(factor, 9, 0);
        Job job = only(9);
        for (long pause : new long[] {first, second, third, fourth}) {
            lab.starting("p", job).failed("p", job);
            assertThat(untilNext()).isEqualTo(pause);
            job = lab.take();
        }
    }

    @Test
    void payloadAndSystemFailuresTogetherMakeTheCoolOffGrow() {
        lab = coolOff(2, 100, 0);
        Job job = only(9);
        lab.starting("p", job).failed("p", job, ErrorType.STAGE_IN);
        untilNext();
        job = lab.take();
        lab.starting("p", job).failed("p", job);

        assertThat(untilNext()).isEqualTo(4000);
    }

    @Test
    void jitterSpreadsTheCoolOffEvenlyAroundItsValueAndAReplayDrawsTheSame() {
        Set<Long> pauses = new HashSet<>();
        double sum = 0;
        for (int i = 0; i < 200; i++) {
            lab = coolOff(1, 100, 0.25);
            lab.dataset("in", 1).task(Lab.task("t" + i, "in").retry(1).build());
            Job job = lab.take();
            lab.starting("p", job).failed("p", job);
            long pause = untilNext();
            assertThat(pause).isBetween(1500L, 2500L);
            pauses.add(pause);
            sum += pause;
        }
        assertThat(pauses).hasSizeGreaterThan(150);
        assertThat(sum / 200).isBetween(1930.0, 2070.0);
    }

    @Test
    void endsAreCountedByPoolAndRetriesByErrorClass() {
        lab.dataset("in", 4).task(Lab.task("t", "in").retry(1).build());
        Job first = lab.take();
        lab.starting("p", first).failed("p", first);
        Job second = lab.take();
        lab.starting("p", second).failed("p", second, ErrorType.DISK_FULL);
        lab.run("p", lab.take());
        Job fourth = lab.take();
        lab.starting("p", fourth).pilot(Command.Type.PILOT_EXCLUDE, "p").failed("p", fourth);

        SchedulerMetrics metrics = lab.scheduler.metrics();
        assertThat(metrics.retries())
                .containsEntry("payload", 1L)
                .containsEntry("system", 1L)
                .containsEntry("ordered", 1L);
        assertThat(metrics.pools().get("cpu").finished()).isEqualTo(1);
        assertThat(metrics.pools().get("cpu").failed()).isEqualTo(3);
        lab.pass(1_000);
        assertThat(lab.taskRows.get("t").counts().systemRetries()).isEqualTo(1);
    }

    @Test
    void whatIsToldAgainOfAnAttemptBeforeRetryFailedIsNotRegisteredTwice() {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job failing = lab.take();
        Job other = lab.take();
        lab.starting("p", failing).failed("p", failing);
        lab.command(Command.Type.RETRY_FAILED, "t");
        Job again = lab.take();
        assertThat(again.attempt()).isEqualTo(2);
        lab.failed("p", failing).finished("p", failing).alive("p", failing);

        assertThat(lab.notices)
                .last()
                .satisfies(told -> assertThat(told.notice().attempt()).isEqualTo(1));
        assertThat(lab.jobRows.get(failing.uid()).status()).isEqualTo(JobStatus.QUEUED);
        lab.run("p", again).run("p", other);
        assertThat(lab.close("t-out").checkList())
                .containsExactlyInAnyOrder("f0.0.1.log", "f0.0.2.out", "f0.0.2.log", "f1.1.1.out", "f1.1.1.log");
    }

    @Test
    void theLogOfALateFailureBelongsToTheChainOnce() {
        Job job = only(1);
        lab.starting("p", job).idle("q");
        while (lab.jobRows.get(job.uid()).status() != JobStatus.COOLING) {
            lab.pass(15_000).idle("q");
        }
        Job second = null;
        while (second == null) {
            lab.pass(1_000);
            second = lab.take();
        }
        lab.failed("p", job)
                .failed("p", job)
                .starting("q", second)
                .failed("q", second)
                .settle();
        for (Job next = lab.take(); next != null || lab.closes("t-out").isEmpty(); next = lab.take()) {
            if (next != null) {
                lab.starting("q", next).failed("q", next);
            }
            lab.pass(10_000);
        }

        assertThat(lab.close("t-out").checkList())
                .contains("f0.0.1.log", "f0.0.2.log")
                .doesNotHaveDuplicates();
    }

    @Test
    void aCancelledJobWhosePilotIsLostIsCancelledAndNotTriedAgain() {
        Job job = only(5);
        lab.starting("p", job).command(Command.Type.CANCEL, "t").idle("q");
        for (int i = 0; i < 12; i++) {
            lab.pass(15_000).idle("q");
        }

        assertThat(lab.jobRows.get(job.uid()).status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(lab.states("t")).last().isEqualTo("closed");
    }

    @Test
    void aLostPilotIsNamedInTheMessageOfItsJobAndCountsAsAFailureOfIt() {
        Job job = only(5);
        lab.alive("p", job).starting("p", job);
        while (lab.jobRows.get(job.uid()).status() != JobStatus.COOLING) {
            lab.pass(15_000);
        }

        assertThat(lab.jobRows.get(job.uid()).errorMessage()).isEqualTo("pilot p was not heard for 60 s");
        assertThat(lab.jobRows.get(job.uid()).exitCode()).isNull();
        assertThat(lab.jobRows.get(job.uid()).systemRetries()).isEqualTo(1);
    }

    @Test
    void aKillWithoutAnErrorTypeWasNotOrdered() {
        Job job = only(0);
        lab.starting("p", job).apply(new Event.ReportArrived(Lab.result("p", job, Result.Outcome.KILLED, null)));

        assertThat(lab.jobRows.get(job.uid()).status()).isEqualTo(JobStatus.COOLING);
        assertThat(lab.jobRows.get(job.uid()).systemRetries()).isEqualTo(1);
    }

    @Test
    void aJobThatWeCancelledInATimeThatARestoreHasForgottenUsesUpNothingAndDoesNotCountAgainstItsNode() {
        lab.dataset("in", 20).task(Lab.task("t", "in").retry(0).build()).idle("other");
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            jobs.add(lab.take());
            lab.starting("p", jobs.get(i));
        }
        HeapStore before = lab.store.snapshot();
        lab.command(Command.Type.CANCEL, "t").restore(before);
        lab.notices.clear();
        for (Job job : jobs) {
            lab.apply(new Event.ReportArrived(Lab.result("p", job, Result.Outcome.CANCELLED, ErrorType.KILLED)));
        }

        assertThat(lab.notices).isEmpty();
        assertThat(lab.jobRows.get(jobs.get(0).uid()).status()).isEqualTo(JobStatus.COOLING);
        assertThat(lab.jobRows.get(jobs.get(0).uid()).systemRetries()).isZero();
        assertThat(lab.jobRows.get(jobs.get(0).uid()).retries()).isZero();
    }

    @Test
    void aPilotThatKeepsReportingCancelledGetsTheJobMoreAndMoreRarely() {
        Job job = only(0);
        for (long pause : new long[] {1_000, 2_000, 4_000, 8_000}) {
            lab.starting("p", job).apply(new Event.ReportArrived(Lab.result("p", job, Result.Outcome.CANCELLED, null)));
            assertThat(untilNext()).isBetween(pause * 3 / 4, pause * 5 / 4);
            job = lab.take();
        }
    }
}
