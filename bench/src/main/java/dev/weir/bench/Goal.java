package dev.weir.bench;

import java.util.Objects;

/** The bound that a measured figure should reach, in the unit of its {@link Row}. */
public record Goal(Direction direction, double bound) {

    /** Which side of the bound is the good one. The bound itself is good. */
    public enum Direction {
        AT_MOST("≤"),
        AT_LEAST("≥");

        private final String sign;

        Direction(String sign) {
            this.sign = sign;
        }

        /** The sign shown in the table. */
        public String sign() {
            return sign;
        }
    }

    public Goal {
        Objects.requireNonNull(direction, "direction");
    }

    /** Whether the figure is on the good side. */
    public boolean isMetBy(double measured) {
        return direction == Direction.AT_MOST ? measured <= bound : measured >= bound;
    }
}
