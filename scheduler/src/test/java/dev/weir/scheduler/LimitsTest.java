package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRule;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LimitsTest {

    static Lab lab(GroupRule... rules) {
        return new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(1000))
                .withLimits(new LimitOptions(List.of(rules), Map.of("special", GroupLimit.inFlight(2)))));
    }

    static GroupRule hosts(int inFlight) {
        return new GroupRule(GroupRule.Kind.HOST, null, GroupLimit.inFlight(inFlight));
    }

    private static FileInfo at(String host, String name) {
        return new FileInfo(name, "http://" + host + ":8080/x", "", null, null, null, null, null);
    }

    private static String host(Job job) {
        return java.net.URI.create(job.fileInUrl()).getHost();
    }

    static List<FileInfo> files(int hosts, int each) {
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < hosts * each; i++) {
            files.add(at("h" + i % hosts, "f" + i));
        }
        return files;
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void aGroupNeverHasMoreInFlightThanItMayAndEverythingRunsInTheEnd(Order order) {
        Lab lab = lab(hosts(3));
        lab.dataset("in", files(7, 20)).task(Lab.task("t", "in").order(order).build());
        lab.dataset("in2", files(5, 20))
                .task(Lab.task("u", "in2").order(order).rank(4).build());
        Map<String, Integer> inFlight = new HashMap<>();
        Deque<Job> out = new ArrayDeque<>();
        int done = 0;
        while (true) {
            for (Job job = lab.take(); job != null; job = lab.take()) {
                out.add(job);
                assertThat(inFlight.merge(host(job), 1, Integer::sum)).isLessThanOrEqualTo(3);
            }
            if (out.isEmpty()) {
                break;
            }
            assertThat(out.size()).isGreaterThanOrEqualTo(Math.min(3, 240 - done));
            Job job = out.remove();
            inFlight.merge(host(job), -1, Integer::sum);
            lab.run("p", job);
            done++;
        }

        assertThat(done).isEqualTo(240);
        assertThat(lab.close("t-out").checkList()).hasSize(280);
        assertThat(lab.close("u-out").checkList()).hasSize(200);
    }

    @Test
    void tasksThatShareAFullGroupTakeTurns() {
        Lab lab = lab(hosts(1));
        for (String task : List.of("a", "b", "c")) {
            lab.dataset(task, files(1, 10)).task(Lab.task(task, task).build());
        }
        StringBuilder order = new StringBuilder();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            order.append(job.taskUid());
            lab.run("p", job);
        }

        assertThat(order.toString()).hasSize(30).startsWith("aabcabcabc").endsWith("abcbc");
    }

    @Test
    void aLimitThatIsChangedAtRunTimeTakesEffectAtOnceBothWays() {
        Lab lab = lab(hosts(1));
        lab.dataset("in", files(1, 100)).task(Lab.task("t", "in").build());
        assertThat(lab.jobs).hasSize(1);
        lab.limit("host:h0", 10, null, null);
        assertThat(lab.jobs).hasSize(10);
        lab.limit("host:h0", 2, null, null);
        for (int i = 0; i < 8; i++) {
            lab.run("p", lab.take());
        }
        assertThat(lab.jobs).hasSize(10);
        lab.run("p", lab.take());
        assertThat(lab.jobs).hasSize(11);
        lab.lift("host:h0");

        assertThat(lab.jobs).hasSize(100);
    }

    @ParameterizedTest
    @CsvSource({"host:h0, host", "net:10.0.0.0/24, network", "re:h0, regex:PATTERN", "re2:h0, regex:PATTERN"})
    void aLimitOfAGroupThatNoRuleMakesIsRefusedWithWhatToConfigure(String group, String rule) {
        Lab lab = Lab.withDefaults();
        lab.limit(group, 1, null, null).lift(group);

        assertThat(lab.rejected)
                .hasSize(2)
                .allSatisfy(reason -> assertThat(reason)
                        .startsWith("group: no file is in group '" + group + "'")
                        .contains("Add '" + rule + "' to weir.scheduling.group-rules"));
        assertThat(lab.scheduler.limits()).isEmpty();
    }

    @Test
    void aLimitIsTakenForAGroupThatDsmHasNamedLikeThoseOfARule() {
        Lab lab = Lab.withDefaults();
        lab.dataset("in", List.of(Lab.grouped("a", "net:10.2"), Lab.grouped("b", "net:10.2")))
                .task(Lab.task("t", "in").build());
        lab.limit("net:10.2", 1, null, null).limit("host:h1", 1, null, null);
        lab.limit("tape", 1, null, null);

        assertThat(lab.rejected).singleElement().asString().contains("'host:h1'");
    }

    @Test
    void limitsInForceAreListed() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withLimits(new LimitOptions(
                        List.of(new GroupRule(GroupRule.Kind.HOST, null, GroupLimit.inFlight(5))),
                        Map.of("host:h1", GroupLimit.inFlight(2), "tape", GroupLimit.inFlight(3)))));
        lab.limit("host:h0", 7, 100, 60)
                .limit("site", 0, null, null)
                .lift("tape")
                .lift("never");

        assertThat(lab.scheduler.limits())
                .containsExactly(
                        "each group of rule host: 5 in flight",
                        "host:h0: 7 in flight, 100 starts in 60 s (by command)",
                        "host:h1: 2 in flight",
                        "site: 0 in flight (by command)",
                        "tape: none (by command)");
    }

    @Test
    void aLimitGivenByCommandSurvivesARestart() {
        Lab lab = lab(hosts(1));
        lab.limit("host:h0", 5, null, null).restore(lab.store);
        lab.dataset("in", files(1, 100)).task(Lab.task("t", "in").build());

        assertThat(lab.jobs).hasSize(5);
    }

    @Test
    void noMoreStartThanAllowedInAnyWindow() {
        Lab lab = lab(hosts(1000));
        lab.limit("host:h0", null, 5, 60);
        lab.dataset("in", files(1, 40)).task(Lab.task("t", "in").build());
        List<Long> starts = new ArrayList<>();
        while (starts.size() < 40) {
            for (Job job = lab.take(); job != null; job = lab.take()) {
                starts.add(lab.jobRows.get(job.uid()).queuedAt().toEpochMilli());
                lab.run("p", job);
                lab.now += 700;
            }
            lab.pass(1000);
            lab.restore(lab.store);
        }
        for (int i = 5; i < 40; i++) {
            assertThat(starts.get(i) - starts.get(i - 5)).isBetween(60_000L, 65_000L);
        }
    }

    @Test
    void manyStartsInAWindowAreCountedTogetherButNeverTooFew() {
        Lab lab = lab(hosts(100_000));
        lab.limit("host:h0", null, 500, 10);
        lab.dataset("in", files(1, 3000)).task(Lab.task("t", "in").build());
        List<Long> starts = new ArrayList<>();
        while (starts.size() < 3000) {
            for (Job job = lab.take(); job != null; job = lab.take()) {
                starts.add(lab.jobRows.get(job.uid()).queuedAt().toEpochMilli());
                lab.run("p", job);
                lab.now += 3;
            }
            lab.pass(5);
        }
        for (int i = 500; i < 3000; i++) {
            assertThat(starts.get(i) - starts.get(i - 500)).isBetween(9_990L, 11_000L);
        }
    }

    @Test
    void allGroupsOfAFileMustAllowIt() {
        Lab lab = lab();
        lab.limit("a", 2, null, null).limit("b", 3, null, null);
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            files.add(
                    switch (i % 3) {
                        case 0 -> Lab.grouped("f" + i, "a");
                        case 1 -> Lab.grouped("f" + i, "b");
                        default -> Lab.grouped("f" + i, "a", "b");
                    });
        }
        lab.dataset("in", files).task(Lab.task("t", "in").order(Order.RANDOM).build());
        int done = 0;
        Deque<Job> out = new ArrayDeque<>();
        while (true) {
            for (Job job = lab.take(); job != null; job = lab.take()) {
                out.add(job);
            }
            if (out.isEmpty()) {
                break;
            }
            int a = 0;
            int b = 0;
            for (Job job : out) {
                int kind = Integer.parseInt(job.fileInUrl().replaceAll(".*f", "")) % 3;
                a += kind != 1 ? 1 : 0;
                b += kind != 0 ? 1 : 0;
            }
            assertThat(a).isLessThanOrEqualTo(2);
            assertThat(b).isLessThanOrEqualTo(3);
            lab.run("p", out.remove());
            done++;
        }

        assertThat(done).isEqualTo(30);
    }

    @Test
    void aTaskInOneGroupStillReadsItsDatasetLazily() {
        Lab lab = lab().idle("p");
        lab.dataset("in", 10_000)
                .task(Lab.task("t", "in").groups("special").chunkFiles(100).build());
        assertThat(lab.jobs).hasSize(2);
        assertThat(lab.taskRows.get("t").why()).isEqualTo("group");
        assertThat(lab.taskRows.get("t").whyText()).contains("special").contains("2 of 2");
        assertThat(lab.store.bytes()).isLessThan(20_000);
        lab.runAll("p").pass(2_000);

        assertThat(lab.states("t")).last().isEqualTo("closed");
    }

    @Test
    void filesWithGroupsOfTheirOwnInALaterPageAreLimitedToo() {
        Lab lab = lab();
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            files.add(i < 150 ? Lab.file("f" + i) : Lab.grouped("f" + i, "special"));
        }
        lab.dataset("in", files);
        lab.task(Lab.task("t", "in").chunkFiles(100).build());
        Set<String> seen = new HashSet<>();
        Deque<Job> out = new ArrayDeque<>();
        while (true) {
            for (Job job = lab.take(); job != null; job = lab.take()) {
                assertThat(seen.add(job.uid())).isTrue();
                out.add(job);
            }
            if (out.isEmpty()) {
                break;
            }
            assertThat(out.stream()
                            .filter(job -> Integer.parseInt(job.fileInUrl()
                                            .replaceAll(".*f", "")
                                            .replace(".dat", ""))
                                    >= 150)
                            .count())
                    .isLessThanOrEqualTo(2);
            lab.run("p", out.remove());
            lab.restore(lab.store);
        }

        assertThat(seen).hasSize(300);
    }

    @Test
    void aPausedTaskDoesNotKeepOthersFromItsGroup() {
        Lab lab = lab(hosts(1));
        lab.dataset("a", files(1, 10)).task(Lab.task("a", "a").build());
        lab.dataset("b", files(1, 10)).task(Lab.task("b", "b").build());
        Job first = lab.take();
        assertThat(first.taskUid()).isEqualTo("a");
        lab.command(dev.weir.protocol.Command.Type.PAUSE, "b");
        lab.dataset("c", files(1, 10)).task(Lab.task("c", "c").build());
        lab.run("p", first);
        StringBuilder order = new StringBuilder();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            order.append(job.taskUid());
            lab.run("p", job);
        }

        assertThat(order.toString()).hasSize(19).doesNotContain("b");
        lab.command(dev.weir.protocol.Command.Type.RESUME, "b").settle().runAll("p");
        assertThat(lab.states("b")).last().isEqualTo("closed");
    }

    @Test
    void aPoolThatStandsStillDoesNotKeepAnotherFromAGroup() {
        Lab lab = lab(hosts(1)).idle("p").idle("g", "gpu");
        lab.pool(dev.weir.protocol.Command.Type.POOL_PAUSE, "gpu");
        lab.dataset("a", files(1, 5)).task(Lab.task("a", "a").build());
        lab.dataset("b", files(1, 5)).task(Lab.task("b", "b").gpu().build());
        lab.runAll("p");
        assertThat(lab.states("a")).last().isEqualTo("closed");
        lab.pool(dev.weir.protocol.Command.Type.POOL_RESUME, "gpu");

        assertThat(lab.take("gpu")).isNotNull();
    }

    @Test
    void priorityOrderGivesTheSmallestNumberFirstAndThenTheEarliest() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(1)));
        List<FileInfo> files = new ArrayList<>();
        int[] priorities = {5, 1, 3, 1, 5, 2};
        for (int i = 0; i < priorities.length; i++) {
            files.add(new FileInfo("f" + i, "file:///in", "", null, null, null, priorities[i], null));
        }
        lab.dataset("in", files).task(Lab.task("t", "in").order(Order.PRIORITY).build());
        StringBuilder order = new StringBuilder();
        for (Job job = lab.take(); job != null; job = lab.take()) {
            order.append(job.fileInUrl().replaceAll(".*f", ""));
            lab.run("p", job);
        }

        assertThat(order.toString()).isEqualTo("135204");
    }

    @Test
    void randomOrderIsUniformOverGroupsWhateverTheirSizes() {
        Map<String, Integer> first = new HashMap<>();
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < 99; i++) {
            files.add(at(i < 90 ? "big" : i < 96 ? "small" : "tiny", "f" + i));
        }
        for (int seed = 0; seed < 600; seed++) {
            Lab lab = new Lab(SchedulerOptions.defaults()
                    .withPool("cpu", PoolOptions.defaults().withWindow(1))
                    .withLimits(new LimitOptions(List.of(hosts(100)), Map.of()))
                    .withSeed(seed));
            lab.dataset("in", files)
                    .task(Lab.task("t", "in").order(Order.RANDOM).build());
            first.merge(host(lab.take()), 1, Integer::sum);
        }

        assertThat(first).hasSize(3);
        first.values().forEach(count -> assertThat(count).isBetween(150, 250));
    }

    @Test
    void aStartWindowWithoutAnInFlightLimitWakesEverybodyInTheEnd() {
        Lab lab = lab(new GroupRule(
                GroupRule.Kind.HOST, null, new GroupLimit(GroupLimit.UNLIMITED, 2, Duration.ofSeconds(1))));
        for (String task : List.of("a", "b", "c", "d", "e")) {
            lab.dataset(task, files(1, 3)).task(Lab.task(task, task).build());
        }
        int done = 0;
        for (int i = 0; i < 60; i++) {
            for (Job job = lab.take(); job != null; job = lab.take()) {
                lab.run("p", job);
                done++;
            }
            lab.pass(200);
        }

        assertThat(done).isEqualTo(15);
    }
}
