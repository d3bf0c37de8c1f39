package dev.weir.job.options;

import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Access to DSM. */
public final class DsmOptions {

    public static final ConfigOption<String> URL = ConfigOptions.key("weir.dsm.url")
            .stringType()
            .defaultValue("http://localhost:8070")
            .withDescription("Base URL of DSM, which answers GET /dataset/{uid} and GET /storage/{id}.");

    public static final ConfigOption<Duration> REQUEST_TIMEOUT = ConfigOptions.key("weir.dsm.request-timeout")
            .durationType()
            .defaultValue(Duration.ofSeconds(30))
            .withDescription("Timeout of one request.");

    public static final ConfigOption<Duration> RETRY_FOR = ConfigOptions.key("weir.dsm.retry-for")
            .durationType()
            .defaultValue(Duration.ofSeconds(5))
            .withDescription(
                    "Time for which a failing request is repeated, with growing pauses, before the task shows that"
                            + " DSM is unavailable. The task keeps waiting, and Weir asks again by itself after 1 s,"
                            + " 2 s and so on up to weir.scheduling.page-timeout.");

    public static final ConfigOption<Duration> ABSENCE = ConfigOptions.key("weir.dsm.absence")
            .durationType()
            .defaultValue(Duration.ofSeconds(5))
            .withDescription("Time for which a dataset may be unknown to DSM before its task is rejected. Outputs are"
                    + " registered through a queue, so a task that reads them may arrive earlier.");

    public static final ConfigOption<Integer> CONCURRENCY = ConfigOptions.key("weir.dsm.concurrency")
            .intType()
            .defaultValue(16)
            .withDescription(
                    "Maximum number of requests at once. Requests for datasets that failed before use at most half"
                            + " of them.");

    private DsmOptions() {}
}
