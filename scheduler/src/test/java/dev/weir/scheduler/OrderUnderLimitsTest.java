package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.options.LimitOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files by priority and limits of groups together, against the rule as one would write it down: look at all of them. */
class OrderUnderLimitsTest {

    private static final int FILES = 300;
    private static final int NETWORKS = 12;
    private static final int LIMIT = 2;

    private final int[] priorities = new int[FILES];
    private final List<String> networks = new ArrayList<>();
    private final Map<String, Integer> inFlight = new HashMap<>();
    private final boolean[] out = new boolean[FILES];

    private boolean mayStart(int file) {
        return !out[file] && inFlight.getOrDefault(networks.get(file), 0) < LIMIT;
    }

    private static int position(Job job) {
        String name = job.fileInUrl().substring(job.fileInUrl().lastIndexOf('/') + 1);
        return Integer.parseInt(name.substring(1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void eachFileThatStartsIsTheMostUrgentOfThoseThatMay(long seed) {
        Random random = new Random(seed);
        Map<String, GroupLimit> limits = new HashMap<>();
        for (int i = 0; i < NETWORKS; i++) {
            limits.put("n" + i, GroupLimit.inFlight(LIMIT));
        }
        Lab lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(15))
                .withLimits(new LimitOptions(List.of(), limits)));
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
