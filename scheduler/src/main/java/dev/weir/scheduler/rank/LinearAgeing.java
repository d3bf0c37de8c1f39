package dev.weir.scheduler.rank;

import dev.weir.scheduler.options.RankOptions;

/**
 * {@code rank' = α·x + β·y + γ·rank + (1−γ)·base} (SPD On-Line Filter, table 2, with a return to the given rank).
 *
 * <p>With γ = 1 this is the formula of SPD On-Line Filter, which grows without bound. For γ from 0 to below 1 the map is a contraction: it
 * multiplies the difference of two ranks by γ. So with constant x and y it converges, from any start, to its only fixed point
 * {@code base + (αx + βy) / (1−γ)}. With x, y in [0, 1] the rank approaches the range between the fixed points of their extremes.
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
