package dev.weir.job.options;

import dev.weir.scheduler.options.PoolOptions;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/**
 * The settings of one pool: {@code weir.pool.NAME.policy} and so on, where NAME is one of {@link JobOptions#POOLS}. A pool without
 * one takes the value that {@link SchedulingOptions} gives to all pools. The constants stand for any pool in the reference page.
 */
public final class PoolSettings {

    static final String PREFIX = "weir.pool.";

    private static final String ANY = "NAME";

    public static final ConfigOption<String> POLICY = policy(ANY);
    public static final ConfigOption<Integer> WINDOW = number(ANY, SchedulingOptions.WINDOW);
    public static final ConfigOption<Integer> WINDOW_MIN = number(ANY, SchedulingOptions.WINDOW_MIN);
    public static final ConfigOption<Integer> WINDOW_MAX = number(ANY, SchedulingOptions.WINDOW_MAX);

    private PoolSettings() {}

    /** The options that a pool of this name has. */
    static List<ConfigOption<?>> options(String pool) {
        return List.of(
                policy(pool),
                number(pool, SchedulingOptions.WINDOW),
                number(pool, SchedulingOptions.WINDOW_MIN),
                number(pool, SchedulingOptions.WINDOW_MAX));
    }

    /** The pool as configured. Throws {@link IllegalArgumentException} with the pool's name when a value is out of range. */
    static PoolOptions of(ReadableConfig c, String pool) {
        try {
            return new PoolOptions(
                    c.getOptional(policy(pool)).orElse(c.get(SchedulingOptions.POLICY)),
                    number(c, pool, SchedulingOptions.WINDOW),
                    number(c, pool, SchedulingOptions.WINDOW_MIN),
                    number(c, pool, SchedulingOptions.WINDOW_MAX));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("pool " + pool + ": " + e.getMessage(), e);
        }
    }

    private static int number(ReadableConfig c, String pool, ConfigOption<Integer> ofAll) {
        return c.getOptional(number(pool, ofAll)).orElse(c.get(ofAll));
    }

    private static ConfigOption<String> policy(String pool) {
        return ConfigOptions.key(key(pool, SchedulingOptions.POLICY))
                .stringType()
                .noDefaultValue()
                .withDescription(meaning(SchedulingOptions.POLICY));
    }

    private static ConfigOption<Integer> number(String pool, ConfigOption<Integer> ofAll) {
        return ConfigOptions.key(key(pool, ofAll)).intType().noDefaultValue().withDescription(meaning(ofAll));
    }

    private static String key(String pool, ConfigOption<?> ofAll) {
        return PREFIX + pool + "." + ofAll.key().substring(SchedulingOptions.PREFIX.length());
    }

    private static String meaning(ConfigOption<?> ofAll) {
        return "For the pool NAME alone; without it the pool takes " + ofAll.key() + ".";
    }
}
