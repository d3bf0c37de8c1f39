package dev.weir.engine;

import java.time.Duration;

/** Checks that an option is in its range; the exception names the option. */
public final class Range {

    private Range() {}

    public static void check(String option, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(option + " must be from " + least + " to " + most + ", got " + value);
        }
    }

    public static void check(String option, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(option + " must be from " + least + " to " + most + ", got " + value);
        }
    }
}
