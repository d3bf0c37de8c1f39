package dev.weir.gateway.live;

/**
 * How many jobs ended in a longer and a shorter time until now.
 *
 * @param longSeconds at most ten minutes; less when the gateway has not watched for so long
 * @param shortSeconds at most a minute
 */
public record Measured(long longJobs, double longSeconds, long shortJobs, double shortSeconds) {

    /** In the longer time. */
    public double perSecond() {
        return longSeconds <= 0 ? 0 : longJobs / longSeconds;
    }
}
