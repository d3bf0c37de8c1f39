package dev.weir.placement.ring;

import dev.weir.placement.hash.NumberedHash;
import dev.weir.placement.input.TooLargeException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * K rings with N workers each. On ring r a worker stands at seahash(id ‖ ':' ‖ r); a ring is sorted by that hash, then by
 * worker index.
 *
 * <p>One {@code long} an entry: the high bits of the hash, then the worker's index in as many low bits as N needs. Where
 * the high bits are equal the whole hash is computed again, so that the order is exact, at no memory. Hashes are uniform, so
 * a guess and a short walk finds a start, and buckets by the highest bits sort a ring in linear time.
 *
 * <p>Immutable, safe for many threads. Takes 8·N·K bytes.
 */
public final class Rings {

    private final NumberedHash[] workers;
    private final int count;
    private final int rings;
    private final int workerBits;
    private final long workerMask;
    private final long[] entries;

    /**
     * Builds all rings, on all cores.
     *
     * @param ids the bytes of the workers' ids; at least one, at most 65,535
     * @param rings K
     */
    public static Rings build(byte[][] ids, int rings) {
        return new Rings(ids, rings, Integer.SIZE - Integer.numberOfLeadingZeros(ids.length - 1));
    }

    /** @param workerBits how many low bits are taken from the hash; more than needed only in tests, to make ties common */
    Rings(byte[][] ids, int rings, int workerBits) {
        this.count = ids.length;
        this.rings = rings;
        this.workerBits = Math.max(1, workerBits);
        this.workerMask = (1L << this.workerBits) - 1;
        long total = (long) count * rings;
        if (total > Integer.MAX_VALUE - 8) {
            throw new TooLargeException(count + " workers on " + rings
                    + " rings are " + total + " places; at most " + (Integer.MAX_VALUE - 8)
                    + " are possible: use fewer rings");
        }
        this.workers = Arrays.stream(ids)
                .map(id -> new NumberedHash().load(id, 0, id.length))
                .toArray(NumberedHash[]::new);
        this.entries = new long[(int) total];
        int tasks = Math.min(rings, 4 * Runtime.getRuntime().availableProcessors());
        IntStream.range(0, tasks).parallel().forEach(task -> {
            RingSort sort = new RingSort(this, count);
            int to = (int) ((long) rings * (task + 1) / tasks);
            for (int ring = (int) ((long) rings * task / tasks); ring < to; ring++) {
                sort.sort(ring);
            }
        });
    }

    /** How many workers stand on each ring. */
    public int workersPerRing() {
        return count;
    }

    /** The place where a virtual chunk with this hash starts: on ring hash mod K, the first with a hash at or after it, wrapping. */
    public int start(long hash) {
        int ring = ringOf(hash, rings);
        int base = ring * count;
        int end = base + count;
        // ⌊hash · N / 2^64⌋, hash taken as unsigned: where it would stand if the workers were spread evenly.
        long guess = Math.multiplyHigh(hash, count) + (hash < 0 ? count : 0);
        int at = base + (int) guess;
        if (isBefore(at, ring, hash)) {
            do {
                at++;
            } while (at < end && isBefore(at, ring, hash));
            return at == end ? base : at;
        }
        while (at > base && !isBefore(at - 1, ring, hash)) {
            at--;
        }
        return at;
    }

    /** The worker that stands at a place. */
    public int worker(int place) {
        return (int) (entries[place] & workerMask);
    }

    /** The first place of the ring that this place is on. */
    public int ringBase(int place) {
        return place - place % count;
    }

    /** hash mod K, both unsigned. */
    static int ringOf(long hash, int rings) {
        long half = (hash >>> 1) % rings;
        return (int) (((half << 1) | (hash & 1)) % rings);
    }

    long[] entries() {
        return entries;
    }

    int workerBits() {
        return workerBits;
    }

    /** Where a worker stands on a ring, in full. */
    long hash(int worker, int ring) {
        return workers[worker].hash(ring);
    }

    private boolean isBefore(int place, int ring, long hash) {
        long high = entries[place] >>> workerBits;
        long wanted = hash >>> workerBits;
        if (high != wanted) {
            return high < wanted;
        }
        return Long.compareUnsigned(hash(worker(place), ring), hash) < 0;
    }
}
