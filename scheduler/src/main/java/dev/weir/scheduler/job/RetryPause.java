package dev.weir.scheduler.job;

import dev.weir.scheduler.backlog.Dice;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.state.JobRecord;

/** How long a job cools off before its next attempt. */
final class RetryPause {

    /** A job that we stopped because its pilot may not have it waits for this, then twice this, and so on. */
    private static final long STOPPED_MILLIS = 1_000;

    private static final long LONGEST_STOPPED_MILLIS = 300_000;
    private static final long LONGEST_PROBE_MILLIS = 60_000;
    /** After so many failures the system's fault has lasted: however short the cool-off, it is not tried without a pause. */
    private static final int LASTING_FAILURES = 10;

    private static final long LASTING_MILLIS = 1_000;
    /** More make no longer pause, and no infinite one. */
    private static final int COUNTED_FAILURES = 100;

    private RetryPause() {}

    /** No pause is longer; in milliseconds. */
    static long longestMillis(AttemptOptions options) {
        return Math.max(options.coolOffMax().toMillis(), LONGEST_STOPPED_MILLIS);
    }

    /**
     * In milliseconds, with jitter that follows from uid and attempt alone, so that a replay draws the same.
     *
     * @param probe whether the next attempt is to show that a storage is back
     */
    static long millis(JobRecord r, AttemptOptions options, long seed, boolean probe) {
        int failures = Math.max(1, Math.min(COUNTED_FAILURES, r.payloadFailures + r.systemFailures));
        double longest = options.coolOffMax().toMillis();
        double pause =
                Math.min(longest, options.coolOff().toMillis() * Math.pow(options.coolOffFactor(), failures - 1));
        if (r.orderedKills > 0) {
            // However short the cool-off of failures: a pilot that takes again and again what it may not have must not
            // turn in a circle.
            double stopped = STOPPED_MILLIS * Math.pow(2, r.orderedKills - 1);
            pause = Math.max(pause, Math.min(LONGEST_STOPPED_MILLIS, stopped));
            longest = Math.max(longest, LONGEST_STOPPED_MILLIS);
        }
        if (r.systemFailures > LASTING_FAILURES) {
            pause = Math.max(pause, LASTING_MILLIS);
            longest = Math.max(longest, LASTING_MILLIS);
        }
        if (probe) {
            longest = Math.min(longest, LONGEST_PROBE_MILLIS);
            pause = Math.min(pause, longest);
        }
        double draw = (Dice.mix(r.uid.hashCode() * 31L + r.attempt + seed) >>> 11) * 0x1p-53;
        double least = pause * (1 - options.coolOffJitter());
        double most = Math.min(longest, pause * (1 + options.coolOffJitter()));
        return (long) (least + draw * (most - least));
    }
}
