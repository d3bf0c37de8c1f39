package dev.weir.placement.replication;

import dev.weir.placement.hash.NumberedHash;
import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Factors with a fraction. A chunk of weight w wants floor(max(minimum, w·m) + θ) replicas, at most as many as there are
 * workers, where θ ∈ [0, 1) comes from the hash of the chunk's own name: of a weight with factor 4.3, three chunks in ten get 5
 * and the others 4, always the same three. m is the largest multiplier whose replicas fit the budget, found by bisection.
 *
 * <p>Every chunk's number grows with m and never falls, so when a worker comes or goes, m moves a little and only as many
 * chunks gain or lose a replica as the budget has changed by; no weight steps as a whole.
 */
public final class FullReplication {

    /** Numbers the hash that rounds a chunk's factor; no replica has this number. */
    private static final int ROUNDING_NUMBER = PlacementConfig.MAX_REPLICATION + 1;

    /** Doubles have no more bits to halve. */
    private static final int BISECTIONS = 64;

    /** How far from the guess to look first, relative to it. */
    private static final double FIRST_WIDTH = 0x1p-12;

    private final Chunks chunks;
    private final Budget budget;
    private final float[] rounding;

    private FullReplication(Chunks chunks, Budget budget) {
        this.chunks = chunks;
        this.budget = budget;
        this.rounding = rounding(chunks);
    }

    /**
     * How many replicas each chunk wants.
     *
     * @throws NotEnoughCapacityException when the budget does not hold the minimum of all chunks
     */
    public static Replication of(Chunks chunks, List<Worker> workers, PlacementConfig config)
            throws NotEnoughCapacityException {
        Budget budget = Budget.of(workers, config);
        SortedMap<Integer, Long> sizes = Budget.sizeByWeight(chunks);
        budget.requireMinimum(sizes);
        if (sizes.isEmpty()) {
            return new Replication(new TreeMap<>(), new char[0]);
        }
        FullReplication full = new FullReplication(chunks, budget);
        double multiplier = full.largestMultiplier(sizes);
        char[] replicas = new char[chunks.count()];
        IntStream.range(0, replicas.length)
                .parallel()
                .forEach(chunk -> replicas[chunk] = (char) full.replicas(chunk, multiplier));
        SortedMap<Integer, Double> factors = new TreeMap<>();
        sizes.keySet().forEach(weight -> factors.put(weight, full.factor(weight, multiplier)));
        return new Replication(factors, replicas);
    }

    /**
     * Starts around the multiplier at which the factors, unrounded, spend the budget: rounding changes it by little. Ends
     * when not even the smallest replica more would fit; all multipliers from there to the largest one that fits
     * give the same replicas.
     */
    private double largestMultiplier(SortedMap<Integer, Long> sizes) {
        double most = (double) maximum() / sizes.firstKey();
        if (bytes(most) <= budget.bytes()) {
            return most;
        }
        double guess = unroundedMultiplier(sizes, most);
        double fits = 0;
        double exceeds = most;
        for (double width = FIRST_WIDTH; width < 1 && fits == 0; width *= 4) {
            double lower = guess * (1 - width);
            if (bytes(lower) <= budget.bytes()) {
                fits = lower;
            } else {
                exceeds = lower;
            }
        }
        for (double width = FIRST_WIDTH; width < 1 && exceeds == most; width *= 4) {
            double upper = Math.min(most, guess * (1 + width));
            if (bytes(upper) > budget.bytes()) {
                exceeds = upper;
            } else {
                fits = upper;
            }
        }
        long smallest = smallestSize();
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (fits + exceeds) / 2;
            if (middle <= fits || middle >= exceeds) {
                break;
            }
            long bytes = bytes(middle);
            if (bytes > budget.bytes()) {
                exceeds = middle;
            } else {
                fits = middle;
                if (budget.bytes() - bytes < smallest) {
                    break;
                }
            }
        }
        return fits;
    }

    /** The multiplier at which Σ size·factor over the weights is the budget. */
    private double unroundedMultiplier(SortedMap<Integer, Long> sizes, double most) {
        double low = 0;
        double high = most;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            double spent = 0;
            for (Map.Entry<Integer, Long> entry : sizes.entrySet()) {
                spent += entry.getValue() * factor(entry.getKey(), middle);
            }
            if (spent <= budget.bytes()) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private long smallestSize() {
        long smallest = Long.MAX_VALUE;
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            if (chunks.sizeBytes(chunk) > 0) {
                smallest = Math.min(smallest, chunks.sizeBytes(chunk));
            }
        }
        return smallest;
    }

    /** What all replicas take with this multiplier; anything above the budget once it is exceeded. */
    private long bytes(double multiplier) {
        return IntStream.range(0, chunks.count())
                .parallel()
                .mapToLong(chunk -> boundedProduct(chunks.sizeBytes(chunk), replicas(chunk, multiplier)))
                .reduce(0, (one, other) -> Math.min(budget.bytes() + 1, one + other));
    }

    private long boundedProduct(long size, int replicas) {
        return size > budget.bytes() / replicas ? budget.bytes() + 1 : size * replicas;
    }

    private int replicas(int chunk, double multiplier) {
        return (int) Math.min(maximum(), Math.floor(factor(chunks.weight(chunk), multiplier) + rounding[chunk]));
    }

    private double factor(int weight, double multiplier) {
        return Math.min(maximum(), Math.max(budget.minimum(), weight * multiplier));
    }

    private int maximum() {
        return Math.min(budget.workers(), PlacementConfig.MAX_REPLICATION);
    }

    /** θ of each chunk: 24 bits of its hash, exact as a float. */
    private static float[] rounding(Chunks chunks) {
        float[] rounding = new float[chunks.count()];
        int tasks = 4 * Runtime.getRuntime().availableProcessors();
        IntStream.range(0, tasks).parallel().forEach(task -> {
            NumberedHash hash = new NumberedHash();
            int to = (int) ((long) rounding.length * (task + 1) / tasks);
            for (int chunk = (int) ((long) rounding.length * task / tasks); chunk < to; chunk++) {
                rounding[chunk] = (chunks.load(hash, chunk).hash(ROUNDING_NUMBER) >>> 40) * 0x1p-24f;
            }
        });
        return rounding;
    }
}
