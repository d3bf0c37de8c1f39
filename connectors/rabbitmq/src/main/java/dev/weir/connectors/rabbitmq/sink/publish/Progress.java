package dev.weir.connectors.rabbitmq.sink.publish;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** When the broker last settled something, and why it does not now. Not thread-safe: {@link PublisherState} guards it. */
final class Progress {

    private long confirmedNanos = System.nanoTime();
    private long movedNanos = System.nanoTime();
    private String trouble = "not connected yet";

    /** The broker has settled a message. */
    void settled() {
        begin();
        trouble = "";
    }

    /** There is something to wait for, and was not before. */
    void begin() {
        movedNanos = System.nanoTime();
        confirmedNanos = movedNanos;
    }

    /** From now on a channel should confirm, whatever was before. */
    void expectConfirms() {
        confirmedNanos = System.nanoTime();
    }

    void trouble(String why) {
        trouble = why;
    }

    String trouble() {
        return trouble.isEmpty() ? "no confirms come" : trouble;
    }

    boolean isSilent(long nowNanos, Duration limit) {
        return nowNanos - confirmedNanos > limit.toNanos();
    }

    /** For how many seconds nothing was settled, 1 or more, if that is longer than the limit; 0 otherwise. */
    long standstillSeconds(long nowNanos, Duration limit) {
        long still = nowNanos - movedNanos;
        return still > limit.toNanos() ? Math.max(1, TimeUnit.NANOSECONDS.toSeconds(still)) : 0;
    }
}
