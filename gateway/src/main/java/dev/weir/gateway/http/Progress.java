package dev.weir.gateway.http;

import dev.weir.gateway.live.Estimate;
import dev.weir.gateway.live.Measured;
import dev.weir.gateway.live.Throughput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How fast an open task goes on, against what its weight gives it, and how long the rest takes. */
final class Progress {

    private static final List<String> OVER = List.of("finished", "failed", "killed", "cancelled");

    private final Throughput throughput;
    private final Pools pools;

    Progress(Throughput throughput, Pools pools) {
        this.throughput = throughput;
        this.pools = pools;
    }

    /** Adds it to the row of a task that has not ended. */
    Map<String, Object> addTo(Map<String, Object> task) {
        String state = (String) task.get("state");
        if (!state.equals("active") && !state.equals("paused") && !state.equals("accepted")) {
            return task;
        }
        long now = System.currentTimeMillis();
        String pool = (String) task.get("pool");
        Measured rate = throughput.ofTask((String) task.get("uid"), now);
        Map<String, Object> progress = new LinkedHashMap<>();
        progress.put("jobs_per_second", rate.perSecond());
        if (pool != null && state.equals("active") && !isKept(task)) {
            long ended = throughput.ofPool(pool, now).longJobs();
            if (ended > 0) {
                progress.put("share_of_jobs", Math.min(1, rate.longJobs() / (double) ended));
            }
            double weights = pools.find(pool)
                    .map(found -> ((Number) found.get("weight")).doubleValue())
                    .orElse(0.0);
            if (weights > 0) {
                progress.put("share_of_weight", Math.min(1, ((Number) task.get("weight")).doubleValue() / weights));
            }
        }
        progress.put("time_left", timeLeft(task, rate));
        task.put("progress", progress);
        return task;
    }

    Estimate timeLeft(Map<String, Object> task) {
        return timeLeft(task, throughput.ofTask((String) task.get("uid"), System.currentTimeMillis()));
    }

    private static boolean isKept(Map<String, Object> task) {
        return "kept".equals(task.get("why"));
    }

    private static Estimate timeLeft(Map<String, Object> task, Measured rate) {
        Map<?, ?> counts = (Map<?, ?>) task.get("counts");
        Object total = counts.get("total");
        if (total == null) {
            return Estimate.unknown("the number of its files is not known yet");
        }
        if (isKept(task)) {
            return Estimate.unknown("its jobs are over, and failed ones can be tried again");
        }
        if (task.get("state").equals("paused")) {
            return Estimate.unknown("the task is paused");
        }
        long over = OVER.stream()
                .mapToLong(state -> ((Number) counts.get(state)).longValue())
                .sum();
        return Estimate.of(((Number) total).longValue() - over, rate);
    }
}
