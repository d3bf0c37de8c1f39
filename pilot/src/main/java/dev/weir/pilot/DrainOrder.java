package dev.weir.pilot;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Whether Weir wants this pilot to take no jobs: from a {@code drain} notice until {@code resume}, or until the time that the last
 * one gave is over, so that a pilot that Weir has forgotten works again. Safe for use by several threads.
 */
final class DrainOrder {

    private boolean ordered;
    private long untilNanos;

    /** Takes a drain notice. Returns whether that is new. */
    synchronized boolean order(Duration time) {
        boolean before = holds();
        ordered = true;
        untilNanos = System.nanoTime() + time.toNanos();
        return !before;
    }

    /** Takes a resume notice. Returns whether there was a drain. */
    synchronized boolean lift() {
        boolean before = holds();
        ordered = false;
        notifyAll();
        return before;
    }

    synchronized boolean holds() {
        ordered &= System.nanoTime() - untilNanos < 0;
        return ordered;
    }

    /** Waits until it holds no more, but no longer than this. */
    synchronized void awaitEnd(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        while (holds()) {
            long left = Math.min(end, untilNanos) - System.nanoTime();
            if (end - System.nanoTime() <= 0) {
                return;
            }
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, left));
        }
    }
}
