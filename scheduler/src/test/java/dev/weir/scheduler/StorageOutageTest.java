package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.TaskRow;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A storage is away for seconds or for hours: nothing is given up, little is tried, and all goes on once it is back. */
class StorageOutageTest {

    private static final int WINDOW = 8;
    private static final int FILES = 500;
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;

    private Lab lab = new Lab(options(AttemptOptions.defaults()));
    private int attempts;

    private static SchedulerOptions options(AttemptOptions attempts) {
        return SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(WINDOW))
                .withAttempts(attempts);
    }

    /** Pilots take what comes for this time; an attempt that cannot reach its file fails at once. */
    private void serve(long millis, ErrorType failure, Predicate<Job> works) {
        for (long end = lab.now + millis;
                lab.now < end;
                lab.pass(Math.min(2_000, end - lab.now)).settle()) {
            for (int i = 0; i < WINDOW && !lab.queues.get("cpu").isEmpty(); i++) {
                Job job = lab.take();
                attempts++;
                lab.starting("p", job);
                if (works.test(job)) {
                    lab.finished("p", job);
                } else {
                    lab.failed("p", job, failure);
                }
            }
        }
    }

    private void away(long millis) {
        serve(millis, ErrorType.STAGE_IN, job -> false);
    }

    private void back(long millis) {
        serve(millis, null, job -> true);
    }

    private TaskRow row() {
        return lab.taskRows.get("t");
    }

    @Test
    void failuresThatAreDaysApartFailAJobOnlyAfterThreeFurtherAttempts() {
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(0).build());
        for (int failures = 1; failures <= 4; failures++) {
            assertThat(lab.states("t")).doesNotContain("closed");
            Job job = lab.take();
            lab.starting("p", job);
            lab.failed("p", job, ErrorType.STAGE_IN);
            // It waits for a pilot for longer than it is tried again.
            lab.pass(25 * HOUR).settle();
        }

        assertThat(lab.states("t")).last().isEqualTo("closed");
        assertThat(row().counts().failed()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 20})
    void anOutageOfHoursGivesUpNothingAndTriesLittle(int hours) {
        lab.dataset("in", FILES).task(Lab.task("t", "in").retry(0).build());
        back(10_000);
        attempts = 0;

        away(hours * HOUR);

        // What was out is tried once a minute, beside a few fresh files.
        assertThat(attempts).isLessThan((WINDOW + 30) * (hours * 60 + 20));
        assertThat(lab.states("t")).containsExactly("accepted", "active");
        assertThat(row().counts().failed()).isZero();

        serve(61_000, null, job -> true);
        assertThat(row().why()).isNotEqualTo("storage");
        back(10 * MINUTE);
        assertThat(lab.states("t")).last().isEqualTo("closed");
        assertThat(row().counts().finished()).isEqualTo(FILES);
    }

    @Test
    void aTaskWhoseUploadsFailWaitsLikewiseAndSaysWhy() {
        lab.dataset("in", FILES).task(Lab.task("t", "in").retry(0).build());
        serve(5 * MINUTE, ErrorType.STAGE_OUT, job -> false);

        assertThat(row().why()).isEqualTo("storage");
        assertThat(row().whyText())
                .startsWith("stage_out: went wrong; the last ")
                .contains("attempts failed in stage-in or stage-out", "at least once a minute");
        assertThat(row().reason()).startsWith("stage_out: went wrong (");
        assertThat(lab.scheduler.metrics().why())
                .hasEntrySatisfying("storage", files -> assertThat(files).isBetween(FILES - WINDOW - 1L, (long) FILES));
    }

    @Test
    void whileUploadsFailTheFilesThatFailByThemselvesDoNotCancelTheirTask() {
        lab.dataset("in", FILES).task(Lab.task("t", "in").retry(0).build());
        Predicate<Job> fails = job -> Integer.parseInt(job.fileInUrl().replaceAll("\\D", "")) % 10 == 9;
        for (long end = lab.now + 20 * HOUR; lab.now < end; lab.pass(2_000).settle()) {
            for (int i = 0; i < WINDOW && !lab.queues.get("cpu").isEmpty(); i++) {
                Job job = lab.take();
                lab.starting("p", job).failed("p", job, fails.test(job) ? ErrorType.EXIT : ErrorType.STAGE_OUT);
            }
        }
        assertThat(row().why()).isEqualTo("storage");

        serve(HOUR, ErrorType.EXIT, fails.negate());

        assertThat(lab.states("t")).containsExactly("accepted", "active", "closed");
        assertThat(row().counts().failed()).isEqualTo(FILES / 10);
        assertThat(row().counts().finished()).isEqualTo(FILES - FILES / 10);
    }

    @Test
    void aTaskOfLongJobsGoesOnAsSoonAsAProgramRuns() {
        lab.dataset("in", FILES).task(Lab.task("t", "in").retry(0).build());
        away(5 * MINUTE);
        assertThat(row().why()).isEqualTo("storage");

        lab.pass(MINUTE).settle();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.starting("p", job).running("p", job);
        }
        lab.pass(MINUTE / 2).settle();

        assertThat(row().why()).isEqualTo("window");
    }

    @Test
    void aProgramThatRunsDoesNotShowThatOutputsCanBeStored() {
        lab.dataset("in", FILES).task(Lab.task("t", "in").retry(0).build());
        serve(5 * MINUTE, ErrorType.STAGE_OUT, job -> false);

        lab.pass(MINUTE).settle();
        Job job = lab.take();
        lab.starting("p", job).running("p", job).pass(MINUTE / 2).settle();

        assertThat(row().why()).isEqualTo("storage");
    }

    @Test
    void whatIsTriedIsKnownAfterARestore() {
        lab.dataset("in", FILES).task(Lab.task("t", "in").build());
        away(20 * MINUTE);
        Set<String> tried = Set.copyOf(lab.jobRows.keySet());

        lab.restore(lab.store);
        away(5 * MINUTE);

        assertThat(lab.jobRows).hasSizeLessThan(tried.size() + 3);
        back(MINUTE);
        assertThat(lab.jobRows.size()).isGreaterThan(tried.size() + 50);
    }

    @Test
    void filesThatAreMissingDoNotStopTheRestOfTheirDataset() {
        lab.dataset("in", FILES).task(Lab.task("t", "in").build());

        serve(HOUR, ErrorType.STAGE_IN, job -> Integer.parseInt(job.fileInUrl().replaceAll("\\D", "")) >= 2 * WINDOW);

        assertThat(row().counts().finished()).isEqualTo(FILES - 2 * WINDOW);
    }

    @Test
    void aJobThatIsAloneIsTriedOnceAMinuteToo() {
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(0).build());
        away(2 * HOUR);

        back(62_000);

        assertThat(lab.states("t")).last().isEqualTo("closed");
        assertThat(row().counts().finished()).isEqualTo(1);
    }

    @Test
    void afterTheTimeForSystemFailuresAJobHasFailed() {
        lab = new Lab(options(AttemptOptions.defaults().withSystemRetryTime(Duration.ofHours(2))));
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(0).build());
        away(2 * HOUR - MINUTE);
        assertThat(row().counts().failed()).isZero();

        away(3 * MINUTE);

        assertThat(row().counts().failed()).isEqualTo(1);
        assertThat(lab.states("t")).last().isEqualTo("closed");
    }

    @Test
    void aFailureOfThePayloadBeginsTheTimeAnew() {
        lab = new Lab(options(AttemptOptions.defaults().withSystemRetryTime(Duration.ofHours(2))));
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(3).build());
        away(HOUR);
        while (row().counts().retries() == 0) {
            serve(2_000, ErrorType.EXIT, job -> false);
        }
        away(HOUR + 30 * MINUTE);
        assertThat(row().counts().failed()).isZero();

        away(HOUR);

        assertThat(row().counts().failed()).isEqualTo(1);
    }

    @Test
    void jobsThatAreOverBecauseOfSystemFailuresDoNotCancelTheirTask() {
        lab = new Lab(options(
                AttemptOptions.defaults().withSystemRetryTime(Duration.ZERO).withStorageAwayAfter(0)));
        lab.dataset("in", 30).task(Lab.task("t", "in").retry(0).build());
        for (int i = 0; i < 20; i++) {
            Job job = lab.take();
            lab.starting("p", job).failed("p", job, ErrorType.STAGE_IN);
        }
        lab.pass(1_000);
        assertThat(row().counts().failed()).isEqualTo(20);
        assertThat(lab.states("t")).containsExactly("accepted", "active");
        for (int i = 0; i < 9; i++) {
            Job job = lab.take();
            lab.starting("p", job).failed("p", job, ErrorType.EXIT);
        }
        assertThat(lab.states("t")).doesNotContain("cancelled");

        Job job = lab.take();
        lab.starting("p", job).failed("p", job, ErrorType.EXIT);

        assertThat(lab.states("t")).contains("cancelled", "closed");
    }

    @Test
    void onlyTheNewestLogsOfAJobAreKept() {
        lab = new Lab(options(AttemptOptions.defaults().withSystemRetryTime(Duration.ofHours(2))));
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(0).build());
        away(3 * HOUR);

        assertThat(lab.close("t-out").checkList()).hasSize(16).contains("f0.0." + attempts + ".log");
    }

    @Test
    void aPilotThatIsLostSaysNothingAboutTheStorage() {
        lab = new Lab(lab.options.withPilots(PilotOptions.defaults().withSetAside(0, Duration.ofMinutes(5))));
        lab.idle("q").dataset("in", FILES).task(Lab.task("t", "in").build());
        Job lost = lab.take();
        lab.starting("q", lost);
        Set<String> tried = new HashSet<>();
        away(30_000);
        tried.addAll(lab.jobRows.keySet());
        away(2 * MINUTE);

        assertThat(lab.jobRows.get(lost.uid()).systemRetries()).isPositive();
        assertThat(lab.jobRows.size()).isLessThan(tried.size() + 8);
        assertThat(List.of(row().why())).containsExactly("storage");
    }
}
