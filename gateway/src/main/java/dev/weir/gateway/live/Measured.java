package dev.weir.gateway.live;

/**
 * How many jobs ended in a longer and a shorter time until now.
 *
 * @param longSeconds at most ten minutes; less when the gateway has not watched for so long, or the first job went out later
 * @param shortSeconds at most a minute
 */
public record Measured(long longJobs, double longSeconds, long shortJobs, double shortSeconds) {

    /** Of less time nobody knows a rate: the first job alone would make a high one. */
    static final double LEAST_SECONDS = 30;

    /** In the longer time. */
    public double perSecond() {
        return longJobs / Math.max(LEAST_SECONDS, longSeconds);
    }
}
