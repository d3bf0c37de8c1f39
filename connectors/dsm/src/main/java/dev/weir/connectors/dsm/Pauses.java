package dev.weir.connectors.dsm;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait between attempts: {@code min(longest, first · 2^(n-1))} after the n-th failure, less a random part of up
 * to half of it, so that readers that failed together do not come back together.
 */
record Pauses(Duration first, Duration longest) {

    long afterFailureMillis(int failures, RandomGenerator random) {
        int doublings = Math.min(failures - 1, 40);
        double grown = Math.min((double) longest.toMillis(), first.toMillis() * Math.pow(2, doublings));
        return Math.max(1, Math.round(grown * (1 - random.nextDouble() / 2)));
    }
}
