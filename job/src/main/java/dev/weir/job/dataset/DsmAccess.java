package dev.weir.job.dataset;

import dev.weir.connectors.dsm.DsmReader;
import dev.weir.connectors.dsm.DsmReaderOptions;
import dev.weir.job.options.DsmOptions;
import java.io.Serializable;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.apache.flink.configuration.ReadableConfig;

/** The operators' access to DSM, serializable. */
public record DsmAccess(DsmReaderOptions options) implements Serializable {

    /** Waiting messages are in memory and in checkpoints, and a task may contain a long list of files. */
    private static final long MAX_WAITING_BYTES = 64L << 20;

    public static DsmAccess of(ReadableConfig configuration) {
        return new DsmAccess(DsmOptions.reader(configuration));
    }

    static Waiting waiting() {
        return new Waiting(DsmOptions.MAX_WAITING, MAX_WAITING_BYTES);
    }

    /** The capacity of the operator: larger than the limit of waiting messages, so that neither its input nor a checkpoint waits for DSM. */
    public int capacity() {
        return 2 * DsmOptions.MAX_WAITING;
    }

    int concurrency() {
        return options.load().concurrency();
    }

    DsmReader open() {
        return new DsmReader(options);
    }

    /** Flink's timeout for one request: longer than the reader's own. */
    public Duration patience() {
        DsmReaderOptions.Retries retries = options.retries();
        DsmReaderOptions.Timeouts timeouts = options.timeouts();
        return retries.totalTime()
                .plus(timeouts.body())
                .plus(retries.longestPause())
                .plus(timeouts.response());
    }

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
