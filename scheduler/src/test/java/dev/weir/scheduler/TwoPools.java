package dev.weir.scheduler;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Job;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** Two pools whose jobs are started as soon as they are in the queue, and end in time. No beat comes back, so no pilot is ever lost. */
final class TwoPools {

    private record Running(long end, int number, int pilot, Job job) {}

    final Lab lab;
    /** How long a job runs. */
    ToIntFunction<Job> millis;

    private final Random random = new Random(1);
    private final Map<String, Integer> starts = new TreeMap<>();
    private final PriorityQueue<Running> running =
            new PriorityQueue<>(Comparator.comparingLong(Running::end).thenComparingInt(Running::number));
    /** Pilots that run nothing now. */
    private final PriorityQueue<Integer> free = new PriorityQueue<>();

    private int pilots;
    private int number;
    private long startedAt;
    private long longestPause;

    /**
     * @param limits by group: jobs in flight, at most
     */
    TwoPools(PoolOptions cpu, PoolOptions gpu, Map<String, Integer> limits) {
        Map<String, GroupLimit> groups = new TreeMap<>();
        limits.forEach((group, limit) -> groups.put(group, GroupLimit.inFlight(limit)));
        lab = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", cpu)
                .withPool("gpu", gpu)
                .withLimits(new LimitOptions(List.of(), groups)));
        lab.idle("cpu").idle("gpu", "gpu");
        millis = job -> about(1_000);
    }

    static PoolOptions pool(String policy, int window) {
        return PoolOptions.defaults().withPolicy(policy).withWindow(window);
    }

    /** From half of a time to one and a half. */
    int about(int time) {
        return time / 2 + random.nextInt(time);
    }

    void cpu(String name, String... groups) {
        lab.dataset(name, 20_000)
                .task(Lab.task(name, name).ranker("fixed").groups(groups).build());
    }

    void gpu(String name, String... groups) {
        lab.dataset(name, 20_000)
                .task(Lab.task(name, name).ranker("fixed").groups(groups).gpu().build());
    }

    void run(long time) {
        long until = lab.now + time;
        startedAt = lab.now;
        longestPause = 0;
        while (lab.now < until) {
            for (String pool : List.of("cpu", "gpu")) {
                for (Job job = lab.take(pool); job != null; job = lab.take(pool)) {
                    start(job);
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
                free.add(first.pilot);
                lab.finished("p" + first.pilot, first.job).settle();
            }
        }
        longestPause = Math.max(longestPause, lab.now - startedAt);
    }

    private void start(Job job) {
        starts.merge(job.taskUid(), 1, Integer::sum);
        if (job.taskUid().endsWith("-site")) {
            longestPause = Math.max(longestPause, lab.now - startedAt);
            startedAt = lab.now;
        }
        int pilot = free.isEmpty() ? pilots++ : free.remove();
        lab.starting("p" + pilot, job);
        running.add(new Running(lab.now + millis.applyAsInt(job), number++, pilot, job));
    }

    int starts(String task) {
        return starts.getOrDefault(task, 0);
    }

    Map<String, Integer> starts() {
        return starts;
    }

    /** The longest time in the last run in which no task whose name ends with "-site" has started anything. */
    long longestPauseMillis() {
        return longestPause;
    }
}
