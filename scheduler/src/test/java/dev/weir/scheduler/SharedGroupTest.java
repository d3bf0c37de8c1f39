package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Command;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that share a group which is always full, beside tasks in none: none of them starves. */
class SharedGroupTest {

    private static final int ENDS = 3_000;

    @Test
    void asManyGoAsAWindowOfStartsHasPlacesAgainAlsoIfTheFirstHadToWaitForThePool() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(2))
                .withLimits(new LimitOptions(
                        List.of(), Map.of("tape", new GroupLimit(GroupLimit.UNLIMITED, 2, Duration.ofSeconds(10))))));
        for (String task : List.of("s", "t")) {
            lab.dataset(task, 1)
                    .task(Lab.task(task, task).groups("tape").build())
                    .pass(1_000);
        }
        lab.run("p", lab.take()).run("p", lab.take());
        for (String task : List.of("a", "b")) {
            lab.dataset(task, 1).task(Lab.task(task, task).groups("tape").build());
        }
        // The starts leave the window a second apart, and the pool is full then.
        lab.dataset("c", 2).task(Lab.task("c", "c").build());
        Job first = lab.take();
        Job second = lab.take();
        lab.starting("p", first).starting("q", second).pass(18_000);
        lab.finished("p", first).finished("q", second);

        assertThat(lab.jobs).extracting(Job::taskUid).containsExactly("s", "t", "c", "c", "a", "b");
    }

    @Test
    void noPlaceIsKeptForFilesOfATaskThatMayOnlyTryAgainWhatItHasBegun() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(1))
                .withPool("cpu", PoolOptions.defaults().withWindow(3))
                .withLimits(new LimitOptions(List.of(), Map.of("tape", GroupLimit.inFlight(1)))));
        List<FileInfo> files = List.of(file("f0"), file("f1", "tape"), file("f2", "tape"));
        lab.dataset("y", files).task(Lab.task("y", "y").retry(1).build());
        Job onTape = lab.take();
        Job begun = lab.take();
        assertThat(begun.fileInUrl()).endsWith("f0");
        // It loses its slot to another task, which fills the pool.
        lab.command(Command.Type.PAUSE, "y");
        lab.dataset("z", List.of(file("z0", "tape"), file("z1"), file("z2"), file("z3")))
                .task(Lab.task("z", "z").build());
        lab.now++;
        lab.command(Command.Type.RESUME, "y");
        lab.starting("p", begun).failed("p", begun).pass(3_000);
        // When the tape comes free, all that y may start is what it tries again.
        lab.run("p", onTape).run("p", lab.take()).run("p", lab.take());

        assertThat(lab.jobs)
                .extracting(job -> job.fileInUrl().substring("file:///in/".length()))
                .containsExactlyInAnyOrder("f0", "f1", "z1", "z2", "z3", "f0", "z0");
    }

    @Test
    void noPlaceIsKeptForAFurtherAttemptWhoseEarlierAttemptFinishedLate() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(1))
                .withPool("cpu", PoolOptions.defaults().withWindow(2))
                .withLimits(new LimitOptions(List.of(), Map.of("tape", GroupLimit.inFlight(1)))));
        lab.dataset("y", 2).dataset("t", 3).dataset("u", 4);
        lab.task(Lab.task("y", "y").retry(5).build());
        lab.failed("p", lab.take()).failed("p", lab.take());
        lab.task(Lab.task("t", "t").groups("tape").retry(5).build());
        Job late = lab.take();
        lab.failed("p", late);
        Job onTape = lab.take();
        // t loses its slot to u; what it tries again waits for the tape beside its fresh files.
        lab.command(Command.Type.PAUSE, "t");
        lab.task(Lab.task("u", "u").groups("tape").build());
        lab.now++;
        lab.command(Command.Type.RESUME, "t").pass(3_000);
        // The tape comes free, but y takes the place in the window; then the attempt that had failed finishes after
        // all.
        Job first = lab.take();
        lab.finished("p", onTape).settle();
        Job second = lab.take();
        assertThat(List.of(first, second)).extracting(Job::taskUid).containsOnly("y");
        lab.finished("q", late).finished("p", first).finished("p", second).settle();
        lab.runAll("p");

        assertThat(lab.closes("u-out")).hasSize(1);
        assertThat(lab.closes("t-out")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void aPlaceIsNotKeptForATaskThatStartsSomethingElse(Order order) {
        Lab lab = tapeAndWindow(4);
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            files.add(file("x" + i, "tape"));
        }
        for (int i = 0; i < 600; i++) {
            files.add(file("f" + i, "g" + i % 20));
        }
        lab.dataset("a", files).dataset("b", 100);
        lab.task(Lab.task("a", "a").order(order).ranker("fixed").build());
        lab.task(Lab.task("b", "b").groups("tape").ranker("fixed").build());
        Deque<Job> running = new ArrayDeque<>();
        int free = 0;
        int others = 0;
        for (int ends = 0; ends < 500; ends++) {
            for (Job job = lab.take(); job != null; job = lab.take()) {
                running.add(job);
                boolean onTape = job.taskUid().equals("b") || job.fileInUrl().contains("/x");
                others += onTape && job.taskUid().equals("a") ? 1 : 0;
            }
            boolean bWaits = lab.taskRows.get("b").counts().waiting() > 0;
            boolean isFree = LaneAudit.groupsInFlight(lab.scheduler).getOrDefault("tape", 0) == 0;
            free = bWaits && isFree ? free + 1 : 0;
            assertThat(free).isLessThan(4);
            lab.finished("p", running.remove()).settle();
            lab.pass(1_000);
        }
        assertThat(lab.taskRows.get("b").counts().waiting()).isLessThan(20);
        // A task in sequential order uses the place at its next turn; a task in random or priority order may
        // choose others.
        assertThat(others).isGreaterThan(order == Order.SEQUENTIAL ? 10 : -1);
    }

    @Test
    void aPlaceIsNotKeptForAFileThatOthersOfItsTaskGoBefore() {
        Lab lab = tapeAndWindow(2);
        lab.limit("tape", 0, null, null);
        List<FileInfo> files = new ArrayList<>(List.of(urgent("x", 1, "tape")));
        for (int i = 0; i < 600; i++) {
            files.add(urgent("f" + i, 3));
        }
        lab.dataset("a", files).dataset("b", 100);
        lab.task(Lab.task("a", "a").order(Order.PRIORITY).ranker("fixed").build());
        lab.task(Lab.task("b", "b").groups("tape").ranker("fixed").build());
        lab.now++;
        lab.limit("tape", 1, null, null).priority("a", 0, 9);
        for (int ends = 0; ends < 300; ends++) {
            lab.run("p", lab.take());
        }

        assertThat(lab.jobs).filteredOn(job -> job.taskUid().equals("b")).hasSize(100);
    }

    private static Lab tapeAndWindow(int window) {
        return new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(window))
                .withLimits(new LimitOptions(List.of(), Map.of("tape", GroupLimit.inFlight(1)))));
    }

    private static FileInfo urgent(String name, int priority, String... groups) {
        return new FileInfo(name, "file:///in", "", null, null, null, priority, List.of(groups));
    }

    private static FileInfo file(String name, String... groups) {
        return new FileInfo(name, "file:///in", "", null, null, null, null, List.of(groups));
    }

    @ParameterizedTest
    @ValueSource(strings = {PoolOptions.IWRR, PoolOptions.WRR, PoolOptions.WFQ})
    void aTaskThatTookTheLastPlaceLeavesTheNextPlaceToWaiters(String policy) {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withPolicy(policy).withWindow(20))
                .withLimits(new LimitOptions(List.of(), Map.of("tape", GroupLimit.inFlight(3)))));
        List<String> sharing = List.of("a", "b", "c", "d", "e");
        for (String task : sharing) {
            lab.dataset(task, ENDS)
                    .task(Lab.task(task, task)
                            .rank(10)
                            .ranker("fixed")
                            .groups("tape")
                            .build());
            lab.dataset("free-" + task, ENDS)
                    .task(Lab.task("free-" + task, "free-" + task)
                            .rank(10)
                            .ranker("fixed")
                            .build());
        }
        Map<String, Integer> served = new TreeMap<>();
        ArrayDeque<Job> running = new ArrayDeque<>();
        for (int i = 0; i < ENDS; i++) {
            for (Job job = lab.take(); job != null; job = lab.take()) {
                lab.starting("p", job);
                running.add(job);
                served.merge(job.taskUid(), 1, Integer::sum);
            }
            // All jobs last equally long, so the oldest ends.
            lab.finished("p", running.remove()).settle();
        }

        IntSummaryStatistics shares = sharing.stream().mapToInt(served::get).summaryStatistics();
        assertThat(shares.getMax()).as(served.toString()).isLessThanOrEqualTo(shares.getMin() * 6 / 5);
    }

    @Test
    void poolsThatShareAFullGroupGetItsPlacesInTurn() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withLimits(new LimitOptions(List.of(), Map.of("g", GroupLimit.inFlight(2)))));
        lab.idle("p").idle("g", "gpu");
        lab.dataset("c", ENDS).dataset("d", ENDS).dataset("e", ENDS);
        lab.task(Lab.task("c", "c").groups("g").build());
        lab.task(Lab.task("d", "d").groups("g").build());
        lab.task(Lab.task("e", "e").groups("g").gpu().build());
        Map<String, Integer> served = new TreeMap<>();
        for (int i = 0; i < 200; i++) {
            Job job = lab.take();
            job = job == null ? lab.take("gpu") : job;
            served.merge(job.taskUid(), 1, Integer::sum);
            lab.run(job.taskUid().equals("e") ? "g" : "p", job);
        }

        // The two of the first pool part what it gets.
        assertThat(served.get("e")).as(served.toString()).isBetween(95, 105);
        assertThat(served.get("c")).as(served.toString()).isBetween(45, 55);
    }

    @Test
    void aDrainedPoolKeepsNoPlaceForAFreshFileAlsoIfItsTaskStillTriesAgainAnotherOne() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(3))
                .withLimits(new LimitOptions(
                        List.of(), Map.of("tape", GroupLimit.inFlight(1), "disk", GroupLimit.inFlight(1)))));
        lab.dataset("b", List.of(file("b0", "tape")))
                .task(Lab.task("b", "b").retry(1).build());
        lab.dataset("a", List.of(file("a0", "disk"), file("a1", "tape")))
                .task(Lab.task("a", "a").retry(1).build());
        Job onTape = lab.take();
        Job onDisk = lab.take();
        lab.limit("tape", 0, null, null).limit("disk", 0, null, null);
        lab.starting("p", onTape).failed("p", onTape).pass(3_000);
        // Others fill the pool when what a has begun is to be tried again, so that it is not seen that the disk is
        // full.
        lab.dataset("f", 3).task(Lab.task("f", "f").build());
        lab.starting("q", onDisk).failed("q", onDisk).pass(3_000);
        lab.now++;
        lab.limit("tape", 1, null, null).pool(Command.Type.POOL_DRAIN, "cpu");
        lab.runAll("p");

        assertThat(lab.jobs).extracting(Job::taskUid).containsExactly("b", "a", "f", "f", "f", "b");
    }

    @Test
    void aTurnThatHadLapsedWhenThePoolWasDrainedKeepsNoRetryOfItsTaskWaiting() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(3))
                .withLimits(new LimitOptions(List.of(), Map.of("tape", GroupLimit.inFlight(1)))));
        lab.dataset("a", List.of(file("a0", "tape", "x"), file("a1", "tape"), file("a2")))
                .task(Lab.task("a", "a").retry(1).build());
        Job onTape = lab.take();
        Job other = lab.take();
        lab.dataset("f", 1).task(Lab.task("f", "f").build());
        lab.limit("tape", 0, null, null);
        lab.starting("p", onTape).failed("p", onTape).pass(3_000);
        lab.dataset("g", 2).task(Lab.task("g", "g").build());
        lab.starting("q", other).failed("q", other).pass(3_000);
        // a0 is woken, but a tries again a2 first.
        lab.now++;
        lab.limit("tape", 1, null, null).run("p", lab.take());
        lab.now++;
        lab.pool(Command.Type.POOL_DRAIN, "cpu").runAll("p");

        assertThat(lab.jobs)
                .extracting(job -> job.fileInUrl().substring("file:///in/".length()) + "#" + job.attempt())
                .startsWith("a1#1", "a2#1")
                .endsWith("a2#2", "a1#2");
    }

    @ParameterizedTest
    @CsvSource({"x, y, a", "a, b, z"})
    void whoWasWokenForOneOfItsGroupsDoesNotTakeThePlaceThatIsKeptForAnotherInTheNext(
            String first, String second, String common) {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withLimits(new LimitOptions(
                        List.of(),
                        Map.of(
                                first, GroupLimit.inFlight(2),
                                second, GroupLimit.inFlight(2),
                                common, GroupLimit.inFlight(4)))));
        lab.dataset("p", ENDS).dataset("q", ENDS).dataset("r", ENDS);
        lab.task(Lab.task("p", "p").groups(first, common).build());
        lab.task(Lab.task("q", "q").groups(second, common).build());
        lab.task(Lab.task("r", "r").groups(common).build());
        Map<String, Integer> served = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            Job job = lab.take();
            served.merge(job.taskUid(), 1, Integer::sum);
            lab.run("p", job);
        }

        assertThat(served)
                .as(served.toString())
                .hasSize(3)
                .allSatisfy((task, jobs) -> assertThat(jobs).isBetween(80, 120));
    }

    @Test
    void waitersWithGrantsOfEachOthersGroupsDoNotPassThemOnWithoutEnd() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(2))
                .withLimits(
                        new LimitOptions(List.of(), Map.of("g", GroupLimit.inFlight(0), "h", GroupLimit.inFlight(0)))));
        for (String task : List.of("x1", "x2", "y1", "y2")) {
            lab.dataset(task, 1)
                    .task(Lab.task(task, task)
                            .groups(task.startsWith("x") ? new String[] {"g", "h"} : new String[] {"h", "g"})
                            .build());
        }
        // The pool is full when both groups have a place for a waiter.
        lab.dataset("f", 2).task(Lab.task("f", "f").build());
        lab.limit("g", 1, null, null).limit("h", 1, null, null);
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> lab.runAll("p"));

        assertThat(lab.closes("x1-out")).hasSize(1);
        assertThat(lab.closes("y2-out")).hasSize(1);
    }
}
