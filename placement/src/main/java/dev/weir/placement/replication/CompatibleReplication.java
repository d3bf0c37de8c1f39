package dev.weir.placement.replication;

import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The original's factors. By ascending weight: the multiplier m is (budget − what the lower weights take at the minimum) ÷
 * Σ size·weight of the rest, taken at the first weight whose floor(weight·m) reaches the minimum; the factor of a weight is
 * min(workers, max(minimum, floor(weight·m))). IEEE doubles, in that order, so that every bit agrees.
 */
public final class CompatibleReplication {

    private CompatibleReplication() {}

    /**
     * How many replicas each chunk wants.
     *
     * @throws NotEnoughCapacityException when the budget does not hold the minimum of all chunks
     */
    public static Replication of(Chunks chunks, List<Worker> workers, PlacementConfig config)
            throws NotEnoughCapacityException {
        SortedMap<Integer, Integer> factors = factors(Budget.sizeByWeight(chunks), Budget.of(workers, config));
        char[] replicas = new char[chunks.count()];
        char[] byWeight = new char[1 << 16];
        SortedMap<Integer, Double> shown = new TreeMap<>();
        factors.forEach((weight, factor) -> {
            byWeight[weight] = (char) (int) factor;
            shown.put(weight, (double) factor);
        });
        for (int chunk = 0; chunk < replicas.length; chunk++) {
            replicas[chunk] = byWeight[chunks.weight(chunk)];
        }
        return new Replication(shown, replicas);
    }

    static SortedMap<Integer, Integer> factors(SortedMap<Integer, Long> sizeByWeight, Budget budget)
            throws NotEnoughCapacityException {
        budget.requireMinimum(sizeByWeight);
        long rest = weightedSize(sizeByWeight);
        long spent = 0;
        double multiplier = 0;
        for (Map.Entry<Integer, Long> entry : sizeByWeight.entrySet()) {
            int weight = entry.getKey();
            long size = entry.getValue();
            multiplier = (double) (budget.bytes() - spent) / (double) rest;
            if ((long) (multiplier * weight) >= budget.minimum()) {
                break;
            }
            spent += budget.minimum() * size;
            rest -= size * weight;
        }
        SortedMap<Integer, Integer> factors = new TreeMap<>();
        for (int weight : sizeByWeight.keySet()) {
            long wanted = Math.max(budget.minimum(), (long) (weight * multiplier));
            factors.put(weight, (int) Math.min(budget.workers(), wanted));
        }
        return factors;
    }

    private static long weightedSize(SortedMap<Integer, Long> sizeByWeight) {
        long sum = 0;
        try {
            for (Map.Entry<Integer, Long> entry : sizeByWeight.entrySet()) {
                sum = Math.addExact(sum, Math.multiplyExact(entry.getValue(), (long) entry.getKey()));
            }
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException(
                    "Σ size·weight of all chunks exceeds 2^63: use smaller weights", overflow);
        }
        return sum;
    }
}
