package dev.weir.scheduler.rank;

import dev.weir.scheduler.options.RankOptions;

/** A ranker that somebody brings along. */
public final class OneMoreEachChunk implements Ranker {

    @Override
    public String name() {
        return "one-more-each-chunk";
    }

    @Override
    public double next(double base, double rank, double age, double retryShare, RankOptions options) {
        return rank + 1;
    }
}
