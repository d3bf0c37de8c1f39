package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Command;
import dev.weir.protocol.Job;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Files in two groups, which files in one group each keep full: they start too, and the other files lose little. */
class CrossingGroupsTest {

    private record Out(long end, int number, Job job) {}

    private final Map<String, Integer> served = new TreeMap<>();
    private final PriorityQueue<Out> running =
            new PriorityQueue<>((a, b) -> a.end == b.end ? a.number - b.number : Long.compare(a.end, b.end));
    private final Random random = new Random(1);
    /** How long the jobs of a task last, in milliseconds, where it is not about a second. */
    private final Map<String, Integer> millis = new TreeMap<>();

    private int number;
    private Lab lab;

    private void limits(Map<String, Integer> limits) {
        limits(PoolOptions.IWRR, limits);
    }

    private void limits(String policy, Map<String, Integer> limits) {
        groupLimits(
                policy,
                limits.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, e -> GroupLimit.inFlight(e.getValue()))));
    }

    private void groupLimits(String policy, Map<String, GroupLimit> limits) {
        lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withPolicy(policy).withWindow(1_000))
                .withPool("gpu", PoolOptions.defaults().withWindow(1_000))
                .withPilots(PilotOptions.defaults().withLease(Duration.ofHours(1), Duration.ofDays(1)))
                .withLimits(new LimitOptions(List.of(), limits)));
        lab.idle("cpu").idle("gpu", "gpu");
    }

    private void task(String name, String... groups) {
        lab.dataset(name, 10_000)
                .task(Lab.task(name, name).ranker("fixed").groups(groups).build());
    }

    private void gpuTask(String name, String... groups) {
        lab.dataset(name, 10_000)
                .task(Lab.task(name, name).ranker("fixed").groups(groups).gpu().build());
    }

    /** Takes what comes, and lets the job end that ends first. */
    private void end() {
        take();
        Out next = running.remove();
        lab.pass(next.end - lab.now).finished("p" + next.number, next.job).settle();
    }

    /** Lets jobs end and start windows open for a time. */
    private void pass(long millis) {
        long until = lab.now + millis;
        while (lab.now < until) {
            take();
            long end = running.isEmpty() ? until : running.peek().end;
            long opens = Math.max(lab.now + 1, lab.scheduler.nextDeadlineMillis());
            if (opens < end) {
                lab.pass(opens - lab.now);
            } else if (running.isEmpty()) {
                lab.pass(until - lab.now);
            } else {
                end();
            }
        }
    }

    private void take() {
        for (String pool : List.of("cpu", "gpu")) {
            for (Job job = lab.take(pool); job != null; job = lab.take(pool)) {
                lab.starting("p" + number, job);
                served.merge(job.taskUid(), 1, Integer::sum);
                int length = millis.getOrDefault(job.taskUid(), 500 + random.nextInt(1_000));
                running.add(new Out(lab.now + length, number++, job));
            }
        }
    }

    private void ends(int ends) {
        for (int i = 0; i < ends; i++) {
            end();
        }
    }

    private int served(String task) {
        return served.getOrDefault(task, 0);
    }

    /** Ends of jobs until a place in a group of one stays empty, which others could take. */
    private void untilAPlaceIsKeptIn(String group) {
        do {
            end();
            take();
        } while (LaneAudit.groupsInFlight(lab.scheduler).get(group) == 1);
    }

    @ParameterizedTest
    @CsvSource({
        "a, 1, b, 1",
        "b, 1, a, 1",
        "tape, 2, disk, 2",
        "disk, 2, tape, 2",
        "a, 1, b, 4",
        "b, 1, a, 4",
        "a, 10, b, 10",
        "a, 10, b, 2"
    })
    void aFileInTwoGroupsStartsBesideOthersThatAreInOneOfThem(String first, int most, String second, int mostOfSecond) {
        limits(Map.of(first, most, second, mostOfSecond));
        task("first", first);
        task("second", second);
        task("both", first, second);
        long from = lab.now;
        ends(1_000);

        double seconds = (lab.now - from) / 1_000.0;
        // For each of its starts a place is reserved, and then none for four times as long.
        assertThat(served("both")).as(served.toString()).isGreaterThan(Math.min(served("first"), served("second")) / 8);
        // And the places are hardly ever empty for it.
        assertThat(served("first") + served("both")).as(served.toString()).isGreaterThan((int) (0.8 * seconds * most));
        assertThat(served("second") + served("both")).as(served.toString()).isGreaterThan((int)
                (0.8 * seconds * mostOfSecond));
    }

    @Test
    void thoseWhoAreInTheSameTwoGroupsGetAsMuchAsEachOther() {
        limits(Map.of("a", 2, "b", 2));
        task("first", "a");
        task("second", "b");
        for (int i = 0; i < 6; i++) {
            task("both" + i, "a", "b");
        }
        ends(2_000);

        IntSummaryStatistics both = served.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("both"))
                .mapToInt(Map.Entry::getValue)
                .summaryStatistics();
        assertThat(both.getCount()).isEqualTo(6);
        assertThat(both.getMin()).as(served.toString()).isGreaterThan(both.getMax() * 8 / 10);
        assertThat(both.getMin() * 15).as(served.toString()).isGreaterThan(served("second"));
    }

    /** These ask in step with the windows, and the same one would find a place free to be kept each time. */
    @Tag("long")
    @ParameterizedTest
    @CsvSource({"5, -1, 3, 5000", "2, 50, 10, 10000", "1, -1, 1, 10000"})
    void thoseWhoAreInTheSameTwoGroupsGetAsMuchAsEachOtherAlsoWhereOneOfThemLimitsStarts(
            int most, int mostOfSecond, int starts, int window) {
        groupLimits(
                PoolOptions.IWRR,
                Map.of(
                        "a",
                        GroupLimit.inFlight(most),
                        "b",
                        new GroupLimit(
                                mostOfSecond < 0 ? GroupLimit.UNLIMITED : mostOfSecond,
                                starts,
                                Duration.ofMillis(window))));
        task("first", "a");
        task("second", "b");
        for (int i = 0; i < 4; i++) {
            task("both" + i, "a", "b");
        }
        pass(1_000_000);

        IntSummaryStatistics both = served.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("both"))
                .mapToInt(Map.Entry::getValue)
                .summaryStatistics();
        assertThat(both.getCount()).as(served.toString()).isEqualTo(4);
        assertThat(both.getMin()).as(served.toString()).isGreaterThan(both.getMax() / 2);
    }

    @Test
    void thoseWhoAreInTheSameTwoGroupsOfOneDoNotWaitForEachOther() {
        limits(Map.of("a", 1, "b", 1));
        task("x", "a", "b");
        task("y", "b", "a");
        long from = lab.now;
        ends(200);

        assertThat(lab.now - from).isLessThan(200 * 1_100);
        assertThat(served("x")).isBetween(95, 105);
    }

    @Test
    void aFileInThreeGroupsStartsBesideOthersThatAreInOneOrTwoOfThem() {
        limits(Map.of("a", 1, "b", 1, "c", 1));
        for (String task : List.of("a", "b", "c", "a b", "b c", "c a", "a b c")) {
            task(task.replace(' ', '-'), task.split(" "));
        }
        ends(2_000);

        assertThat(served).hasSize(7);
        assertThat(served("a-b-c")).as(served.toString()).isGreaterThan(served("a") / 30);
    }

    @Test
    void itStartsAlsoWhenTheOthersAreInAnotherPool() {
        limits(Map.of("a", 2, "b", 2));
        gpuTask("first", "a");
        gpuTask("second", "b");
        task("both", "a", "b");
        ends(1_000);

        assertThat(served("both")).as(served.toString()).isGreaterThan(served("first") / 6);
    }

    @Test
    void whatIsTriedAgainStartsTooAlsoInAPoolThatIsDrained() {
        limits(Map.of("a", 1, "b", 1));
        gpuTask("first", "a");
        gpuTask("second", "b");
        lab.dataset("both", 10_000)
                .task(Lab.task("both", "both").retry(3).groups("a", "b").build());
        Job begun = null;
        while (begun == null) {
            end();
            begun = lab.take("cpu");
        }
        lab.now++;
        lab.starting("p", begun).pool(Command.Type.POOL_DRAIN, "cpu").failed("p", begun);
        ends(50);

        assertThat(lab.jobs)
                .filteredOn(job -> job.taskUid().equals("both"))
                .extracting(Job::attempt)
                .containsExactly(1, 2);
    }

    @Test
    void whereThePolicyDecidesWhoGoesFirstNoPlaceIsKept() {
        limits(PoolOptions.STRICT, Map.of("a", 1, "b", 2));
        task("both", "a", "b");
        task("first", "a");
        task("second", "b");
        for (int i = 0; i < 500; i++) {
            end();
            take();
            assertThat(LaneAudit.groupsInFlight(lab.scheduler))
                    .containsEntry("a", 1)
                    .containsEntry("b", 2);
        }
    }

    @Test
    void hostsInAFullNetworkShareItEqually() {
        Map<String, Integer> limits = new TreeMap<>(Map.of("net", 10));
        for (int i = 0; i < 10; i++) {
            limits.put("host" + i, 2);
        }
        limits(limits);
        for (int i = 0; i < 20; i++) {
            task("t" + i, "host" + i % 10, "net");
        }
        long from = lab.now;
        ends(2_000);

        IntSummaryStatistics shares =
                served.values().stream().mapToInt(jobs -> jobs).summaryStatistics();
        assertThat(shares.getMin()).as(served.toString()).isGreaterThan(shares.getMax() * 7 / 10);
        // Nothing is kept where all files need both groups: ten at a time, each about a second.
        assertThat(lab.now - from).isLessThan(2_000 * 1_100 / 10);
    }

    @Test
    void aPlaceIsNotKeptAnyLongerWhenTheOtherGroupIsClosed() {
        twoGroupsOfDifferentSize();
        untilAPlaceIsKeptIn("a");
        int before = served("first");
        lab.pass(1_000);
        assertThat(lab.taskRows.get("first").whyText()).contains("a has 0 of 1 in flight, and a place is reserved");
        lab.limit("b", 0, null, null);
        take();

        assertThat(served("first")).isEqualTo(before + 1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Command.Type.class,
            names = {"PAUSE", "CANCEL", "CLOSE"})
    void aPlaceIsNotKeptAnyLongerForATaskThatStartsNothing(Command.Type command) {
        twoGroupsOfDifferentSize();
        untilAPlaceIsKeptIn("a");
        int before = served("first");
        lab.now++;
        lab.command(command, "both");
        take();

        assertThat(served("first")).isEqualTo(before + 1);
    }

    @Test
    void aPlaceIsNotKeptAnyLongerForATaskOfAPoolThatIsDrained() {
        limits(Map.of("a", 1, "b", 2));
        gpuTask("first", "a");
        gpuTask("second", "b");
        task("both", "a", "b");
        untilAPlaceIsKeptIn("a");
        int before = served("first");
        lab.now++;
        lab.pool(Command.Type.POOL_DRAIN, "cpu");
        take();

        assertThat(served("first")).isEqualTo(before + 1);
    }

    private void twoGroupsOfDifferentSize() {
        limits(Map.of("a", 1, "b", 2));
        task("first", "a");
        task("second", "b");
        task("both", "a", "b");
    }

    @Test
    void aPlaceIsKeptNoLongerThanTheFileHasWaited() {
        twoGroupsOfDifferentSize();
        long waitsSince = lab.now;
        int both = 0;
        do {
            if (served("both") > both) {
                both = served("both");
                waitsSince = lab.now;
            }
            end();
            take();
        } while (both == 0 || LaneAudit.groupsInFlight(lab.scheduler).get("a") == 1);
        int before = served("first");
        // No job of the other group ends.
        lab.pass(lab.now - waitsSince + 1);
        take();

        assertThat(served("first")).isEqualTo(before + 1);
    }

    @Tag("long")
    @Test
    void whatIsInAFastGroupAloneLosesAtMostAFifthOfAPlaceToWhatWaitsForASlowOneToo() {
        limits(Map.of("a", 1, "b", 2, "c", 2, "d", 2));
        task("first", "a");
        for (String group : List.of("b", "c", "d")) {
            task("slow-" + group, group);
            task("both-" + group, "a", group);
            millis.put("slow-" + group, 30_000);
            millis.put("both-" + group, 100);
        }
        millis.put("first", 100);
        long from = lab.now;
        ends(5_000);

        assertThat(served("first") * 100).as(served.toString()).isGreaterThan((int) ((lab.now - from) * 0.74));
        for (String group : List.of("b", "c", "d")) {
            assertThat(served("both-" + group)).as(served.toString()).isPositive();
        }
    }
}
