package dev.weir.placement.replication;

import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.TooLargeException;
import dev.weir.placement.input.Worker;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What may be spent on replicas.
 *
 * @param bytes floor(total capacity × saturation)
 * @param minimum how many replicas each chunk must have
 * @param workers how many workers there are: the most replicas a chunk can have
 */
record Budget(long bytes, int minimum, int workers) {

    /** All workers together, and all chunks together: two exbibytes, so that sums of two never overflow. */
    private static final long MAX_BYTES = 1L << 61;

    /** The budget of these workers. */
    static Budget of(List<Worker> workers, PlacementConfig config) {
        long capacity = 0;
        for (Worker worker : workers) {
            capacity += worker.capacityBytes();
            if (capacity > MAX_BYTES) {
                throw new TooLargeException("the workers' capacities together exceed 2^61 bytes");
            }
        }
        return new Budget((long) ((double) capacity * config.saturation()), config.minReplication(), workers.size());
    }

    /** The sizes of all chunks, summed by weight, ascending. */
    static SortedMap<Integer, Long> sizeByWeight(Chunks chunks) {
        long[] sums = new long[1 << 16];
        boolean[] seen = new boolean[1 << 16];
        long total = 0;
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            int weight = chunks.weight(chunk);
            seen[weight] = true;
            sums[weight] += chunks.sizeBytes(chunk);
            total += chunks.sizeBytes(chunk);
            if (total > MAX_BYTES) {
                throw new TooLargeException("the chunks together exceed 2^61 bytes");
            }
        }
        SortedMap<Integer, Long> sizes = new TreeMap<>();
        for (int weight = 0; weight < sums.length; weight++) {
            if (seen[weight]) {
                sizes.put(weight, sums[weight]);
            }
        }
        return sizes;
    }

    /** Refuses a budget that does not hold the minimum of all chunks. */
    void requireMinimum(SortedMap<Integer, Long> sizeByWeight) throws NotEnoughCapacityException {
        if (sizeByWeight.isEmpty()) {
            return;
        }
        if (workers < minimum) {
            throw new NotEnoughCapacityException(
                    "not enough capacity: min_replication " + minimum + " needs as many workers, there are " + workers);
        }
        long size = sizeByWeight.values().stream().mapToLong(Long::longValue).sum();
        long needed = Math.multiplyHigh(size, minimum) == 0 && size * minimum >= 0 ? size * minimum : Long.MAX_VALUE;
        if (needed > bytes) {
            throw new NotEnoughCapacityException("not enough capacity: chunks of " + size + " bytes at " + minimum
                    + " replicas each need " + needed + " bytes, the budget (capacity × saturation) is " + bytes
                    + " bytes: " + (needed - bytes) + " short");
        }
    }
}
