package dev.weir.gateway.http;

import dev.weir.gateway.live.Throughput;
import dev.weir.gateway.mirror.Mirror;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The pools with their pilots, tasks and jobs, counted now and then: counting reads every open task. */
final class Pools {

    private static final List<String> OF_JOBS = List.of("waiting", "queued", "starting", "running", "cooling");
    private static final String[] OF_PILOTS = {"idle", "busy", "draining", "lost"};
    private static final String[] OF_TASKS = {"open", "active", "waiting", "paused"};

    private final Mirror mirror;
    private final Throughput throughput;
    private final Paced<List<Map<String, Object>>> counted = new Paced<>(this::count);

    Pools(Mirror mirror, Throughput throughput) {
        this.mirror = mirror;
        this.throughput = throughput;
    }

    /** As the contract shows them, by name. */
    List<Map<String, Object>> all() {
        return counted.get();
    }

    Optional<Map<String, Object>> find(String name) {
        return all().stream().filter(pool -> pool.get("name").equals(name)).findFirst();
    }

    /** One of the numbers of a pool, such as the idle ones of its pilots. */
    static long number(Map<String, Object> pool, String of, String state) {
        return ((Number) ((Map<?, ?>) pool.get(of)).get(state)).longValue();
    }

    /** Jobs of open tasks that have not ended. */
    static long jobsLeft(Map<String, Object> pool) {
        return OF_JOBS.stream().mapToLong(state -> number(pool, "jobs", state)).sum();
    }

    /** Of these, those that a pilot has yet to begin. */
    static long jobsToBegin(Map<String, Object> pool) {
        return jobsLeft(pool) - number(pool, "jobs", "starting") - number(pool, "jobs", "running");
    }

    /** Pilots that are heard. */
    static long pilotsHeard(Map<String, Object> pool) {
        return number(pool, "pilots", "idle") + number(pool, "pilots", "busy") + number(pool, "pilots", "draining");
    }

    /** Whether pilots are heard, and none of them takes a job. */
    static boolean onlyDrains(Map<String, Object> pool) {
        return pilotsHeard(pool) > 0 && pilotsHeard(pool) == number(pool, "pilots", "draining");
    }

    private List<Map<String, Object>> count() {
        Map<String, Map<String, Object>> byName = new TreeMap<>();
        for (Map<String, Object> row : mirror.tasksByPool()) {
            Map<String, Object> pool = pool(byName, row);
            pool.put("weight", row.get("weight"));
            pool.put("tasks", pick(row, OF_TASKS));
            pool.put("jobs", row.get("counts"));
        }
        for (Map<String, Object> row : mirror.pilotsByPool()) {
            pool(byName, row).put("pilots", pick(row, OF_PILOTS));
        }
        long now = System.currentTimeMillis();
        byName.forEach((name, pool) ->
                pool.put("jobs_per_second", throughput.ofPool(name, now).perSecond()));
        return List.copyOf(byName.values());
    }

    private static Map<String, Object> pool(Map<String, Map<String, Object>> byName, Map<String, Object> row) {
        return byName.computeIfAbsent((String) row.get("pool"), name -> {
            Map<String, Object> pool = new LinkedHashMap<>();
            pool.put("name", name);
            pool.put("weight", 0L);
            pool.put("pilots", zeros(OF_PILOTS));
            pool.put("tasks", zeros(OF_TASKS));
            pool.put("jobs", zeros(OF_JOBS.toArray(String[]::new)));
            return pool;
        });
    }

    private static Map<String, Object> zeros(String... names) {
        Map<String, Object> zeros = new LinkedHashMap<>();
        for (String name : names) {
            zeros.put(name, 0L);
        }
        return zeros;
    }

    private static Map<String, Object> pick(Map<String, Object> row, String... names) {
        Map<String, Object> picked = new LinkedHashMap<>();
        for (String name : names) {
            picked.put(name, row.get(name));
        }
        return picked;
    }
}
