package dev.weir.gateway.live;

import java.time.Instant;
import java.util.List;

/**
 * What of a task ended when, as in {@link History}, and which ranks it had.
 *
 * @param rank each holds until the next one; empty for a task that was not seen to change
 */
public record TaskHistory(Instant from, int stepS, long[] ended, long[] failed, List<RankAt> rank) {

    /** A rank, and when the gateway saw it first. */
    public record RankAt(Instant at, double rank) {}

    TaskHistory(History history, List<RankAt> rank) {
        this(history.from(), history.stepS(), history.ended(), history.failed(), rank);
    }
}
