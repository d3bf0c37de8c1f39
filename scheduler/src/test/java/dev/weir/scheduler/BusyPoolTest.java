package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.options.LimitOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A full group that two pools share, of which one has more other work than its window holds. */
class BusyPoolTest {

    private record Running(long end, int number, Job job) {}

    private final Random random = new Random(1);
    private final Map<String, Integer> starts = new TreeMap<>();
    private final PriorityQueue<Running> running =
            new PriorityQueue<>(Comparator.comparingLong(Running::end).thenComparingInt(Running::number));
    private int number;

    private static Lab lab(PoolOptions cpu, PoolOptions gpu, Map<String, Integer> limits) {
        Map<String, GroupLimit> groups = new TreeMap<>();
        limits.forEach((group, limit) -> groups.put(group, GroupLimit.inFlight(limit)));
        return new Lab(SchedulerOptions.defaults()
                .withPool("cpu", cpu)
                .withPool("gpu", gpu)
                .withLimits(new LimitOptions(List.of(), groups)));
    }

    private static PoolOptions pool(String policy, int window) {
        return PoolOptions.defaults().withPolicy(policy).withWindow(window);
    }

    private static void cpu(Lab lab, String name, String... groups) {
        lab.dataset(name, 5_000)
                .task(Lab.task(name, name).ranker("fixed").groups(groups).build());
    }

    private static void gpu(Lab lab, String name, String... groups) {
        lab.dataset(name, 5_000)
                .task(Lab.task(name, name).ranker("fixed").groups(groups).gpu().build());
    }

    /** Each job takes from half of this time to one and a half, and one that is in the queue is started at once. */
    private void run(Lab lab, long millis, int jobMillis) {
        long until = lab.now + millis;
        while (lab.now < until) {
            for (String pool : List.of("cpu", "gpu")) {
                for (Job job = lab.take(pool); job != null; job = lab.take(pool)) {
                    starts.merge(job.taskUid(), 1, Integer::sum);
                    lab.starting("p" + number, job);
                    running.add(new Running(lab.now + jobMillis / 2 + random.nextInt(jobMillis), number++, job));
                }
            }
            long end = running.isEmpty() ? until : running.peek().end;
            if (lab.scheduler.nextDeadlineMillis() < end || running.isEmpty()) {
                lab.now = Math.max(lab.now, Math.min(until, lab.scheduler.nextDeadlineMillis()));
                lab.apply(new Event.Tick());
                lab.settle();
            } else {
                Running first = running.remove();
                lab.now = Math.max(lab.now, first.end);
                lab.finished("p" + first.number, first.job).settle();
            }
        }
    }

    private int starts(String task) {
        return starts.getOrDefault(task, 0);
    }

    @ParameterizedTest
    @CsvSource({"iwrr, 4", "iwrr, 16", "iwrr, 64", "wrr, 4", "wrr, 16", "wrr, 64", "wfq, 4", "wfq, 16", "wfq, 64"})
    void aTaskOfTheBusyPoolGetsAboutAsManyPlacesAsOneOfTheOther(String policy, int window) {
        Lab lab = lab(pool(policy, window), pool("iwrr", 8), Map.of("site", 2));
        gpu(lab, "gpu-site", "site");
        cpu(lab, "cpu-busy");
        cpu(lab, "cpu-site", "site");
        run(lab, 60_000, 1_000);

        int both = starts("cpu-site") + starts("gpu-site");
        assertThat(starts("cpu-site")).isBetween(both * 3 / 10, both * 7 / 10);
        assertThat(both).isGreaterThan(90);
    }

    @Test
    void bothGetTheirsIfBothPoolsAreBusy() {
        Lab lab = lab(pool("iwrr", 16), pool("iwrr", 8), Map.of("site", 2));
        for (String task : List.of("busy", "site")) {
            String[] groups = task.equals("busy") ? new String[0] : new String[] {"site"};
            cpu(lab, "cpu-" + task, groups);
            gpu(lab, "gpu-" + task, groups);
        }
        run(lab, 60_000, 1_000);

        assertThat(starts("cpu-site")).isGreaterThan(35);
        assertThat(starts("gpu-site")).isGreaterThan(35);
    }

    @ParameterizedTest
    @CsvSource({"16, 3, 3, 8", "3, 3, 2, 7", "2, 4, 4, 4"})
    void aFileInTwoGroupsStartsThoughItsPoolIsBusy(int a, int b, int cpuWindow, int gpuWindow) {
        Lab lab = lab(pool("iwrr", cpuWindow), pool("iwrr", gpuWindow), Map.of("a", a, "b", b));
        gpu(lab, "gpu-b", "b");
        gpu(lab, "gpu-a", "a");
        cpu(lab, "cpu-busy");
        cpu(lab, "cpu-ab", "a", "b");
        run(lab, 120_000, 1_000);

        assertThat(starts("cpu-ab")).isGreaterThan(10);
    }

    /** One place in the group is kept for task "cpu-site", whose pool is full with one long job; "gpu-site" has room. */
    private static Lab kept(String gpuPolicy) {
        Lab lab = lab(pool("iwrr", 1), pool(gpuPolicy, 4), Map.of("site", 1));
        cpu(lab, "cpu-busy");
        lab.dataset("gpu-site", 50)
                .task(Lab.task("gpu-site", "gpu-site")
                        .groups("site")
                        .gpu()
                        .retry(3)
                        .build());
        cpu(lab, "cpu-site", "site");
        return lab;
    }

    /** The first turn goes to who has room; from then on a place is kept. */
    private static Job passOver(Lab lab) {
        // Its turn comes while the group is full, so it waits there.
        for (int i = 0; i < 3; i++) {
            lab.finished("c", lab.take("cpu")).settle();
        }
        Job busy = lab.take("cpu");
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
    void itIsKeptForASecondAtFirstAndThenNotForAsLong() {
        Lab lab = kept("iwrr");
        passOver(lab);
        lab.pass(990);
        assertThat(lab.take("gpu")).isNull();
        lab.pass(10);
        Job late = lab.take("gpu");
        assertThat(late).isNotNull();
        lab.pass(500).finished("g", late).settle();
        Job another = lab.take("gpu");
        assertThat(another).isNotNull();
        // By now it has waited longer, and may keep a place for longer.
        lab.pass(600).finished("g", another).settle();
        lab.pass(2_000);
        assertThat(lab.take("gpu")).isNull();
        lab.pass(500);

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
