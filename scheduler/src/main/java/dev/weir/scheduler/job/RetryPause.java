package dev.weir.scheduler.job;

import dev.weir.scheduler.backlog.Dice;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.state.JobRecord;

/** How long a job cools off before its next attempt. */
final class RetryPause {

    /** A job that we stopped because its pilot may not have it waits for this, then twice this, and so on. */
    private static final long STOPPED_MILLIS = 1_000;

    private static final long LONGEST_STOPPED_MILLIS = 300_000;

    private RetryPause() {}

    /** In milliseconds, with jitter that follows from uid and attempt alone, so that a replay draws the same. */
    static long millis(JobRecord r, AttemptOptions options, long seed) {
        int failures = Math.max(1, r.payloadFailures + r.systemFailures);
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
        double draw = (Dice.mix(r.uid.hashCode() * 31L + r.attempt + seed) >>> 11) * 0x1p-53;
        double least = pause * (1 - options.coolOffJitter());
        double most = Math.min(longest, pause * (1 + options.coolOffJitter()));
        return (long) (least + draw * (most - least));
    }
}
