package dev.weir.connectors.rabbitmq.common;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;

/**
 * How a broken connection is tried again: the n-th pause is {@code initial × 2ⁿ}, never longer than {@code max}, and when
 * nothing has moved for {@code giveUpAfter} the task fails, so that Flink restarts it from its last checkpoint.
 *
 * @param initial first pause; positive
 * @param max longest pause; at least {@code initial}
 * @param giveUpAfter how long to try before failing; positive
 */
public record BackOff(Duration initial, Duration max, Duration giveUpAfter) implements Serializable {

    /** 100 ms growing to 10 s, for 10 minutes. */
    public static final BackOff DEFAULT =
            new BackOff(Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ofMinutes(10));

    public BackOff {
        Objects.requireNonNull(initial, "initial");
        Objects.requireNonNull(max, "max");
        Objects.requireNonNull(giveUpAfter, "giveUpAfter");
        if (initial.isNegative() || initial.isZero()) {
            throw new IllegalArgumentException("the first pause must be positive, not " + initial);
        }
        if (max.compareTo(initial) < 0) {
            throw new IllegalArgumentException("the longest pause " + max + " is shorter than the first, " + initial);
        }
        if (giveUpAfter.isNegative() || giveUpAfter.isZero()) {
            throw new IllegalArgumentException("giveUpAfter must be positive, not " + giveUpAfter);
        }
    }

    /**
     * The pause before a further try.
     *
     * @param failures how many tries have failed in a row; 1 or more
     */
    public Duration pauseAfter(int failures) {
        int doublings = Math.min(Math.max(failures - 1, 0), 30);
        Duration pause = initial.multipliedBy(1L << doublings);
        return pause.compareTo(max) > 0 ? max : pause;
    }
}
