package dev.weir.simulator.reference;

import dev.weir.scheduler.options.AttemptOptions;

/** How long a failed job waits for its next attempt. */
final class CoolOff {

    private static final long STOPPED_MILLIS = 1_000;
    private static final long LONGEST_STOPPED_MILLIS = 300_000;
    private static final int LASTING_FAILURES = 10;
    private static final long LASTING_MILLIS = 1_000;
    private static final long LONGEST_PROBE_MILLIS = 60_000;

    private CoolOff() {}

    /** @param probe whether the next attempt is to show that a storage is back */
    static long millis(RefJob job, AttemptOptions options, boolean probe) {
        int failures = Math.max(1, job.payloadFailures + job.systemFailures);
        double pause = Math.min(
                options.coolOffMax().toMillis(),
                options.coolOff().toMillis() * Math.pow(options.coolOffFactor(), failures - 1));
        if (job.orderedStops > 0) {
            double stopped = STOPPED_MILLIS * Math.pow(2, job.orderedStops - 1);
            pause = Math.max(pause, Math.min(LONGEST_STOPPED_MILLIS, stopped));
        }
        if (job.systemFailures > LASTING_FAILURES) {
            pause = Math.max(pause, LASTING_MILLIS);
        }
        return (long) (probe ? Math.min(pause, LONGEST_PROBE_MILLIS) : pause);
    }
}
