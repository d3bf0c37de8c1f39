package dev.weir.pilot.gateway;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Pauses between tries, which double. For one thread. */
final class Pause {

    /** Between two looks at whether to give up. */
    private static final Duration STEP = Duration.ofMillis(100);

    private final GatewaySettings settings;
    private Duration next;

    Pause(GatewaySettings settings) {
        this.settings = settings;
        reset();
    }

    void reset() {
        next = settings.retryLeast();
    }

    /** Waits, but no longer than until the caller gives up. */
    void rest(BooleanSupplier givesUp) throws InterruptedException {
        Duration now = next;
        Duration doubled = now.multipliedBy(2);
        next = doubled.compareTo(settings.retryMost()) < 0 ? doubled : settings.retryMost();
        until(System.nanoTime() + now.toNanos(), givesUp);
    }

    static void until(long nanos, BooleanSupplier givesUp) throws InterruptedException {
        while (nanos - System.nanoTime() > 0 && !givesUp.getAsBoolean()) {
            long left = Duration.ofNanos(nanos - System.nanoTime()).toMillis() + 1;
            Thread.sleep(Math.min(STEP.toMillis(), left));
        }
    }
}
