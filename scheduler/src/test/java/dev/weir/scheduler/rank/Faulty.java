package dev.weir.scheduler.rank;

import dev.weir.scheduler.options.RankOptions;

/** A ranker with faults: a task's base rank chooses which. */
public final class Faulty implements Ranker {

    @Override
    public String name() {
        return "faulty";
    }

    @Override
    public double next(double base, double rank, double age, double retryShare, RankOptions options) {
        return switch ((int) base) {
            case 2 -> throw new ArithmeticException("a fault of this ranker");
            case 3 -> Double.NaN;
            case 4 -> Double.POSITIVE_INFINITY;
            default -> Double.NEGATIVE_INFINITY;
        };
    }
}
