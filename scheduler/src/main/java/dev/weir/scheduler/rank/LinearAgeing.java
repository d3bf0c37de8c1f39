package dev.weir.scheduler.rank;

import dev.weir.scheduler.options.RankOptions;

/**
 * {@code rank' = α·x + β·y + γ·rank + (1−γ)·base} (seed 002, table 2, with a way back to the given rank).
 *
 * <p>γ = 1 is the seed's formula word for word; it grows without bound. For γ from 0 to below 1 the map is a contraction: two ranks differ
 * after it by γ times what they differed before. With x, y constant it therefore converges, from any start, to its only fixed
 * point {@code base + (αx + βy) / (1−γ)}; with x, y in [0, 1] the rank ends up between the fixed points of their extremes.
 */
public final class LinearAgeing implements Ranker {

    @Override
    public String name() {
        return RankOptions.LINEAR_AGEING;
    }

    @Override
    public double next(double base, double rank, double age, double retryShare, RankOptions options) {
        return options.alpha() * age
                + options.beta() * retryShare
                + options.gamma() * rank
                + (1 - options.gamma()) * base;
    }
}
