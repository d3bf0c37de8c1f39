package dev.weir.gateway.live;

import java.util.Locale;

/**
 * How long it takes until nothing is left, from the measured rate. The range takes in how the rate changed in the last minutes, and the chance
 * that counting so few jobs has.
 *
 * @param text for people
 * @param jobsPerSecond null when unknown, as are the seconds
 * @param highS null also when there is no upper bound
 */
public record Estimate(String text, Double jobsPerSecond, Long lowS, Long highS) {

    /** Of ten minutes, whose last ten seconds may not be over. */
    private static final double FULL_SECONDS = 590;

    /** In the shorter time; of a few jobs it may have none without having become slower. */
    private static final double LEAST_EXPECTED = 4;

    private static final int MINUTE = 60;
    private static final int HOUR = 3600;
    private static final int DAY = 86_400;

    public static Estimate unknown(String why) {
        return new Estimate("unknown: " + why, null, null, null);
    }

    /** @param left jobs that have not ended */
    public static Estimate of(long left, Measured rate) {
        if (left <= 0) {
            return new Estimate("nothing is left", rate.perSecond(), 0L, 0L);
        }
        if (rate.longJobs() == 0) {
            return unknown(
                    rate.longSeconds() < FULL_SECONDS
                            ? "nothing ended since the gateway started, less than 10 minutes ago"
                            : "nothing ended in the last 10 minutes");
        }
        if (rate.longSeconds() < Measured.LEAST_SECONDS) {
            return unknown("its jobs have been counted for less than half a minute");
        }
        double fast = high(rate.longJobs(), rate.longSeconds());
        double slow = low(rate.longJobs(), rate.longSeconds());
        if (rate.perSecond() * rate.shortSeconds() >= LEAST_EXPECTED) {
            fast = Math.max(fast, high(rate.shortJobs(), rate.shortSeconds()));
            slow = Math.min(slow, low(rate.shortJobs(), rate.shortSeconds()));
        }
        long lowS = (long) Math.floor(left / fast);
        Long highS = slow > 0 && left / slow < 1000.0 * DAY ? (Long) (long) Math.ceil(left / slow) : null;
        return new Estimate("at " + rate(rate.perSecond()) + ", " + range(lowS, highS), rate.perSecond(), lowS, highS);
    }

    private static double high(long jobs, double seconds) {
        return seconds <= 0 ? 0 : (jobs + 2 * Math.sqrt(jobs)) / seconds;
    }

    private static double low(long jobs, double seconds) {
        return seconds <= 0 ? 0 : (jobs - 2 * Math.sqrt(jobs)) / seconds;
    }

    static String rate(double perSecond) {
        if (perSecond >= 10) {
            return String.format(Locale.ROOT, "%.0f jobs/s", perSecond);
        }
        if (perSecond >= 0.1) {
            return String.format(Locale.ROOT, "%.1f jobs/s", perSecond);
        }
        double perMinute = perSecond * MINUTE;
        return perMinute >= 1
                ? String.format(Locale.ROOT, "%.1f jobs/minute", perMinute)
                : String.format(Locale.ROOT, "%.0f jobs/hour", Math.max(1, perSecond * HOUR));
    }

    private static String range(long lowS, Long highS) {
        if (highS == null) {
            return lowS < MINUTE ? "too few for a time" : duration(lowS) + " or more";
        }
        if (highS < MINUTE) {
            return "less than a minute";
        }
        int unit = unit(highS);
        long low = Math.round((double) lowS / unit);
        long high = Math.round((double) highS / unit);
        if (low == 0) {
            return (lowS < 1 ? "0" : duration(lowS)) + " to " + words(high, unit);
        }
        return low == high ? "about " + words(high, unit) : low + " to " + words(high, unit);
    }

    /** As {@code 40 minutes}. */
    static String duration(long seconds) {
        int unit = unit(seconds);
        return words(Math.round((double) seconds / unit), unit);
    }

    private static int unit(long seconds) {
        if (seconds < 2 * MINUTE) {
            return 1;
        }
        return seconds < 2 * HOUR ? MINUTE : seconds < 2 * DAY ? HOUR : DAY;
    }

    private static String words(long number, int unit) {
        String name = unit == 1 ? "second" : unit == MINUTE ? "minute" : unit == HOUR ? "hour" : "day";
        return number + " " + name + (number == 1 ? "" : "s");
    }
}
