package dev.weir.placement.ring;

import java.util.Arrays;

/** Fills and sorts one ring after another; keeps its buckets between them. One thread. */
final class RingSort {

    private final Rings rings;
    private final int count;
    private final int bucketShift;
    private final int[] bucketEnd;
    private final long[] unsorted;
    private final long workerMask;

    RingSort(Rings rings, int count) {
        this.rings = rings;
        this.count = count;
        int bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(count - 1));
        this.bucketShift = Long.SIZE - bits;
        this.bucketEnd = new int[1 << bits];
        this.unsorted = new long[count];
        this.workerMask = (1L << rings.workerBits()) - 1;
    }

    void sort(int ring) {
        Arrays.fill(bucketEnd, 0);
        for (int worker = 0; worker < count; worker++) {
            long hash = rings.hash(worker, ring);
            unsorted[worker] = (hash & ~workerMask) | worker;
            bucketEnd[(int) (hash >>> bucketShift)]++;
        }
        int base = ring * count;
        int end = base;
        for (int bucket = 0; bucket < bucketEnd.length; bucket++) {
            end += bucketEnd[bucket];
            bucketEnd[bucket] = end;
        }
        long[] entries = rings.entries();
        // Backwards into each bucket's end, so that equal hashes stay in the order of their workers.
        for (int worker = count - 1; worker >= 0; worker--) {
            entries[--bucketEnd[(int) (unsorted[worker] >>> bucketShift)]] = unsorted[worker];
        }
        finish(entries, base, ring);
    }

    /** The buckets are in order; an insertion sort orders the few entries within each. */
    private void finish(long[] entries, int base, int ring) {
        for (int i = base + 1; i < base + count; i++) {
            long moving = entries[i];
            int at = i;
            for (; at > base && isAfter(entries[at - 1], moving, ring); at--) {
                entries[at] = entries[at - 1];
            }
            entries[at] = moving;
        }
    }

    private boolean isAfter(long one, long other, int ring) {
        int bits = rings.workerBits();
        long oneHigh = one >>> bits;
        long otherHigh = other >>> bits;
        if (oneHigh != otherHigh) {
            return oneHigh > otherHigh;
        }
        int oneWorker = (int) (one & workerMask);
        int otherWorker = (int) (other & workerMask);
        int byHash = Long.compareUnsigned(rings.hash(oneWorker, ring), rings.hash(otherWorker, ring));
        return byHash != 0 ? byHash > 0 : oneWorker > otherWorker;
    }
}
