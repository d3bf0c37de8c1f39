package dev.weir.connectors.rabbitmq.suite;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.functions.MapFunction;

/** Counts how often each text passed, across all tasks of this process; shared by name because functions are copied. */
public record Tally(String name) implements MapFunction<String, String> {

    private static final Map<String, Map<String, Integer>> COUNTS = new ConcurrentHashMap<>();

    @Override
    public String map(String text) {
        counts().merge(text, 1, Integer::sum);
        return text;
    }

    public Map<String, Integer> counts() {
        return COUNTS.computeIfAbsent(name, n -> new ConcurrentHashMap<>());
    }

    public int distinct() {
        return counts().size();
    }

    public long repetitions() {
        return counts().values().stream().mapToLong(n -> n - 1).sum();
    }
}
