package dev.weir.placement;

import dev.weir.placement.distribute.Distribution;
import java.util.Arrays;
import java.util.Objects;

/** The chunks of each worker, ascending: one array for all workers of a pass. Written by one thread, then read by many. */
final class WorkerLists {

    private static final int[] NOTHING = {};

    private final int[][] arrays;
    private final int[] starts;
    private final int[] ends;

    WorkerLists(int workers) {
        arrays = new int[workers][];
        Arrays.fill(arrays, NOTHING);
        starts = new int[workers];
        ends = new int[workers];
    }

    /** Takes over the lists of the workers from index {@code from}. */
    void take(Distribution distribution, int chunks, int from) {
        int[] counts = new int[arrays.length];
        for (int chunk = 0; chunk < chunks; chunk++) {
            for (int i = distribution.replicas(chunk) - 1; i >= 0; i--) {
                counts[distribution.holder(chunk, i)]++;
            }
        }
        int total = 0;
        int[] next = new int[arrays.length];
        for (int worker = from; worker < arrays.length; worker++) {
            starts[worker] = total;
            next[worker] = total;
            total += counts[worker];
            ends[worker] = total;
        }
        int[] all = new int[total];
        for (int chunk = 0; chunk < chunks; chunk++) {
            for (int i = distribution.replicas(chunk) - 1; i >= 0; i--) {
                int worker = distribution.holder(chunk, i);
                if (worker >= from) {
                    all[next[worker]++] = chunk;
                }
            }
        }
        for (int worker = from; worker < arrays.length; worker++) {
            arrays[worker] = all;
        }
    }

    int count(int worker) {
        return ends[worker] - starts[worker];
    }

    int chunk(int worker, int i) {
        return arrays[worker][Objects.checkIndex(i, count(worker)) + starts[worker]];
    }
}
