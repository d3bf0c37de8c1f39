package dev.weir.job.options;

import dev.weir.engine.store.HeapStore;
import dev.weir.scheduler.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.FallbackKey;

/**
 * Checks all settings before a job starts: a running job that finds an invalid one would restart without end, or
 * reject valid messages.
 */
public final class Settings {

    private static final String PREFIX = "weir.";

    private Settings() {}

    /**
     * Returns if every setting is valid.
     *
     * @throws IllegalArgumentException naming each option that does not exist, cannot be read or is out of range
     */
    public static void check(Configuration configuration) {
        List<String> wrong = new ArrayList<>(unknown(configuration));
        for (ConfigOption<?> option : known(configuration).values()) {
            collect(wrong, option.key(), () -> configuration.get(option));
        }
        if (wrong.isEmpty()) {
            collect(wrong, null, () -> new Scheduler(CoreOptions.of(configuration), new HeapStore()));
            collect(wrong, null, () -> QueueOptions.core(configuration));
            collect(wrong, null, () -> AmqpOptions.check(configuration));
            collect(wrong, null, () -> DsmOptions.reader(configuration));
            collect(wrong, null, () -> MirrorOptions.check(configuration));
            if (configuration.get(JobOptions.POOLS).isEmpty()) {
                wrong.add(JobOptions.POOLS.key() + ": at least one pool is required");
            }
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("invalid settings:\n  " + String.join("\n  ", wrong));
        }
    }

    private static void collect(List<String> wrong, String key, Runnable attempt) {
        try {
            attempt.run();
        } catch (IllegalArgumentException e) {
            wrong.add((key == null ? "" : key + ": ") + e.getMessage());
        }
    }

    private static List<String> unknown(Configuration configuration) {
        Map<String, ConfigOption<?>> known = known(configuration);
        List<String> pools = configuration.get(JobOptions.POOLS);
        return configuration.keySet().stream()
                .filter(key -> key.startsWith(PREFIX) && !known.containsKey(key))
                .sorted()
                .map(key -> key + ": " + unknown(key, pools))
                .toList();
    }

    private static String unknown(String key, List<String> pools) {
        if (key.startsWith(PoolSettings.PREFIX)) {
            String[] poolAndName = key.substring(PoolSettings.PREFIX.length()).split("\\.(?=[^.]*$)", 2);
            if (poolAndName.length == 2 && !pools.contains(poolAndName[0])) {
                return "there is no pool '" + poolAndName[0] + "'; " + JobOptions.POOLS.key() + " names "
                        + String.join(", ", pools);
            }
        }
        return "there is no such option; docs/CONFIGURATION.md lists them";
    }

    /** All options by key, deprecated keys included. */
    private static Map<String, ConfigOption<?>> known(Configuration configuration) {
        Map<String, ConfigOption<?>> known = new TreeMap<>();
        for (String pool : configuration.get(JobOptions.POOLS)) {
            PoolSettings.options(pool).forEach(option -> known.put(option.key(), option));
        }
        for (OptionsReference.Section section : OptionsReference.SECTIONS) {
            if (section.options() == PoolSettings.class) {
                continue;
            }
            for (OptionsReference.Documented documented : OptionsReference.options(section.options())) {
                ConfigOption<?> option = documented.option();
                known.put(option.key(), option);
                for (FallbackKey fallback : option.fallbackKeys()) {
                    known.put(fallback.getKey(), option);
                }
            }
        }
        return known;
    }
}
