package dev.weir.job.options;

import dev.weir.connectors.dsm.DsmReaderOptions;
import java.net.URI;
import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** Access to DSM. */
public final class DsmOptions {

    public static final ConfigOption<String> URL = ConfigOptions.key("weir.dsm.url")
            .stringType()
            .defaultValue("http://localhost:8070")
            .withDescription("Base URL of DSM, which answers GET /dataset/{uid} and GET /storage/{id}.");

    public static final ConfigOption<Duration> REQUEST_TIMEOUT = ConfigOptions.key("weir.dsm.request-timeout")
            .durationType()
            .defaultValue(Duration.ofSeconds(30))
            .withDescription("Timeout of one request, longer than 0.");

    public static final ConfigOption<Duration> RETRY_FOR = ConfigOptions.key("weir.dsm.retry-for")
            .durationType()
            .defaultValue(Duration.ofSeconds(5))
            .withDescription(
                    "Time, longer than 0, for which a failing request is repeated, with growing pauses, before the task shows that"
                            + " DSM is unavailable. The task keeps waiting, and Weir asks again by itself after 1 s,"
                            + " 2 s and so on up to weir.scheduling.page-timeout.");

    public static final ConfigOption<Duration> ABSENCE = ConfigOptions.key("weir.dsm.absence")
            .durationType()
            .defaultValue(Duration.ofSeconds(5))
            .withDescription(
                    "Time, 0 or longer, for which a dataset may be unknown to DSM before its task is rejected. Outputs are"
                            + " registered through a queue, so a task that reads them may arrive earlier.");

    public static final ConfigOption<Integer> CONCURRENCY = ConfigOptions.key("weir.dsm.concurrency")
            .intType()
            .defaultValue(16)
            .withDescription(
                    "Maximum number of requests at once, each with a thread, 1 to 1000. Requests for datasets that failed before use at most half"
                            + " of them.");

    /** Questions that may wait. Every reading task has one open request; ten pools interleave about as many tasks. */
    public static final int MAX_WAITING = 10_000;

    private static final int MAX_CONCURRENCY = 1_000;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_ATTEMPTS = 100;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration BODY_TIMEOUT = Duration.ofMinutes(30);

    /** A task of a low rank may need hours from one page to the next, and without the copy each is the whole dataset again. */
    private static final Duration SPOOL_IDLE = Duration.ofDays(1);

    private DsmOptions() {}

    /** What a reader of DSM gets. Throws, naming the option, if one is out of range. */
    public static DsmReaderOptions reader(ReadableConfig configuration) {
        Duration requestTimeout = Ranges.positive(configuration, REQUEST_TIMEOUT);
        Duration retryFor = Ranges.positive(configuration, RETRY_FOR);
        int concurrency = Ranges.between(configuration, CONCURRENCY, 1, MAX_CONCURRENCY);
        return at(configuration.get(URL))
                .with(new DsmReaderOptions.Timeouts(CONNECT_TIMEOUT, requestTimeout, BODY_TIMEOUT))
                .with(new DsmReaderOptions.Retries(
                        MAX_ATTEMPTS, retryFor, FIRST_PAUSE, LONGEST_PAUSE, configuration.get(ABSENCE)))
                .with(new DsmReaderOptions.Load(concurrency, MAX_WAITING))
                .with(new DsmReaderOptions.SpoolOptions(null, SPOOL_IDLE));
    }

    private static DsmReaderOptions at(String url) {
        try {
            return DsmReaderOptions.at(URI.create(url));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(URL.key() + ": " + e.getMessage(), e);
        }
    }
}
