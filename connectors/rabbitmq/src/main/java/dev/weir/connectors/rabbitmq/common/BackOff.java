package dev.weir.connectors.rabbitmq.common;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.apache.flink.annotation.PublicEvolving;

/**
 * How a broken connection is tried again: the pause after n tries that failed in a row is {@code initial × 2ⁿ⁻¹}, never longer
 * than {@code max}; by the sink a connection that had worked is opened anew at once. When
 * nothing has moved for {@code giveUpAfter} the task fails, so that Flink restarts it from its last checkpoint.
 *
 * @param initial first pause; positive
 * @param max longest pause; at least {@code initial}
 * @param giveUpAfter how long to try before failing; positive, a hundred years at most
 */
@PublicEvolving
public record BackOff(Duration initial, Duration max, Duration giveUpAfter) implements Serializable {

    /** 100 ms growing to 10 s, for 10 minutes. */
    public static final BackOff DEFAULT =
            new BackOff(Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ofMinutes(10));

    public BackOff {
        Objects.requireNonNull(initial, "initial");
        Objects.requireNonNull(max, "max");
        Objects.requireNonNull(giveUpAfter, "giveUpAfter");
        initial = Durations.positive("the first pause", initial);
        max = Durations.positive("the longest pause", max);
        giveUpAfter = Durations.positive("giveUpAfter", giveUpAfter);
        if (max.compareTo(initial) < 0) {
            throw new IllegalArgumentException("the longest pause " + max + " is shorter than the first, " + initial);
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
