package dev.weir.connectors.rabbitmq.common;

import java.time.Duration;
import org.apache.flink.annotation.Internal;

/** Counts what may happen very often, and says when it is time for a log line: at the first time, then every five minutes. Thread-safe. */
@Internal
public final class Seldom {

    private static final long SILENCE_NANOS = Duration.ofMinutes(5).toNanos();

    private long count;
    private boolean said;
    private long saidNanos;

    /** It has happened once more: how often since the last line, if another is due; 0 if not. */
    public long happened() {
        return happened(System.nanoTime());
    }

    synchronized long happened(long nowNanos) {
        count++;
        if (said && nowNanos - saidNanos < SILENCE_NANOS) {
            return 0;
        }
        long since = count;
        count = 0;
        said = true;
        saidNanos = nowNanos;
        return since;
    }
}
