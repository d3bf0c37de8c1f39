package dev.weir.job.dataset;

import dev.weir.connectors.dsm.DsmReader;
import dev.weir.connectors.dsm.DsmReaderOptions;
import dev.weir.job.options.DsmOptions;
import java.io.Serializable;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.apache.flink.configuration.ReadableConfig;

/**
 * The operators' access to DSM: the options in serializable form.
 *
 * @param url of DSM
 * @param requestTimeout for one request
 * @param retryFor time during which a failing request is repeated
 * @param absence time for which a dataset may be unknown to DSM before its task is rejected
 * @param concurrency maximum number of requests at once
 */
public record DsmAccess(String url, Duration requestTimeout, Duration retryFor, Duration absence, int concurrency)
        implements Serializable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    /** Every reading task has one open request; ten pools interleave about as many tasks. */
    private static final int MAX_WAITING = 10_000;
    /** Waiting messages are in memory and in checkpoints, and a task may contain a long list of files. */
    private static final long MAX_WAITING_BYTES = 64L << 20;

    private static final int MAX_ATTEMPTS = 100;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration BODY_TIMEOUT = Duration.ofMinutes(30);

    public static DsmAccess of(ReadableConfig configuration) {
        return new DsmAccess(
                configuration.get(DsmOptions.URL),
                configuration.get(DsmOptions.REQUEST_TIMEOUT),
                configuration.get(DsmOptions.RETRY_FOR),
                configuration.get(DsmOptions.ABSENCE),
                configuration.get(DsmOptions.CONCURRENCY));
    }

    static Waiting waiting() {
        return new Waiting(MAX_WAITING, MAX_WAITING_BYTES);
    }

    /** The capacity of the operator: larger than the limit of waiting messages, so that neither its input nor a checkpoint waits for DSM. */
    public int capacity() {
        return 2 * MAX_WAITING;
    }

    DsmReader open() {
        return new DsmReader(DsmReaderOptions.at(URI.create(url))
                .with(new DsmReaderOptions.Timeouts(CONNECT_TIMEOUT, requestTimeout, BODY_TIMEOUT))
                .with(new DsmReaderOptions.Retries(MAX_ATTEMPTS, retryFor, FIRST_PAUSE, LONGEST_PAUSE, absence))
                .with(new DsmReaderOptions.Load(concurrency, MAX_WAITING)));
    }

    /** Flink's timeout for one request: longer than the reader's own. */
    public Duration patience() {
        return retryFor.plus(BODY_TIMEOUT).plus(LONGEST_PAUSE).plus(requestTimeout);
    }

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
