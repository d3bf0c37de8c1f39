package dev.weir.job.options;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** The shape of the schedule job. */
public final class JobOptions {

    public static final ConfigOption<Integer> LANES = ConfigOptions.key("weir.lanes")
            .intType()
            .defaultValue(1)
            .withDescription("How many keys the scheduling function has. Fixed for the life of a state.");

    public static final ConfigOption<List<String>> POOLS = ConfigOptions.key("weir.pools")
            .stringType()
            .asList()
            .defaultValues("cpu", "gpu")
            .withDescription(
                    "The pools of pilots; each has a queue of jobs of its own. A task may name the one that it goes to.");

    private JobOptions() {}
}
