package dev.weir.scheduler.lane;

/**
 * Measures how long jobs keep a pilot and how long a message takes through the broker, and tells from that how many jobs to have
 * out.
 *
 * <p>The latency is the round trip of our own beats, which take the same way as a job and the report about it. (The time that jobs
 * spend queued would not do: it grows with the window that is computed from it.)
 */
final class Handover {

    private static final double SMOOTHING = 1.0 / 64;
    private static final double FIRST_GUESS_MILLIS = 20;
    private static final double MOST_MILLIS = 2000;
    private static final double BEAT_SMOOTHING = 0.25;

    private double jobMillis;
    private double latencyMillis = FIRST_GUESS_MILLIS;
    private boolean measured;

    void jobEnded(long millis) {
        double value = Math.max(1, millis);
        // The mean of the rates, not of the times: short jobs are those that empty the queue.
        jobMillis = jobMillis == 0 ? value : 1 / ((1 - SMOOTHING) / jobMillis + SMOOTHING / value);
    }

    void beatCameBack(long millis) {
        double value = Math.max(1, Math.min(MOST_MILLIS, millis));
        latencyMillis = measured ? (1 - BEAT_SMOOTHING) * latencyMillis + BEAT_SMOOTHING * value : value;
        measured = true;
    }

    /**
     * Jobs to have out for a number of pilots: one running at each; twice those that all together take from the queue while a new
     * one comes (Little's law: pilots × latency / job time); and twice the square root of their number for those that happen to
     * end together.
     */
    int wanted(int pilots) {
        double inHandover = jobMillis == 0 ? 0 : pilots * latencyMillis / jobMillis;
        return (int) Math.min(Integer.MAX_VALUE / 2, Math.ceil(pilots + 2 * inHandover + 2 * Math.sqrt(pilots)));
    }
}
