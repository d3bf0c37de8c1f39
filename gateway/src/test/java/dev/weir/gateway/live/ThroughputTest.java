package dev.weir.gateway.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.mirror.Changed;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What ended when, and how long the rest takes. */
class ThroughputTest {

    private static final long BEGAN = 1_760_000_000_000L;
    private static final long MINUTE = 60_000;

    private final Throughput throughput = new Throughput(BEGAN);

    private void see(String task, String pool, long accepted, long ended, long failed, long now) {
        see(task, pool, accepted, 1, ended, failed, now);
    }

    private void see(String task, String pool, long accepted, long out, long ended, long failed, long now) {
        throughput.see(new Changed(true, task, pool, 0, out, ended, failed, 0, accepted), now);
    }

    @Test
    void jobsThatEndedBeforeTheGatewayStartedAreNotCounted() {
        see("old", "cpu", BEGAN - 1, 500, 3, BEGAN + 1000);
        see("old", "cpu", BEGAN - 1, 520, 4, BEGAN + 20_000);
        see("new", "cpu", BEGAN + 1, 7, 7, BEGAN + 20_000);

        assertThat(throughput.ofTask("old", BEGAN + MINUTE).longJobs()).isEqualTo(20);
        assertThat(throughput.ofTask("new", BEGAN + MINUTE).longJobs()).isEqualTo(7);
        assertThat(throughput.ofPool("cpu", BEGAN + MINUTE).longJobs()).isEqualTo(27);
        assertThat(throughput.ofPool("gpu", BEGAN + MINUTE).longJobs()).isZero();
    }

    @Test
    void failedJobsThatAreTriedAgainCountAgainWhenTheyEnd() {
        see("t", "cpu", BEGAN, 10, 4, BEGAN + 1000);
        see("t", "cpu", BEGAN, 10, 4, BEGAN + 2000);
        see("t", "cpu", BEGAN, 6, 0, BEGAN + 12_000);
        see("t", "cpu", BEGAN, 9, 1, BEGAN + 31_000);

        assertThat(throughput.ofTask("t", BEGAN + MINUTE).longJobs()).isEqualTo(13);
        assertThat(throughput.ofPool("cpu", BEGAN + MINUTE).longJobs()).isEqualTo(13);
        History history = throughput.historyOfPool("cpu", BEGAN + 31_000);
        assertThat(history.ended()).containsExactly(10, 0, 0, 3);
        assertThat(history.failed()).containsExactly(4, 0, 0, 1);
    }

    @Test
    void theRateOfAYoungTaskIsThatSinceItsFirstJobWentOut() {
        long hour = 60 * MINUTE;
        see("t", "cpu", BEGAN, 0, 0, 0, BEGAN + 1000);
        for (int second = 0; second < 60; second++) {
            see("t", "cpu", BEGAN, 10 * second, 0, BEGAN + hour + 1000L * second);
        }
        see("quick", "gpu", BEGAN + hour, 600, 0, BEGAN + hour + 55_000);
        long now = BEGAN + hour + MINUTE;

        assertThat(throughput.ofTask("t", now).perSecond()).isBetween(9.0, 11.0);
        assertThat(throughput.ofPool("cpu", now).perSecond()).isBetween(9.0, 11.0);
        assertThat(throughput.ofTask("quick", now).perSecond())
                .as("jobs had ended at its first row")
                .isBetween(9.0, 11.0);
        assertThat(new Measured(1, 0.5, 1, 0.5).perSecond()).isLessThan(0.1);
    }

    @Test
    void longJobsThatStartedTogetherAndEndTogetherMakeNoHighRate() {
        long sent = BEGAN + 20 * MINUTE;
        see("t", "cpu", sent, 16, 0, 0, sent);
        for (int second = 0; second < 16; second++) {
            see("t", "cpu", sent, second + 1, 0, sent + 8 * MINUTE + 1000L * second);
        }
        long now = sent + 8 * MINUTE + 31_000;

        assertThat(throughput.ofTask("t", now).perSecond() * 60).isBetween(1.5, 2.5);
        assertThat(throughput.ofPool("cpu", now).perSecond() * 60).isBetween(1.5, 2.5);
        assertThat(Estimate.of(160, throughput.ofTask("t", now)).highS()).isGreaterThan(80 * 60);
    }

    @Test
    void theStepsOfAHistoryHaveAllThatEndedWithinSixHours() {
        Random random = new Random(7);
        long ended = 0;
        long endedBefore = 0;
        long now = BEGAN;
        for (int second = 0; second < 9 * 3600; second += 1 + random.nextInt(20)) {
            now = BEGAN + second * 1000L;
            ended += random.nextInt(3);
            see("t", "cpu", BEGAN, ended, ended / 4, now);
            if (Series.step(now) <= Series.step(BEGAN + 9 * 3600 * 1000L) - Series.KEPT_STEPS) {
                endedBefore = ended;
            }
        }
        now = BEGAN + 9 * 3600 * 1000L;
        TaskHistory history = throughput.historyOfTask("t", now);

        assertThat(history.ended()).hasSizeLessThanOrEqualTo(360);
        assertThat(Arrays.stream(history.ended()).sum()).isEqualTo(ended - endedBefore);
        assertThat(history.from().plusSeconds((long) history.stepS() * history.ended().length))
                .isAfter(Instant.ofEpochMilli(now))
                .isBefore(Instant.ofEpochMilli(now).plusSeconds(11));
        assertThat(Arrays.stream(history.ended()).max().orElseThrow()).isLessThan(60);
    }

    @Test
    void aYoungHistoryHasStepsOfTenSeconds() {
        see("t", "cpu", BEGAN, 4, 1, BEGAN + 5_000);
        see("t", "cpu", BEGAN, 6, 1, BEGAN + 25_000);
        History history = throughput.historyOfPool("cpu", BEGAN + 31_000);

        assertThat(history.stepS()).isEqualTo(10);
        assertThat(history.ended()).containsExactly(4, 0, 2, 0);
        assertThat(history.failed()).containsExactly(1, 0, 0, 0);
    }

    @Test
    void aClockThatIsSetBackBeforeTheBeginningLeavesAHistory() {
        see("t", "cpu", BEGAN, 5, 0, BEGAN + 1000);

        assertThat(throughput.historyOfPool("cpu", BEGAN - 60 * MINUTE).ended()).containsExactly(0);
        assertThat(throughput.ofPool("cpu", BEGAN - 60 * MINUTE).longSeconds()).isNotNegative();
    }

    @Test
    void jobsOfATaskWhoseCountsWereForgottenAreNotCountedAsEndedNow() {
        Throughput small = new Throughput(BEGAN, 2);
        for (String task : new String[] {"long", "a", "b", "long"}) {
            small.see(new Changed(true, task, "cpu", 0, 1, 500, 0, 0, BEGAN), BEGAN + 1000);
        }

        assertThat(small.ofPool("cpu", BEGAN + MINUTE).longJobs()).isEqualTo(1500);
    }

    @Test
    void ofManyTasksThoseAreKeptOfWhichSomethingEndedLast() {
        for (int i = 0; i < 1500; i++) {
            see("t" + i, "cpu", BEGAN, 5, 0, BEGAN + 1000 + i);
        }
        assertThat(throughput.ofTask("t0", BEGAN + MINUTE).longJobs()).isZero();
        assertThat(throughput.ofTask("t1499", BEGAN + MINUTE).longJobs()).isEqualTo(5);
        assertThat(throughput.ofPool("cpu", BEGAN + MINUTE).longJobs()).isEqualTo(7500);
    }

    @Test
    void anEstimateSaysTheRateAndARange() {
        assertThat(Estimate.of(36_000, new Measured(7200, 600, 720, 60)).text())
                .isEqualTo("at 12 jobs/s, 47 to 54 minutes");
        assertThat(Estimate.of(36_000, new Measured(7200, 600, 360, 60)).text())
                .as("slower in the last minute")
                .isEqualTo("at 12 jobs/s, 49 to 112 minutes");
        assertThat(Estimate.of(36_000, new Measured(7200, 600, 0, 60)).text())
                .as("nothing in the last minute")
                .isEqualTo("at 12 jobs/s, 49 minutes or more");
        assertThat(Estimate.of(10, new Measured(7200, 600, 720, 60)).text())
                .isEqualTo("at 12 jobs/s, less than a minute");
        assertThat(Estimate.of(290, new Measured(10, 100, 6, 60)).text())
                .isEqualTo("at 0.1 jobs/s, 27 minutes to 4 hours");
        assertThat(Estimate.of(5000, new Measured(25, 600, 0, 60)).text())
                .as("slow, and none in the last minute by chance")
                .isEqualTo("at 2.5 jobs/minute, 1 to 2 days");
    }

    @Test
    void anEstimateWithoutGroundIsUnknownAndSaysWhy() {
        assertThat(Estimate.of(10, new Measured(0, 600, 0, 60)).text())
                .isEqualTo("unknown: nothing ended in the last 10 minutes");
        assertThat(Estimate.of(10, new Measured(0, 4, 0, 4)).text())
                .isEqualTo("unknown: nothing ended since the gateway started, less than 10 minutes ago");
        assertThat(Estimate.of(10, new Measured(90, 20, 90, 20)).text())
                .isEqualTo("unknown: its jobs have been counted for less than half a minute");
        assertThat(Estimate.of(10, new Measured(1, 600, 0, 60)).highS()).isNull();
        assertThat(Estimate.of(0, new Measured(5, 600, 0, 60)).text()).isEqualTo("nothing is left");
    }

    @Test
    void theTimeThatWasTakenIsInTheRangeForAlmostAllRandomRuns() {
        Random random = new Random(20);
        int within = 0;
        for (int run = 0; run < 1000; run++) {
            double perSecond = Math.exp(random.nextDouble() * 6 - 3);
            long jobs = poisson(random, perSecond * 600);
            long last = poisson(random, perSecond * 60);
            Estimate estimate = Estimate.of(10_000, new Measured(Math.max(jobs, last), 600, last, 60));
            double takes = 10_000 / perSecond;
            if (estimate.lowS() != null
                    && takes >= estimate.lowS() - 1
                    && (estimate.highS() == null || takes <= estimate.highS() + 1)) {
                within++;
            }
        }
        assertThat(within).isGreaterThan(930);
    }

    /** By the sum of a normal distribution, which is close enough here. */
    private static long poisson(Random random, double mean) {
        return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
    }

    @Test
    void ranksAreKeptWithTheTimeOfTheirChangeForSixHours() {
        throughput.seeRank("t", 4, BEGAN);
        throughput.seeRank("t", 4, BEGAN + 1000);
        throughput.seeRank("t", 7, BEGAN + MINUTE);
        assertThat(throughput.historyOfTask("t", BEGAN + 2 * MINUTE).rank())
                .containsExactly(
                        new TaskHistory.RankAt(Instant.ofEpochMilli(BEGAN), 4),
                        new TaskHistory.RankAt(Instant.ofEpochMilli(BEGAN + MINUTE), 7));
        assertThat(throughput.historyOfTask("other", BEGAN).rank()).isEmpty();

        long later = BEGAN + 7 * 60 * MINUTE;
        throughput.seeRank("t", 2, later);
        assertThat(throughput.historyOfTask("t", later).rank())
                .as("7 held until six hours ago, and after")
                .extracting(TaskHistory.RankAt::rank)
                .containsExactly(7.0, 2.0);
        for (int i = 0; i < 2000; i++) {
            throughput.seeRank("t", i, later + i);
        }
        assertThat(throughput.historyOfTask("t", later + 2000).rank()).hasSize(500);
    }
}
