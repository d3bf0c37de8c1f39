package dev.weir.gateway.live;

import java.time.Instant;

/**
 * How many jobs ended and failed in each of some steps of time, the newest last; the newest step may not be over.
 *
 * @param from the beginning of the first step
 * @param stepS seconds of a step
 */
public record History(Instant from, int stepS, long[] ended, long[] failed) {

    private static final int MOST_STEPS = 360;

    /** Of a time that ends now, in at most 360 steps. */
    static History of(Series series, long fromMillis, long nowMillis) {
        int last = Series.step(nowMillis);
        int first = Math.max(Series.step(fromMillis), last - Series.KEPT_STEPS + 1);
        int merged = Math.max(1, -Math.floorDiv(-(last - first + 1), MOST_STEPS));
        int count = -Math.floorDiv(-(last - first + 1), merged);
        long[] ended = new long[count];
        long[] failed = new long[count];
        for (int i = 0; i < count; i++) {
            int until = last - (count - 1 - i) * merged;
            ended[i] = series.ended(until - merged, until);
            failed[i] = series.failed(until - merged, until);
        }
        long begin = (long) (last - count * merged + 1) * Series.STEP_SECONDS;
        return new History(Instant.ofEpochSecond(begin), merged * Series.STEP_SECONDS, ended, failed);
    }
}
