package dev.weir.scheduler.model;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The chunks of a task in state, by their positions. Chunks come at the end and go anywhere; those of a task that chooses among all its
 * files are tens of thousands, nearly all of one size, so where a position's chunk stands is guessed and then searched from there.
 */
public final class ChunkList {

    private static final ChunkRef[] NONE = {};

    /** In order of positions; a gone chunk stays, marked, until half of all are such or it is the first. */
    private ChunkRef[] chunks = NONE;

    private int from;
    private int to;
    private int gone;

    /** How many there are. */
    public int size() {
        return to - from - gone;
    }

    /** Adds one behind all others; or anywhere, when {@link #sort} comes before all else. */
    public void add(ChunkRef chunk) {
        if (to == chunks.length) {
            compact(Math.max(4, size() + (size() >> 1) + 1));
        }
        chunks[to++] = chunk;
    }

    public void sort() {
        Arrays.sort(chunks, from, to, Comparator.comparingLong(chunk -> chunk.first));
    }

    /** Takes one out that is here. */
    public void remove(ChunkRef chunk) {
        chunk.isGone = true;
        gone++;
        while (from < to && chunks[from].isGone) {
            chunks[from++] = null;
            gone--;
        }
        if (gone > size() + 4) {
            compact(chunks.length);
        }
    }

    private void compact(int capacity) {
        ChunkRef[] old = chunks;
        int kept = 0;
        ChunkRef[] next = new ChunkRef[capacity];
        for (int i = from; i < to; i++) {
            if (!old[i].isGone) {
                next[kept++] = old[i];
            }
        }
        chunks = next;
        from = 0;
        to = kept;
        gone = 0;
    }

    /** The first one; null when there is none. */
    public ChunkRef first() {
        return from < to ? chunks[from] : null;
    }

    /** The one with this position; null when there is none. */
    public ChunkRef at(long position) {
        int low = from;
        int high = to - 1;
        if (low > high || position < chunks[low].first || position >= chunks[high].end()) {
            return null;
        }
        // Between what the ends say, and only then by halves.
        double share = (position - chunks[low].first) / (double) (chunks[high].end() - chunks[low].first);
        int middle = low + (int) (share * (high - low));
        while (low <= high) {
            ChunkRef chunk = chunks[middle];
            if (position < chunk.first) {
                high = middle - 1;
            } else if (position >= chunk.end()) {
                low = middle + 1;
            } else {
                return chunk.isGone ? null : chunk;
            }
            middle = low + high >>> 1;
        }
        return null;
    }

    /** Whether one has a position from one on and before another one. */
    public boolean hasAny(long first, long before) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = low + high >>> 1;
            if (chunks[middle].end() > first) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        while (low < to && chunks[low].isGone && chunks[low].first < before) {
            low++;
        }
        return low < to && !chunks[low].isGone && chunks[low].first < before;
    }

    /** A copy, in order. */
    public ChunkRef[] chunks() {
        ChunkRef[] present = new ChunkRef[size()];
        int kept = 0;
        for (int i = from; i < to; i++) {
            if (!chunks[i].isGone) {
                present[kept++] = chunks[i];
            }
        }
        return present;
    }
}
