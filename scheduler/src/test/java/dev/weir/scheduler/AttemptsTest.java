package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Result;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.ErrorClass;
import dev.weir.scheduler.options.ErrorRule;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptsTest {

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
    void aFailedJobIsTriedAgainUntilItsRetriesAreUsedUpAndThenAllLogsAreRegistered() {
        Job job = only(2);
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(job.attempt()).isEqualTo(attempt);
            lab.starting("p", job).failed("p", job);
            job = retried();
        }

        assertThat(job).isNull();
        assertThat(lab.close("t-out").checkList()).containsExactly("f0.0.1.log", "f0.0.2.log", "f0.0.3.log");
        assertThat(lab.taskRows.get("t").counts().failed()).isEqualTo(1);
        assertThat(lab.taskRows.get("t").counts().retries()).isEqualTo(2);
    }

    @Test
    void ofLogsWithLongUrlsOnlyTheNewestAreKept() {
        Job job = only(9);
        for (int attempt = 1; attempt <= 10; attempt++) {
            String log = "file:///store/" + "d/".repeat(2_000) + attempt + ".log";
            lab.starting("p", job).ended("p", job, Result.Outcome.FAILED, null, log);
            job = retried();
        }

        assertThat(job).isNull();
        assertThat(lab.close("t-out").checkList()).containsExactly("7.log", "8.log", "9.log", "10.log");
    }

    @Test
    void afterFailuresAndThenSuccessOnlyTheLastLogIsRegistered() {
        Job job = only(2);
        lab.starting("p", job).failed("p", job);
        job = retried();
        lab.starting("p", job).finished("p", job).settle();

        assertThat(lab.close("t-out").checkList()).containsExactly("f0.0.2.out", "f0.0.2.log");
    }

    @Test
    void theLastFailedAttemptWithAnOutputRegistersIt() {
        Job job = only(1);
        lab.starting("p", job).failedWithOutput("p", job);
        job = retried();
        lab.starting("p", job).failed("p", job).settle();

        assertThat(lab.close("t-out").checkList()).containsExactly("f0.0.1.out", "f0.0.1.log", "f0.0.2.log");
    }

    @Test
    void systemFailuresDoNotUseUpTheRetriesOfTheTask() {
        Job job = only(0);
        lab.starting("p", job).failed("p", job, ErrorType.STAGE_IN);
        job = retried();
        assertThat(job.attempt()).isEqualTo(2);
        lab.starting("p", job).finished("p", job).settle();

        assertThat(lab.taskRows.get("t").counts().retries()).isZero();
        assertThat(lab.taskRows.get("t").counts().systemRetries()).isEqualTo(1);
    }

    @Test
    void afterSystemFailuresAJobIsTriedAgainForADay() {
        Job job = only(0);
        int attempts = 0;
        while (job != null) {
            attempts++;
            lab.starting("p" + attempts, job).failed("p" + attempts, job, ErrorType.STAGE_OUT);
            job = retried();
        }

        assertThat(attempts).isEqualTo(145);
        assertThat(lab.states("t")).last().isEqualTo("closed");
    }

    @Test
    void theFirstErrorRuleThatMatchesDecidesTheClass() {
        ErrorRule permanent = new ErrorRule(1, null, Pattern.compile("wrong"), ErrorClass.PERMANENT);
        Lab strict = new Lab(SchedulerOptions.defaults()
                .withAttempts(AttemptOptions.defaults()
                        .withErrorRules(List.of(permanent, ErrorRule.ofType(ErrorType.EXIT, ErrorClass.SYSTEM)))));
        strict.dataset("in", 1).task(Lab.task("t", "in").retry(5).build());
        Job job = strict.take();
        strict.starting("p", job).failed("p", job).settle();

        assertThat(strict.states("t")).last().isEqualTo("closed");
        assertThat(strict.jobs).hasSize(1);
    }

    @Test
    void aRetryGoesBeforeFreshFilesOfItsTask() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(16)));
        lab.dataset("in", 100).task(Lab.task("t", "in").retry(1).build());
        Job failing = lab.take();
        lab.starting("p", failing).failed("p", failing);
        lab.pass(2000);
        lab.queues.get("cpu").clear();
        Job running = lab.jobs.get(1);
        lab.starting("p", running).finished("p", running);

        assertThat(lab.take().uid()).isEqualTo(failing.uid());
    }

    @Test
    void aSilentPilotLosesItsJobWhenTheLeaseRunsOutOnTheClockOfOurOwnBeats() {
        Job job = only(0);
        lab.starting("p", job);
        lab.pass(90_000);
        Job again = lab.take();
        assertThat(again.uid()).isEqualTo(job.uid());
        assertThat(again.attempt()).isEqualTo(2);
        lab.starting("q", again);
        lab.alive("p", job);

        assertThat(lab.notices).hasSize(1).first().satisfies(told -> {
            assertThat(told.pilotId()).isEqualTo("p");
            assertThat(told.notice().attempt()).isEqualTo(1);
        });
    }

    @Test
    void heartbeatsKeepAJob() {
        Job job = only(0);
        lab.starting("p", job);
        for (int i = 0; i < 20; i++) {
            lab.pass(15_000).alive("p", job);
        }
        lab.finished("p", job).settle();

        assertThat(lab.jobs).hasSize(1);
        assertThat(lab.states("t")).last().isEqualTo("closed");
    }

    @Test
    void anOutageOfTheBrokerExpiresNoLease() {
        Job job = only(0);
        lab.starting("p", job);
        lab.now += 3_600_000;
        lab.apply(new Event.Tick());
        while (!lab.beats.isEmpty()) {
            lab.apply(new Event.ReportArrived(lab.beats.poll()));
        }
        lab.alive("p", job).pass(40_000).finished("p", job).settle();

        assertThat(lab.jobs).hasSize(1);
    }

    @Test
    void aResultThatComesTwiceCountsOnce() {
        lab.dataset("in", 2).task(Lab.task("t", "in").retry(3).build());
        Job job = lab.take();
        lab.starting("p", job).failed("p", job).failed("p", job).failed("p", job);
        assertThat(lab.scheduler.metrics().stale()).containsEntry("attempt over", 2L);
        lab.pass(5000);
        lab.take();
        Job again = lab.take();
        lab.starting("p", again).finished("p", again).finished("p", again);

        assertThat(lab.jobs).hasSize(3);
        assertThat(lab.registrations).hasSize(2);
    }

    @Test
    void theFirstToStartOwnsTheAttemptAndAnyOtherIsTurnedAway() {
        Job job = only(0);
        lab.starting("p", job).starting("q", job);
        assertThat(lab.notices)
                .hasSize(1)
                .first()
                .extracting(Outbox.Told::pilotId)
                .isEqualTo("q");
        lab.finished("q", job);
        assertThat(lab.registrations).isEmpty();
        lab.finished("p", job).settle();

        assertThat(lab.states("t")).last().isEqualTo("closed");
    }

    @Test
    void aResultThatOvertakesItsStartingIsTaken() {
        Job job = only(0);
        lab.finished("p", job).starting("p", job).settle();

        assertThat(lab.states("t")).last().isEqualTo("closed");
        assertThat(lab.scheduler.metrics().stale()).containsEntry("task closed", 1L);
    }

    @Test
    void noPauseIsLongerThanTheLongestWhateverTheJitter() {
        Lab jittery = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(100))
                .withAttempts(
                        AttemptOptions.defaults().withCoolOff(Duration.ofSeconds(8), 2, Duration.ofSeconds(10), 0.5)));
        jittery.dataset("in", 100)
                .task(Lab.task("t", "in").retry(2).autoCancel(false).build());
        for (Job job = jittery.take(); job != null; job = jittery.take()) {
            jittery.starting("p", job).failed("p", job);
        }
        jittery.pass(4_000);
        assertThat(jittery.jobs).hasSize(100);
        jittery.pass(6_000);
        assertThat(jittery.jobs).hasSize(200);
        assertThat(jittery.queues.get("cpu")).hasSize(100);
    }

    @Test
    void aTaskWithMoreFailuresThanSuccessesIsCancelledFromTenOn() {
        lab.dataset("in", 100).task(Lab.task("t", "in").build());
        for (int i = 0; i < 10; i++) {
            Job job = lab.take();
            assertThat(lab.states("t")).doesNotContain("cancelled");
            lab.starting("p", job).failed("p", job);
        }

        assertThat(lab.states("t")).contains("cancelled", "closed");
    }

    @Test
    void autoCancelCanBeSwitchedOff() {
        lab.dataset("in", 20).task(Lab.task("t", "in").autoCancel(false).build());
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.starting("p", job).failed("p", job);
        }
        lab.settle();

        assertThat(lab.states("t")).containsExactly("accepted", "active", "closed");
    }

    @Test
    void retryFailedGivesFailedFilesNewAttemptsUntilClosure() {
        lab.dataset("in", 2).task(Lab.task("t", "in").build());
        Job failing = lab.take();
        Job other = lab.take();
        lab.starting("p", failing).failed("p", failing);
        lab.command(Command.Type.RETRY_FAILED, "t");
        Job again = lab.take();
        assertThat(again.uid()).isEqualTo(failing.uid());
        assertThat(again.attempt()).isEqualTo(2);
        lab.run("p", again).run("p", other);

        assertThat(lab.close("t-out").checkList())
                .containsExactlyInAnyOrder("f0.0.1.log", "f0.0.2.out", "f0.0.2.log", "f1.1.1.out", "f1.1.1.log");
        assertThat(lab.taskRows.get("t").counts().failed()).isZero();
    }

    @Test
    void aKillThatWeDidNotOrderIsASystemFailureAndTheLastOneLeavesTheJobKilled() {
        Job job = only(0);
        int attempts = 0;
        while (job != null) {
            attempts++;
            lab.starting("p" + attempts, job)
                    .apply(new Event.ReportArrived(
                            Lab.result("p" + attempts, job, Result.Outcome.KILLED, ErrorType.KILLED)));
            job = retried();
        }

        assertThat(attempts).isEqualTo(145);
        JobRow row = lab.jobRows.values().iterator().next();
        assertThat(row.status()).isEqualTo(JobStatus.KILLED);
    }
}
