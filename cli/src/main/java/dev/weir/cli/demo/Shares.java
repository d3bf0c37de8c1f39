package dev.weir.cli.demo;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tasks' shares of a pool's jobs, measured only while all compared tasks had waiting jobs: from the moment at which each
 * has started one, to the moment at which the first of them has none left. Outside this time the shares say nothing about
 * fairness, because a task is missing.
 */
final class Shares {

    private Shares() {}

    /**
     * @param starts of all attempts, in order
     * @param jobs the number of jobs of each compared task; other tasks are not counted
     * @return the share of each compared task, 0 to 1; empty if there was no such time
     */
    static Map<String, Double> of(List<Start> starts, Map<String, Integer> jobs) {
        Map<String, Integer> started = new HashMap<>();
        Map<String, Integer> counted = new LinkedHashMap<>();
        jobs.keySet().forEach(task -> counted.put(task, 0));
        int total = 0;
        for (Start start : starts) {
            String task = start.task();
            if (!jobs.containsKey(task)) {
                continue;
            }
            boolean allHere = started.size() == jobs.size();
            int now = started.merge(task, start.isFirst() ? 1 : 0, Integer::sum);
            if (allHere) {
                counted.merge(task, 1, Integer::sum);
                total++;
            }
            if (now >= jobs.get(task)) {
                break;
            }
        }
        if (total == 0) {
            return Map.of();
        }
        Map<String, Double> shares = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> task : counted.entrySet()) {
            shares.put(task.getKey(), task.getValue() / (double) total);
        }
        return shares;
    }

    /** The expected share of each task: its weight divided by the sum of all weights. */
    static Map<String, Double> ofWeights(Map<String, Integer> weights) {
        double sum = weights.values().stream().mapToInt(Integer::intValue).sum();
        Map<String, Double> shares = new LinkedHashMap<>();
        weights.forEach((task, weight) -> shares.put(task, weight / sum));
        return shares;
    }
}
