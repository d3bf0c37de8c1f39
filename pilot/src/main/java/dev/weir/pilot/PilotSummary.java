package dev.weir.pilot;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * What a pilot, or the pilots of a process, have done when they end.
 *
 * @param jobs attempts run; the sum of the next four
 * @param rejected messages that were no jobs
 * @param unconfirmed reports that the broker has not confirmed; they are on disk for the next start
 * @param reason why it ended
 */
public record PilotSummary(
        String pilotId,
        long jobs,
        long finished,
        long failed,
        long killed,
        long cancelled,
        long rejected,
        long unconfirmed,
        String reason) {

    /** The sums, and each reason once. */
    static PilotSummary together(String pilotId, List<PilotSummary> pilots) {
        return new PilotSummary(
                pilotId,
                sum(pilots, PilotSummary::jobs),
                sum(pilots, PilotSummary::finished),
                sum(pilots, PilotSummary::failed),
                sum(pilots, PilotSummary::killed),
                sum(pilots, PilotSummary::cancelled),
                sum(pilots, PilotSummary::rejected),
                sum(pilots, PilotSummary::unconfirmed),
                pilots.stream().map(PilotSummary::reason).distinct().collect(Collectors.joining("; ")));
    }

    private static long sum(List<PilotSummary> pilots, ToLongFunction<PilotSummary> count) {
        return pilots.stream().mapToLong(count).sum();
    }
}
