package dev.weir.scheduler.lane;

import dev.weir.scheduler.SchedulerMetrics;
import java.util.Map;
import java.util.TreeMap;

/** Reads what a lane has now. */
final class Gauges {

    private final Lane lane;

    Gauges(Lane lane) {
        this.lane = lane;
    }

    SchedulerMetrics read() {
        long active = 0;
        long waiting = 0;
        Map<String, SchedulerMetrics.Pool> pools = new TreeMap<>();
        for (PoolEntry pool : lane.pools.values()) {
            active += pool.active;
            waiting += pool.waiting.size() + pool.reading;
            pools.put(
                    pool.name,
                    new SchedulerMetrics.Pool(
                            pool.jobsOut,
                            pool.queued,
                            pool.started,
                            pool.window(lane.options.lanes()),
                            pool.pilots,
                            pool.finished,
                            pool.failed));
        }
        Counters c = lane.counters;
        return new SchedulerMetrics(
                pools,
                active,
                waiting,
                lane.tasks.size(),
                lane.pilots.live(),
                c.reportsIn,
                Map.copyOf(c.retries),
                Map.copyOf(c.stale),
                c.adopted,
                Map.copyOf(c.ignored),
                c.rejected,
                why(),
                jain());
    }

    Map<String, Long> why() {
        long[] files = new long[Why.values().length];
        for (PoolEntry pool : lane.pools.values()) {
            pool.held.addTo(files, lane, pool);
        }
        Map<String, Long> byWord = new TreeMap<>();
        for (Why why : Why.values()) {
            byWord.put(why.word(), files[why.ordinal()]);
        }
        return byWord;
    }

    /** {@code (Σx)² / (n Σx²)}, x the jobs released since the last reading over the weight, for tasks that could always give. */
    private double jain() {
        double sum = 0;
        double squares = 0;
        int n = 0;
        for (TaskEntry task : lane.tasks.values()) {
            boolean backlogged = task.p.slot && task.isReady();
            if (backlogged && task.measured) {
                double x = (task.p.released - task.releasedBefore) / (double) task.weight();
                sum += x;
                squares += x * x;
                n++;
            }
            task.measured = backlogged;
            task.releasedBefore = task.p.released;
        }
        return n == 0 || squares == 0 ? 1 : sum * sum / (n * squares);
    }
}
