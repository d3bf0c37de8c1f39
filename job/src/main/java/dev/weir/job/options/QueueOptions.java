package dev.weir.job.options;

import dev.weir.queues.options.QueuesOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** The queues job. */
public final class QueueOptions {

    private static final QueuesOptions DEFAULTS = QueuesOptions.defaults();

    public static final ConfigOption<Boolean> ENABLED = ConfigOptions.key("weir.queues.enabled")
            .booleanType()
            .defaultValue(false)
            .withDescription(
                    "Whether the queues job runs: ranked, bounded queues for workers. It is a job of its own, so it needs"
                            + " a slot, and a flooded queue delays no dataset.");

    public static final ConfigOption<Integer> MAX_QUEUES =
            number("max-queues", DEFAULTS.maxQueues(), "Most queues, 1 to 1000.");

    public static final ConfigOption<Integer> MAX_ITEMS = number(
            "max-items",
            DEFAULTS.maxItems(),
            "Most items of all queues, dead ones included. A million of 300 bytes take 60 MB of heap.");

    public static final ConfigOption<Integer> MAX_LEASED =
            number("max-leased", DEFAULTS.maxLeased(), "Most items that workers have at once.");

    public static final ConfigOption<Integer> MAX_OWNERS = number(
            "max-owners", DEFAULTS.maxOwners(), "Most owners of a queue that have items, a weight, a bound or facts.");

    public static final ConfigOption<Integer> MAX_ASKS =
            number("max-asks", DEFAULTS.maxAsks(), "Most pops, shows and answers that wait at once.");

    public static final ConfigOption<Integer> MAX_GROUPS = number(
            "max-groups",
            DEFAULTS.limits().maxGroups(),
            "Most limit groups of items, and most sets of groups in which items of an owner and kind wait; further pushes"
                    + " with groups are answered as full.");

    private QueueOptions() {}

    /** Throws {@link IllegalArgumentException} for a number out of its range. */
    public static QueuesOptions core(ReadableConfig configuration) {
        return new QueuesOptions(
                configuration.get(MAX_QUEUES),
                configuration.get(MAX_ITEMS),
                configuration.get(MAX_LEASED),
                configuration.get(MAX_OWNERS),
                configuration.get(MAX_ASKS),
                DEFAULTS.beatInterval(),
                DEFAULTS.limits().withMaxGroups(configuration.get(MAX_GROUPS)));
    }

    private static ConfigOption<Integer> number(String name, int value, String description) {
        return ConfigOptions.key("weir.queues." + name)
                .intType()
                .defaultValue(value)
                .withDescription(description);
    }
}
