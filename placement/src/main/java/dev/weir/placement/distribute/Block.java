package dev.weir.placement.distribute;

import dev.weir.placement.hash.NumberedHash;
import dev.weir.placement.input.Chunks;
import dev.weir.placement.ring.Rings;

/**
 * Some virtual chunks, one after another in the order of assignment, with where each starts to look. Filled by a {@link
 * Sequence}, located by any thread, assigned by one; then used again.
 */
final class Block {

    /** Large enough that handing over costs little, small enough for the second-level cache. */
    static final int CAPACITY = 1 << 15;

    final int[] chunks = new int[CAPACITY];
    final char[] numbers = new char[CAPACITY];
    final int[] places = new int[CAPACITY];
    final char[] firstWorkers = new char[CAPACITY];
    int size;

    void add(int chunk, int number) {
        chunks[size] = chunk;
        numbers[size++] = (char) number;
    }

    boolean isFull() {
        return size == CAPACITY;
    }

    /** Finds where each virtual chunk starts. Its own hash object, so that blocks are located side by side. */
    Block locate(Chunks all, Rings rings) {
        NumberedHash hash = new NumberedHash();
        int loaded = -1;
        for (int i = 0; i < size; i++) {
            if (chunks[i] != loaded) {
                loaded = chunks[i];
                all.load(hash, loaded);
            }
            int place = rings.start(hash.hash(numbers[i]));
            places[i] = place;
            firstWorkers[i] = (char) rings.worker(place);
        }
        return this;
    }
}
