package dev.weir.scheduler.rank;

import dev.weir.scheduler.options.RankOptions;

/** Always the rank that WFMS gave. */
public final class Fixed implements Ranker {

    @Override
    public String name() {
        return RankOptions.FIXED;
    }

    @Override
    public double next(double base, double rank, double age, double retryShare, RankOptions options) {
        return base;
    }
}
