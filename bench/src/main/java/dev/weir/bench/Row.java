package dev.weir.bench;

import java.util.Objects;
import java.util.Optional;

/**
 * One measured figure.
 *
 * @param what what was measured, with the load it was measured under
 * @param measured the figure, in {@code unit}
 * @param unit such as {@code s}, {@code MiB}, {@code ns}, {@code 1/s}; empty for ratios
 * @param goal the bound that the figure should reach; empty if there is none
 */
public record Row(String what, double measured, String unit, Optional<Goal> goal) {

    public Row {
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(goal, "goal");
        if (Double.isNaN(measured)) {
            throw new IllegalArgumentException("'" + what + "' was not measured: the figure is NaN");
        }
    }

    /** A figure without a goal. */
    public static Row of(String what, double measured, String unit) {
        return new Row(what, measured, unit, Optional.empty());
    }

    /** A figure that should be {@code bound} or less. */
    public static Row atMost(String what, double measured, double bound, String unit) {
        return new Row(what, measured, unit, Optional.of(new Goal(Goal.Direction.AT_MOST, bound)));
    }

    /** A figure that should be {@code bound} or more. */
    public static Row atLeast(String what, double measured, double bound, String unit) {
        return new Row(what, measured, unit, Optional.of(new Goal(Goal.Direction.AT_LEAST, bound)));
    }

    /** {@code met}, {@code missed}, or nothing when there is no goal. */
    public String verdict() {
        return goal.map(wanted -> wanted.isMetBy(measured) ? "met" : "missed").orElse("");
    }
}
