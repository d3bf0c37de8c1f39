package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Order;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files in one to three full groups each, with grants and reservations that depend on each other: whatever is commanded, nothing fails. */
class CommandsOnWaitingGroupsTest {

    private static final int STEPS = 250;

    private record Running(long end, int pilot, Job job) {}

    private final PriorityQueue<Running> running = new PriorityQueue<>(
            (a, b) -> a.end == b.end ? Integer.compare(a.pilot, b.pilot) : Long.compare(a.end, b.end));
    private Random random;
    private Lab lab;
    private int groups;
    private int tasks;
    private int pilots;

    static IntStream seeds() {
        return IntStream.range(0, 50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyCommandIsAppliedAndEveryFileEndsOnce(int seed) {
        random = new Random(seed);
        begin();
        for (int step = 0; step < STEPS; step++) {
            start();
            int dice = random.nextInt(100);
            if (dice < 10) {
                pauseAndResume(random.nextBoolean() ? "cpu" : "gpu");
            } else if (dice < 20) {
                limit("g" + random.nextInt(groups));
            } else if (dice < 22) {
                lab.restore(lab.store.snapshot()).settle();
            } else {
                end(dice < 30);
            }
        }
        finish();

        assertThat(lab.rejected).isEmpty();
        assertThat(lab.events.stream().filter(event -> event.state().isTerminal()))
                .hasSize(tasks)
                .allMatch(event -> event.counts().total() == 60
                        && event.counts().finished() + event.counts().failed() == 60);
    }

    private void begin() {
        groups = 2 + random.nextInt(4);
        Map<String, GroupLimit> limits = new TreeMap<>();
        for (int g = 0; g < groups; g++) {
            limits.put("g" + g, GroupLimit.inFlight(1 + random.nextInt(2)));
        }
        lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(1_000))
                .withPool("gpu", PoolOptions.defaults().withWindow(1_000))
                .withPilots(PilotOptions.defaults().withLease(Duration.ofHours(1), Duration.ofDays(1)))
                .withLimits(new LimitOptions(List.of(), limits)));
        tasks = 2 + random.nextInt(4);
        for (int t = 0; t < tasks; t++) {
            List<FileInfo> files = new ArrayList<>();
            for (int f = 0; f < 60; f++) {
                Set<String> of = new TreeSet<>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    of.add("g" + random.nextInt(groups));
                }
                files.add(Lab.grouped("f" + t + "-" + f, of.toArray(String[]::new)));
            }
            TaskBuilder task = Lab.task("t" + t, "d" + t)
                    .ranker("fixed")
                    .order(Order.values()[random.nextInt(Order.values().length)])
                    .autoCancel(false);
            lab.dataset("d" + t, files)
                    .task((random.nextInt(3) == 0 ? task.gpu() : task).build())
                    .settle();
        }
    }

    private void start() {
        for (String pool : List.of("cpu", "gpu")) {
            for (Job job = lab.take(pool); job != null; job = lab.take(pool)) {
                lab.starting("p" + pilots, job);
                running.add(new Running(lab.now + 300 + random.nextInt(1_500), pilots++, job));
            }
        }
    }

    private void end(boolean fails) {
        Running next = running.poll();
        if (next == null) {
            lab.pass(1_000).settle();
            return;
        }
        lab.pass(Math.max(0, next.end - lab.now));
        if (fails) {
            lab.failed("p" + next.pilot, next.job, ErrorType.STAGE_IN).settle();
        } else {
            lab.finished("p" + next.pilot, next.job).settle();
        }
    }

    private void pauseAndResume(String pool) {
        lab.pool(random.nextBoolean() ? Command.Type.POOL_PAUSE : Command.Type.POOL_DRAIN, pool)
                .pass(random.nextInt(3_000));
        lab.pool(Command.Type.POOL_RESUME, pool).settle();
    }

    private void limit(String group) {
        if (random.nextBoolean()) {
            lab.limit(group, random.nextInt(4), null, null).settle();
        } else {
            lab.limit(group, null, 1 + random.nextInt(3), 1 + random.nextInt(4)).settle();
        }
    }

    private void finish() {
        for (int g = 0; g < groups; g++) {
            lab.limit("g" + g, 5, null, null).settle();
        }
        for (int step = 0; step < 10_000 && lab.scheduler.metrics().openTasks() > 0; step++) {
            start();
            end(false);
        }
    }
}
