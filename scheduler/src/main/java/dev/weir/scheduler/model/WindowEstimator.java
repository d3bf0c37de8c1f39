package dev.weir.scheduler.model;

/**
 * Measures how long jobs keep a pilot and how long a message takes through the broker, and computes from that how many jobs to have in
 * flight.
 *
 * <p>The latency is the shortest of the last round trips of Weir's own beats, which take the same way as a job and its report. (The time
 * that jobs spend in the queue is no measure, because it grows with the window that is computed from it.)
 */
public final class WindowEstimator {

    private static final double SMOOTHING = 1.0 / 64;
    /** A job much longer than the mean counts more, because it kept a pilot for longer. */
    private static final double MOST_SMOOTHING = 1.0 / 8;

    private static final double FIRST_GUESS_MILLIS = 20;
    private static final double MOST_MILLIS = 2000;
    /** Beats whose quickest is the latency: a beat that waited for the end of an outage says nothing about it. */
    private static final int BEATS = 4;

    private final double[] beatMillis = new double[BEATS];
    private int beats;
    private double jobMillis;
    private double latencyMillis = FIRST_GUESS_MILLIS;

    /**
     * A job has ended that started.
     *
     * @param betweenReports milliseconds between our hearing of its start and of its end; too short when reports piled up while
     *     we or the broker were away
     * @param atPilot milliseconds that it ran by the clock of its pilot; 0 when not reported
     */
    public void jobEnded(long betweenReports, long atPilot) {
        double value = Math.max(1, Math.max(betweenReports, atPilot));
        double weight = Math.min(MOST_SMOOTHING, Math.max(1, value / jobMillis) * SMOOTHING);
        // The mean of the rates, not of the times: short jobs empty the queue.
        jobMillis = jobMillis == 0 ? value : 1 / ((1 - weight) / jobMillis + weight / value);
    }

    public void beatCameBack(long millis) {
        beatMillis[beats++ % BEATS] = Math.max(1, Math.min(MOST_MILLIS, millis));
        latencyMillis = beatMillis[0];
        for (int i = 1; i < Math.min(beats, BEATS); i++) {
            latencyMillis = Math.min(latencyMillis, beatMillis[i]);
        }
    }

    /**
     * Jobs to have in flight for a number of pilots: one running at each; twice the jobs that all pilots take from the queue while a new
     * job comes (Little's law: pilots × latency / job time); and twice the square root of their number for pilots that happen to
     * end together.
     */
    public int wanted(int pilots) {
        double takenMeanwhile = jobMillis == 0 ? 0 : pilots * latencyMillis / jobMillis;
        return (int) Math.min(Integer.MAX_VALUE / 2, Math.ceil(pilots + 2 * takenMeanwhile + 2 * Math.sqrt(pilots)));
    }
}
