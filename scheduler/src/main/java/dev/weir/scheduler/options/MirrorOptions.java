package dev.weir.scheduler.options;

import java.time.Duration;

/**
 * What readers see.
 *
 * @param enabled false: no rows at all; true by default
 * @param taskInterval a task's row is sent at once when its state changes, and at most this often when only counts do; 1 s
 */
public record MirrorOptions(boolean enabled, Duration taskInterval) {

    public MirrorOptions {
        Range.check("task-interval", taskInterval, Duration.ofMillis(1), Duration.ofHours(1));
    }

    public static MirrorOptions defaults() {
        return new MirrorOptions(true, Duration.ofSeconds(1));
    }
}
