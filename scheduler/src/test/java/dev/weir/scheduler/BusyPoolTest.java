package dev.weir.scheduler;

import static dev.weir.scheduler.TwoPools.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A full group that two pools share, of which one has more other work than its window holds. */
class BusyPoolTest {

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"iwrr, 4", "iwrr, 16", "iwrr, 64", "wrr, 4", "wrr, 16", "wrr, 64", "wfq, 4", "wfq, 16", "wfq, 64"})
    void aTaskOfTheBusyPoolGetsAtLeastAFifthOfThePlaces(String policy, int window) {
        TwoPools pools = new TwoPools(pool(policy, window), pool("iwrr", 8), Map.of("site", 2));
        pools.gpu("gpu-site", "site");
        pools.cpu("cpu-busy");
        pools.cpu("cpu-site", "site");
        pools.run(60_000);

        int both = pools.starts("cpu-site") + pools.starts("gpu-site");
        assertThat(pools.starts("cpu-site")).isBetween(both / 5, both * 7 / 10);
        assertThat(both).isGreaterThan(90);
    }

    @Tag("long")
    @Test
    void bothGetTheirsIfBothPoolsAreBusy() {
        TwoPools pools = new TwoPools(pool("iwrr", 16), pool("iwrr", 8), Map.of("site", 2));
        for (String task : List.of("busy", "site")) {
            String[] groups = task.equals("busy") ? new String[0] : new String[] {"site"};
            pools.cpu("cpu-" + task, groups);
            pools.gpu("gpu-" + task, groups);
        }
        pools.run(60_000);

        assertThat(pools.starts("cpu-site")).isGreaterThan(35);
        assertThat(pools.starts("gpu-site")).isGreaterThan(35);
    }

    @ParameterizedTest
    @CsvSource({"16, 3, 3, 8", "3, 3, 2, 7", "2, 4, 4, 4"})
    void aFileInTwoGroupsStartsThoughItsPoolIsBusy(int a, int b, int cpuWindow, int gpuWindow) {
        TwoPools pools = new TwoPools(pool("iwrr", cpuWindow), pool("iwrr", gpuWindow), Map.of("a", a, "b", b));
        pools.gpu("gpu-b", "b");
        pools.gpu("gpu-a", "a");
        pools.cpu("cpu-busy");
        pools.cpu("cpu-ab", "a", "b");
        pools.run(120_000);

        assertThat(pools.starts("cpu-ab")).isGreaterThan(5);
    }

    /** One place in the group is kept for task "cpu-site", whose pool is full with one long job; "gpu-site" has room. */
    private static Lab kept(String gpuPolicy) {
        TwoPools pools = new TwoPools(pool("iwrr", 1), pool(gpuPolicy, 4), Map.of("site", 1));
        Lab lab = pools.lab;
        pools.cpu("cpu-busy");
        lab.dataset("gpu-site", 50)
                .task(Lab.task("gpu-site", "gpu-site")
                        .groups("site")
                        .gpu()
                        .retry(3)
                        .build());
        pools.cpu("cpu-site", "site");
        return lab;
    }

    /** The first place goes to the pool with room; from then on a place is reserved. */
    private static Job passOver(Lab lab) {
        Job busy = others(lab, lab.take("cpu"));
        lab.starting("c", busy);
        lab.finished("g", lab.take("gpu")).pass(200);
        lab.finished("g", lab.take("gpu")).settle();
        return busy;
    }

    @Test
    void thePlaceWaitsForThePoolThatWasPassedOver() {
        Lab lab = kept("iwrr");
        Job busy = passOver(lab);
        assertThat(lab.take("gpu")).isNull();
        // The next two of the busy pool are one of each task.
        lab.finished("c", busy).settle();
        Job next = lab.take("cpu");
        if (!next.taskUid().equals("cpu-site")) {
            lab.finished("c", next).settle();
            next = lab.take("cpu");
        }
        assertThat(next.taskUid()).isEqualTo("cpu-site");
        lab.finished("c", next).settle();

        assertThat(lab.take("gpu")).isNotNull();
    }

    @Test
    void itIsReservedForASecondAtFirstThenNotForFourAndThenForAsLongAsThePoolHasWaited() {
        Lab lab = kept("iwrr");
        passOver(lab);
        lab.pass(990);
        assertThat(lab.take("gpu")).isNull();
        lab.pass(10);
        Job late = lab.take("gpu");
        assertThat(late).isNotNull();
        lab.pass(4_000).finished("g", late).settle();
        late = lab.take("gpu");
        assertThat(late).isNotNull();
        lab.pass(10).finished("g", late).settle();
        assertThat(lab.take("gpu")).isNull();
        lab.pass(5_000);
        assertThat(lab.take("gpu")).isNull();
        assertThat(lab.taskRows.get("gpu-site").whyText())
                .isEqualTo("group site has 0 of 1 in flight, and a place is reserved for a pool that has no room");
        lab.pass(300);

        assertThat(lab.take("gpu")).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = Command.Type.class,
            names = {"PAUSE", "CANCEL", "CLOSE"})
    void itIsGivenBackAtOnceWhenTheTaskStartsNothingMore(Command.Type type) {
        Lab lab = kept("iwrr");
        passOver(lab);
        assertThat(lab.take("gpu")).isNull();
        lab.command(type, "cpu-site").settle();

        assertThat(lab.take("gpu")).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = Command.Type.class,
            names = {"POOL_PAUSE", "POOL_DRAIN"})
    void itIsGivenBackAtOnceWhenThePoolStartsNothingMore(Command.Type type) {
        Lab lab = kept("iwrr");
        passOver(lab);
        assertThat(lab.take("gpu")).isNull();
        lab.pool(type, "cpu").settle();

        assertThat(lab.take("gpu")).isNotNull();
    }

    /** The turn of "cpu-site" comes while the group is full, so it waits there. */
    private static Job others(Lab lab, Job busy) {
        Job job = busy;
        for (int i = 0; i < 3; i++) {
            lab.finished("c", job).settle();
            job = lab.take("cpu");
        }
        return job;
    }

    @Test
    void itIsForgottenWhenTheSchedulerStartsAgain() {
        Lab lab = kept("iwrr");
        passOver(lab);
        assertThat(lab.take("gpu")).isNull();
        lab.restore(lab.store).settle();

        assertThat(lab.take("gpu")).isNotNull();
    }

    @Test
    void nothingIsKeptAgainstAPoolInWhichTheHighestRankGoesFirst() {
        Lab lab = kept("strict");
        passOver(lab);

        assertThat(lab.take("gpu")).isNotNull();
    }
}
