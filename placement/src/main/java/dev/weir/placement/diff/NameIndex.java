package dev.weir.placement.diff;

import dev.weir.placement.hash.SeaHash;
import dev.weir.placement.input.Chunks;
import java.util.Arrays;

/** Finds chunks by name: open addressing over {@link Chunks}, four to eight bytes a chunk. Immutable, safe for many threads. */
public final class NameIndex {

    private static final int FREE = -1;

    private final Chunks chunks;
    private final int[] table;

    /** Indexes all chunks. */
    public NameIndex(Chunks chunks) {
        this.chunks = chunks;
        this.table = new int[Integer.highestOneBit(Math.max(2, chunks.count()) * 2 - 1)];
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
