package dev.weir.job.options;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** The shape of the schedule job. */
public final class JobOptions {

    public static final ConfigOption<Integer> LANES = ConfigOptions.key("weir.lanes")
            .intType()
            .defaultValue(1)
            .withDescription(
                    "Number of keys of the scheduling function. Fixed for the life of a savepoint: another number refuses to start from it.");

    public static final ConfigOption<List<String>> POOLS = ConfigOptions.key("weir.pools")
            .stringType()
            .asList()
            .defaultValues("cpu", "gpu")
            .withDescription("Pools of pilots; each has its own queue of jobs. A task may name its pool.");

    private JobOptions() {}
}
