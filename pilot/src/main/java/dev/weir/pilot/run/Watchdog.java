package dev.weir.pilot.run;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Knows when each step of an attempt is over at the latest. Every step has a limit of its own that ends it, so one that is not over
 * long after that limit hangs, on a dead file system for example. Safe for use from many threads.
 */
final class Watchdog {

    /** What ending a step may take beyond its limit, on a busy machine. */
    static final Duration SLACK = Duration.ofMinutes(5);

    private record Step(String name, Duration limit, long untilNanos) {}

    private final LongSupplier nanos;
    private volatile Step step;

    Watchdog() {
        this(System::nanoTime);
    }

    /** @param nanos as {@link System#nanoTime} */
    Watchdog(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The step before is over. */
    void begin(String name, Duration limit) {
        Duration longest = limit.plus(SLACK);
        step = new Step(name, longest, nanos.getAsLong() + longest.toNanos());
    }

    /** What hangs, in words; null when nothing does. */
    String hanging() {
        Step now = step;
        boolean hangs = now != null && nanos.getAsLong() - now.untilNanos() > 0;
        return hangs ? now.name() + " is not over after " + now.limit().toSeconds() + " s" : null;
    }
}
