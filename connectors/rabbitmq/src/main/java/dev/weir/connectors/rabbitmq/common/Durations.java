package dev.weir.connectors.rabbitmq.common;

import java.time.Duration;
import org.apache.flink.annotation.Internal;

/** Durations that users give. */
@Internal
public final class Durations {

    /** Longer than any job, and short enough for nanoseconds in a long, which end after 292 years. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    /**
     * The duration, or a hundred years if it is longer: "never" is often written as the largest number there is.
     *
     * @param what its name, for the error
     * @throws IllegalArgumentException if it is zero or negative
     */
    public static Duration positive(String what, Duration given) {
        if (given.isNegative() || given.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, not " + given);
        }
        return given.compareTo(LONGEST) > 0 ? LONGEST : given;
    }
}
