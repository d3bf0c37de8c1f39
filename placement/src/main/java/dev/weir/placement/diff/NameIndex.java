package dev.weir.placement.diff;

import dev.weir.placement.hash.SeaHash;
import dev.weir.placement.input.Chunks;
import java.util.Arrays;

/**
 * Finds chunks by name: open addressing over {@link Chunks}, 8 to 16 bytes a chunk. A quarter to a half of the table is in use, so
 * that a name that is not there soon meets a free slot. Immutable, safe for many threads.
 */
public final class NameIndex {

    private static final int FREE = -1;
    private static final int MAX_SLOTS = 1 << 30;

    private final Chunks chunks;
    private final int[] table;

    /**
     * Indexes all chunks.
     *
     * @throws IllegalArgumentException when there are 2^30 or more: the table would have no free slot to end a search at
     */
    public NameIndex(Chunks chunks) {
        if (chunks.count() >= MAX_SLOTS) {
            throw new IllegalArgumentException(
                    chunks.count() + " chunks can't be indexed by name; fewer than " + MAX_SLOTS + " are possible");
        }
        this.chunks = chunks;
        this.table = new int[(int) Math.min(MAX_SLOTS, 4L * Integer.highestOneBit(Math.max(1, chunks.count())))];
        Arrays.fill(table, FREE);
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            long hash = SeaHash.hash(chunks.segment(chunk), chunks.offset(chunk), chunks.length(chunk));
            int slot = slot(hash);
            while (table[slot] != FREE) {
                slot = slot(slot + 1);
            }
            table[slot] = chunk;
        }
    }

    /** The chunk with this {@code dataset/id} in UTF-8, or -1. */
    public int find(byte[] name) {
        int slot = slot(SeaHash.hash(name));
        while (table[slot] != FREE) {
            int chunk = table[slot];
            int offset = chunks.offset(chunk);
            if (Arrays.equals(chunks.segment(chunk), offset, offset + chunks.length(chunk), name, 0, name.length)) {
                return chunk;
            }
            slot = slot(slot + 1);
        }
        return FREE;
    }

    private int slot(long hash) {
        return (int) hash & (table.length - 1);
    }
}
