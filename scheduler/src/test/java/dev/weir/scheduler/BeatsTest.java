package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Beat;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Route;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our own beats drive the clock of leases and measure the way through the broker. */
class BeatsTest {

    private static final String ROUTE = new Route(0, 0, "weir").encoded();

    @ParameterizedTest
    @ValueSource(longs = {0, 40})
    void beatsThatComeTogetherAdvanceTheClockNoFurtherThanTimeHasPassed(long millisApart) {
        Lab lab = Lab.withDefaults();
        lab.dataset("in", 1).task(Lab.task("t", "in").build());
        Job job = lab.take();
        lab.starting("p", job);
        for (int i = 0; i < 100; i++) {
            lab.now += millisApart;
            lab.apply(new Event.ReportArrived(new Beat(Instant.ofEpochMilli(lab.now), ROUTE)));
        }

        assertThat(lab.jobRows.get(job.uid()).status()).isEqualTo(JobStatus.STARTING);
        lab.pass(80_000);
        assertThat(lab.jobRows.get(job.uid()).status()).isNotEqualTo(JobStatus.STARTING);
    }

    @ParameterizedTest
    @CsvSource({"true,2,17,18", "true,1000,216,218", "false,1000,15,25"})
    void theWindowFollowsHowLongABeatTakesWhenItSaysWhenItWasSent(boolean says, long millis, long least, long most) {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindowBounds(1, 1000)));
        for (int i = 0; i < 10; i++) {
            lab.idle("p" + i);
        }
        lab.dataset("in", 500).task(Lab.task("t", "in").build());
        for (int i = 0; i < 200; i++) {
            Job job = lab.take();
            lab.starting("p0", job);
            lab.now += 100;
            lab.finished("p0", job).settle();
        }
        for (int i = 0; i < 4; i++) {
            Instant sent = says ? Instant.ofEpochMilli(lab.now) : null;
            lab.now += millis;
            lab.apply(new Event.ReportArrived(new Beat(sent, ROUTE)));
        }

        assertThat(lab.scheduler.metrics().pools().get("cpu").window()).isBetween(least, most);
        // Where it has grown it is filled without waiting for anything else.
        assertThat(lab.scheduler.metrics().pools().get("cpu").queued()).isGreaterThanOrEqualTo(least);
    }

    /** The clock is a day ahead for a while; then we are restarted with the right time. */
    private static void aDayAheadAndBack(Lab lab, Runnable meanwhile) {
        long right = lab.now;
        lab.now += Duration.ofDays(1).toMillis();
        meanwhile.run();
        lab.now = right + 60_000;
        lab.restore(lab.store);
    }

    @Test
    void afterAClockFarAheadARestartLetsLeasesRunOutAgain() {
        Lab lab = Lab.withDefaults();
        lab.dataset("in", 1).task(Lab.task("t", "in").build());
        Job job = lab.take();
        lab.starting("p", job).idle("q").pass(30_000);
        aDayAheadAndBack(lab, () -> lab.alive("p", job).pass(30_000).alive("p", job));
        for (int i = 0; i < 10; i++) {
            lab.pass(15_000).idle("q");
        }

        assertThat(lab.jobRows.get(job.uid()).systemRetries()).isEqualTo(1);
    }

    @Test
    void afterAClockFarAheadARestartSetsNoNodeAsideForLongerThanItMayBe() {
        Lab lab = Lab.withDefaults();
        lab.dataset("in", 40).task(Lab.task("t", "in").build()).idle("a").idle("b");
        aDayAheadAndBack(lab, () -> {
            for (int i = 0; i < 5; i++) {
                Job job = lab.take();
                lab.idle("b").starting("a", job).failed("a", job, ErrorType.STAGE_IN);
            }
        });
        for (int i = 0; i < 19; i++) {
            lab.idle("a").idle("b");
            assertThat(lab.scheduler.metrics().pools().get("cpu").pilots()).isEqualTo(1);
            lab.pass(15_000);
        }
        lab.idle("a").idle("b").pass(15_000);

        assertThat(lab.scheduler.metrics().pools().get("cpu").pilots()).isEqualTo(2);
    }
}
