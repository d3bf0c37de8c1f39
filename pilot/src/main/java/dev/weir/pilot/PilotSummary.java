package dev.weir.pilot;

/**
 * What a pilot has done when it ends.
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
        String reason) {}
