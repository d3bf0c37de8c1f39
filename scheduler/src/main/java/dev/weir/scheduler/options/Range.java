package dev.weir.scheduler.options;

import java.time.Duration;

/** Checks that an option is in its range; the exception names the option. */
final class Range {

    private Range() {}

    static void check(String option, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(option + " must be from " + least + " to " + most + ", got " + value);
        }
    }

    static void check(String option, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(option + " must be from " + least + " to " + most + ", got " + value);
        }
    }
}
