package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Command;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files by priority and limits of groups together, against the rule as one would write it down: look at all of them. */
class OrderUnderLimitsTest {

    private static final int FILES = 300;
    private static final int NETWORKS = 12;
    private static final int LIMIT = 2;
    private static final int TASKS = 20;

    private final int[] priorities = new int[FILES];
    private final List<String> networks = new ArrayList<>();
    private final Map<String, Integer> inFlight = new HashMap<>();
    private final boolean[] out = new boolean[FILES];

    private boolean mayStart(int file) {
        return !out[file] && inFlight.getOrDefault(networks.get(file), 0) < LIMIT;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void underTheStrictPolicyNoTaskStartsAFileWhileOneOfHigherRankMayStartAnother(long seed) {
        Random random = new Random(seed);
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool(
                        "cpu",
                        PoolOptions.defaults().withPolicy(PoolOptions.STRICT).withWindow(5 + random.nextInt(20)))
                .withLimits(new LimitOptions(List.of(), limits())));
        int[][] waiting = new int[TASKS][NETWORKS];
        List<Integer> ranks = new ArrayList<>();
        for (int t = 0; t < TASKS; t++) {
            ranks.add(100 - t);
        }
        Collections.shuffle(ranks, random);
        lab.pool(Command.Type.POOL_PAUSE, "cpu");
        for (int t = 0; t < TASKS; t++) {
            List<FileInfo> files = new ArrayList<>();
            for (int i = 0; i < FILES / TASKS; i++) {
                int network = random.nextInt(NETWORKS / 2);
                waiting[t][network]++;
                files.add(Lab.grouped("f" + network, "n" + network));
            }
            lab.dataset("in" + t, files)
                    .task(Lab.task("t" + t, "in" + t)
                            .rank(ranks.get(t))
                            .ranker("fixed")
                            .build());
        }
        lab.now++;
        lab.pool(Command.Type.POOL_RESUME, "cpu");
        List<Job> running = new ArrayList<>();
        int started = 0;
        while (started < FILES || !running.isEmpty()) {
            for (Job job = lab.take(); job != null; job = lab.take()) {
                double best = 0;
                for (int t = 0; t < TASKS; t++) {
                    for (int network = 0; network < NETWORKS; network++) {
                        boolean may = waiting[t][network] > 0 && inFlight.getOrDefault("n" + network, 0) < LIMIT;
                        best = may ? Math.max(best, ranks.get(t)) : best;
                    }
                }
                assertThat(job.rank()).isEqualTo(best);
                waiting[Integer.parseInt(job.taskUid().substring(1))][position(job)]--;
                inFlight.merge("n" + position(job), 1, Integer::sum);
                running.add(job);
                started++;
            }
            Job ended = running.remove(random.nextInt(running.size()));
            inFlight.merge("n" + position(ended), -1, Integer::sum);
            lab.run("p", ended);
        }
    }

    @Test
    void underTheStrictPolicyATaskPausedBeforeItUsesAPlaceLeavesItToOthers() {
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool(
                        "cpu",
                        PoolOptions.defaults().withPolicy(PoolOptions.STRICT).withWindow(2))
                .withLimits(new LimitOptions(List.of(), Map.of("tape", GroupLimit.inFlight(1)))));
        lab.dataset("one", 1).dataset("two", 2);
        lab.task(Lab.task("first", "one").groups("tape").build());
        Job first = lab.take();
        lab.task(Lab.task("a", "one").rank(5).groups("tape").build());
        lab.task(Lab.task("b", "one").rank(3).groups("tape").build());
        lab.task(Lab.task("high", "two").rank(9).build());
        lab.run("p", first);
        assertThat(lab.jobs).extracting(Job::taskUid).containsExactly("first", "high", "high");
        lab.command(Command.Type.PAUSE, "a").run("p", lab.take());

        assertThat(lab.jobs).extracting(Job::taskUid).containsExactly("first", "high", "high", "b");
    }

    private static Map<String, GroupLimit> limits() {
        Map<String, GroupLimit> limits = new HashMap<>();
        for (int i = 0; i < NETWORKS; i++) {
            limits.put("n" + i, GroupLimit.inFlight(LIMIT));
        }
        return limits;
    }

    private static int position(Job job) {
        String name = job.fileInUrl().substring(job.fileInUrl().lastIndexOf('/') + 1);
        return Integer.parseInt(name.substring(1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void eachFileThatStartsIsTheMostUrgentFileThatMayStart(long seed) {
        Random random = new Random(seed);
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(15))
                .withLimits(new LimitOptions(List.of(), limits())));
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            priorities[i] = 1 + random.nextInt(40);
            networks.add("n" + random.nextInt(NETWORKS));
            files.add(
                    new FileInfo("f" + i, "http://h/x", "", null, null, null, priorities[i], List.of(networks.get(i))));
        }
        lab.dataset("in", files).task(Lab.task("t", "in").order(Order.PRIORITY).build());
        List<Job> running = new ArrayList<>();
        int started = 0;
        while (started < FILES || !running.isEmpty()) {
            for (Job job = lab.take(); job != null; job = lab.take()) {
                int best = Integer.MAX_VALUE;
                for (int i = 0; i < FILES; i++) {
                    best = mayStart(i) ? Math.min(best, priorities[i]) : best;
                }
                int file = position(job);
                assertThat(mayStart(file)).as("file " + file).isTrue();
                assertThat(priorities[file]).as("file " + file).isEqualTo(best);
                out[file] = true;
                inFlight.merge(networks.get(file), 1, Integer::sum);
                running.add(job);
                started++;
            }
            Job ended = running.remove(random.nextInt(running.size()));
            inFlight.merge(networks.get(position(ended)), -1, Integer::sum);
            lab.run("p", ended);
        }

        assertThat(lab.checkList("t-out")).hasSize(2 * FILES);
    }
}
