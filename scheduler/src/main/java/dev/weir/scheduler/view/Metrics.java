package dev.weir.scheduler.view;

import dev.weir.scheduler.api.SchedulerMetrics;
import dev.weir.scheduler.model.Counters;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.Pool;
import java.util.Map;
import java.util.TreeMap;

/** Reads what a lane has now. It looks at all open tasks. */
public final class Metrics {

    private final Lane lane;

    public Metrics(Lane lane) {
        this.lane = lane;
    }

    /**
     * @param livePilots how many pilots are heard
     */
    public SchedulerMetrics read(int livePilots) {
        long active = 0;
        long waiting = 0;
        Map<String, SchedulerMetrics.Pool> pools = new TreeMap<>();
        for (Pool pool : lane.pools.values()) {
            active += pool.active.size();
            waiting += pool.waiting.size() + pool.reading;
            pools.put(
                    pool.name,
                    new SchedulerMetrics.Pool(
                            pool.out(),
                            pool.queued,
                            pool.started,
                            pool.window(),
                            pool.pilots,
                            pool.idle,
                            pool.finished,
                            pool.failed));
        }
        Map<String, Long> files = nothing();
        Map<String, Long> tasks = nothing();
        countReasons(files, tasks);
        Counters c = lane.counters;
        return new SchedulerMetrics(
                pools,
                active,
                waiting,
                lane.tasks.size(),
                livePilots,
                c.reportsIn,
                Map.copyOf(c.retries),
                Map.copyOf(c.stale),
                c.adopted,
                Map.copyOf(c.ignored),
                c.rejected,
                files,
                tasks,
                jain());
    }

    private static Map<String, Long> nothing() {
        Map<String, Long> byReason = new TreeMap<>();
        for (WaitReason reason : WaitReason.values()) {
            byReason.put(reason.word(), 0L);
        }
        return byReason;
    }

    private void countReasons(Map<String, Long> files, Map<String, Long> tasks) {
        for (OpenTask task : lane.tasks.values()) {
            WaitReason reason = WaitReason.of(task);
            if (reason != null) {
                files.merge(reason.word(), reason.files(task.progress), Long::sum);
                tasks.merge(reason.word(), 1L, Long::sum);
            }
        }
    }

    /** {@code (Σx)² / (n Σx²)}, x the jobs released since the last reading over the weight, for tasks that could always give. */
    private double jain() {
        double sum = 0;
        double squares = 0;
        int n = 0;
        for (OpenTask task : lane.tasks.values()) {
            boolean backlogged = task.progress.slot && task.isReady();
            if (backlogged && task.measured) {
                double x = (task.progress.released - task.releasedBefore) / (double) task.weight();
                sum += x;
                squares += x * x;
                n++;
            }
            task.measured = backlogged;
            task.releasedBefore = task.progress.released;
        }
        return n == 0 || squares == 0 ? 1 : sum * sum / (n * squares);
    }
}
