package dev.weir.scheduler;

import static dev.weir.scheduler.TwoPools.pool;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A full group that two pools share, of which one has other work that lasts long: how much of it is kept for that pool in vain. */
@Tag("long")
class LongJobsInABusyPoolTest {

    private static final int HOUR = 3_600_000;
    private static final int MINUTE = 60_000;

    /** The busy pool has room once in a quarter of an hour. */
    private static TwoPools site() {
        TwoPools pools = new TwoPools(pool("iwrr", 4), pool("iwrr", 8), Map.of("site", 1));
        pools.millis = job -> pools.about(job.taskUid().equals("cpu-busy") ? HOUR : 1_000);
        pools.cpu("cpu-busy");
        pools.gpu("gpu-site", "site");
        pools.cpu("cpu-site", "site");
        return pools;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theOtherPoolKeepsMostOfItsRate(int hours) {
        TwoPools pools = site();
        pools.run(hours * (long) HOUR);

        assertThat(pools.starts("gpu-site")).as(pools.starts().toString()).isGreaterThan(hours * 2_500);
    }

    /** The ends of the busy pool must not all fall into times in which the group reserves nothing. */
    @ParameterizedTest
    @CsvSource({"600, 1, 12", "1200, 1, 12", "3600, 1, 24", "3600, 2, 12"})
    void aTaskOfTheBusyPoolStartsAlsoIfAllJobsLastEquallyLong(int seconds, int window, int hours) {
        TwoPools pools = new TwoPools(pool("iwrr", window), pool("iwrr", 8), Map.of("site", 1));
        pools.millis = job -> job.taskUid().equals("cpu-busy") ? seconds * 1_000 : 10_000;
        pools.cpu("cpu-busy");
        pools.gpu("gpu-site", "site");
        pools.cpu("cpu-site", "site");
        pools.run(hours * (long) HOUR);

        assertThat(pools.starts("cpu-site")).as(pools.starts().toString()).isGreaterThan(1);
    }

    @ParameterizedTest
    @CsvSource({"60, 20, 8", "180, 20, 40", "600, 60, 100"})
    void aFileInTwoGroupsGoesOnBesideAPoolForWhichAPlaceIsKept(int seconds, int minutes, int starts) {
        TwoPools pools = new TwoPools(pool("iwrr", 4), pool("iwrr", 40), Map.of("a", 2, "b", 4));
        pools.millis = job -> pools.about(job.taskUid().equals("cpu-busy") ? seconds * 1_000 : 2_000);
        pools.cpu("cpu-busy");
        pools.gpu("gpu-a", "a");
        pools.gpu("gpu-b", "b");
        pools.gpu("gpu-ab", "a", "b");
        pools.cpu("cpu-a", "a");
        pools.run(minutes * MINUTE);

        assertThat(pools.starts("gpu-ab")).as(pools.starts().toString()).isGreaterThan(starts);
        assertThat(pools.starts("cpu-a")).as(pools.starts().toString()).isPositive();
    }

    /** So many that at one of them somebody of the busy pool has just been passed over. */
    private static final int MOMENTS = 8;

    @Test
    void aGroupThatWasClosedIsUsedAtOnceWhenItOpens() {
        for (int moment = 0; moment < MOMENTS; moment++) {
            TwoPools pools = shortThenLong(moment);
            pools.lab.limit("site", 0, null, null).settle();
            pools.run(10 * MINUTE);
            pools.millis = job -> job.taskUid().equals("cpu-busy") ? 4 * HOUR : 1_000;
            pools.run(10_000);
            pools.lab.limit("site", 1, null, null).settle();
            pools.run(2 * MINUTE);
            assertThat(pools.longestPauseMillis()).as("moment " + moment).isLessThan(MINUTE);
        }
    }

    private static TwoPools shortThenLong(int moment) {
        TwoPools pools = new TwoPools(pool("iwrr", 2), pool("iwrr", 8), Map.of("site", 1));
        pools.millis = job -> pools.about(job.taskUid().equals("cpu-busy") ? 6_000 : 1_000);
        pools.cpu("cpu-busy");
        pools.gpu("gpu-site", "site");
        pools.cpu("cpu-site", "site");
        pools.run(20_000 + 731 * moment);
        return pools;
    }
}
