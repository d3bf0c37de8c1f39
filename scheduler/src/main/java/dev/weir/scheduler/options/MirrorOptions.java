package dev.weir.scheduler.options;

import dev.weir.engine.Range;
import java.time.Duration;

/**
 * The rows for readers.
 *
 * @param enabled false: no rows at all; true by default
 * @param taskInterval shortest time between two rows of a task of which only counts change; a change of state is sent at once; 1 s
 */
public record MirrorOptions(boolean enabled, Duration taskInterval) {

    public MirrorOptions {
        Range.check("task-interval", taskInterval, Duration.ofMillis(1), Duration.ofHours(1));
    }

    public static MirrorOptions defaults() {
        return new MirrorOptions(true, Duration.ofSeconds(1));
    }
}
