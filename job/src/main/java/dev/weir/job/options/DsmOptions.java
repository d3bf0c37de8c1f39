package dev.weir.job.options;

import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How datasets are read from DSM. */
public final class DsmOptions {

    public static final ConfigOption<String> URL = ConfigOptions.key("weir.dsm.url")
            .stringType()
            .defaultValue("http://localhost:8070")
            .withDescription("Where DSM answers GET /dataset/{uid} and GET /storage/{id}.");

    public static final ConfigOption<Duration> REQUEST_TIMEOUT = ConfigOptions.key("weir.dsm.request-timeout")
            .durationType()
            .defaultValue(Duration.ofSeconds(30))
            .withDescription("How long one request may take.");

    public static final ConfigOption<Duration> RETRY_FOR = ConfigOptions.key("weir.dsm.retry-for")
            .durationType()
            .defaultValue(Duration.ofMinutes(1))
            .withDescription(
                    "How long a request that fails is tried again, with growing pauses, before the task is told"
                            + " that DSM cannot be reached. The task keeps waiting and asks again.");

    public static final ConfigOption<Duration> ABSENCE = ConfigOptions.key("weir.dsm.absence")
            .durationType()
            .defaultValue(Duration.ofSeconds(5))
            .withDescription(
                    "How long DSM may not know a dataset before its task is rejected. Outputs are registered through a"
                            + " queue, and a task that reads them may be quicker.");

    public static final ConfigOption<Integer> CONCURRENCY = ConfigOptions.key("weir.dsm.concurrency")
            .intType()
            .defaultValue(16)
            .withDescription(
                    "Most requests at the same time. Those about datasets that failed before hold at most half of them.");

    private DsmOptions() {}
}
