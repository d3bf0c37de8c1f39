package dev.weir.pilot.run;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Knows when each step of a pilot's work is over at the latest. Every step has a limit of its own that ends it, or is over at once, so
 * one that is not over long after that hangs, on a dead file system for example. Safe for use from many threads.
 */
public class Watchdog {

    /** What ending a step may take beyond its limit, on a busy machine. */
    public static final Duration SLACK = Duration.ofMinutes(5);

    private record Step(String name, Duration limit, long untilNanos) {}

    private final LongSupplier nanos;
    private volatile Step step;

    public Watchdog() {
        this(System::nanoTime);
    }

    /** @param nanos as {@link System#nanoTime} */
    public Watchdog(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The step before is over. */
    public void begin(String name, Duration limit) {
        Duration longest = limit.plus(SLACK);
        step = new Step(name, longest, nanos.getAsLong() + longest.toNanos());
    }

    /** The last step is over, and none follows for now. */
    public void end() {
        step = null;
    }

    /** What hangs, in words; null when nothing does. */
    public String hanging() {
        Step now = step;
        boolean hangs = now != null && nanos.getAsLong() - now.untilNanos() > 0;
        return hangs ? now.name() + " is not over after " + now.limit().toSeconds() + " s" : null;
    }
}
