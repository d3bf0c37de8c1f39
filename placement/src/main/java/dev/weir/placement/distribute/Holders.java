package dev.weir.placement.distribute;

import dev.weir.placement.input.TooLargeException;
import dev.weir.placement.replication.Replication;

/** Which workers hold which chunk, while assigning and afterwards: two bytes a virtual chunk. One thread. */
final class Holders {

    /** With more replicas than this, a bit a worker is searched instead of a list. */
    private static final int LIST_AT_MOST = 48;

    private final int workers;
    private final int[] starts;
    private final char[] placed;
    private final char[] holders;
    /** Bits of the chunks with long lists, made when such a chunk is first met. */
    private final long[][] bits;

    Holders(Replication replication, int chunks, int workers) {
        if (replication.virtualChunks() > Integer.MAX_VALUE - 8) {
            throw new TooLargeException(replication.virtualChunks() + " virtual chunks; at most "
                    + (Integer.MAX_VALUE - 8) + " are possible: lower saturation or weights");
        }
        this.workers = workers;
        this.starts = new int[chunks + 1];
        this.placed = new char[chunks];
        boolean longLists = false;
        for (int chunk = 0; chunk < chunks; chunk++) {
            starts[chunk + 1] = starts[chunk] + replication.of(chunk);
            longLists |= replication.of(chunk) > LIST_AT_MOST;
        }
        this.holders = new char[starts[chunks]];
        this.bits = longLists ? new long[chunks][] : null;
    }

    boolean holds(int chunk, int worker) {
        if (bits != null && bits[chunk] != null) {
            return (bits[chunk][worker >>> 6] & (1L << worker)) != 0;
        }
        int start = starts[chunk];
        for (int i = start + placed[chunk] - 1; i >= start; i--) {
            if (holders[i] == worker) {
                return true;
            }
        }
        return false;
    }

    void add(int chunk, int worker) {
        int start = starts[chunk];
        int count = placed[chunk]++;
        holders[start + count] = (char) worker;
        if (bits != null && count + 1 >= LIST_AT_MOST) {
            if (bits[chunk] == null) {
                bits[chunk] = new long[(workers + 63) >>> 6];
                for (int i = 0; i < count; i++) {
                    set(chunk, holders[start + i]);
                }
            }
            set(chunk, worker);
            if (start + count + 1 == starts[chunk + 1]) {
                bits[chunk] = null;
            }
        }
    }

    private void set(int chunk, int worker) {
        bits[chunk][worker >>> 6] |= 1L << worker;
    }

    /** How many workers hold the chunk. */
    int count(int chunk) {
        return placed[chunk];
    }

    /** The i-th worker that took the chunk. */
    int holder(int chunk, int i) {
        return holders[starts[chunk] + i];
    }
}
