package dev.weir.chaos.judge;

import java.util.List;

/**
 * A time in which Weir may have forgotten what it answered: from a checkpoint before a fault until it works again. Nanoseconds of
 * one clock.
 */
public record Disturbance(long from, long until) {

    /** Whether one of these touches this time. */
    static boolean touches(List<Disturbance> all, long begin, long end) {
        return all.stream().anyMatch(one -> one.from <= end && one.until >= begin);
    }
}
