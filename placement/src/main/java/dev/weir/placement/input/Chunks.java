package dev.weir.placement.input;

import dev.weir.placement.hash.NumberedHash;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * All chunks, in ascending byte order of {@code dataset/id}, packed into a few arrays: about 24 bytes a chunk beside its
 * name, where objects would take 200. Made by {@link ChunksBuilder}. Immutable, safe for many threads.
 */
public final class Chunks {

    /** Names lie in segments of this size, none across two, so that they may be more than 2 GiB together. */
    static final int SEGMENT_BITS = 24;

    private final byte[][] segments;
    private final long[] starts;
    private final char[] lengths;
    private final long[] sizes;
    private final char[] weights;
    private final int[] datasets;
    private final List<String> datasetNames;

    Chunks(
            byte[][] segments,
            long[] starts,
            char[] lengths,
            long[] sizes,
            char[] weights,
            int[] datasets,
            List<String> datasetNames) {
        this.segments = segments;
        this.starts = starts;
        this.lengths = lengths;
        this.sizes = sizes;
        this.weights = weights;
        this.datasets = datasets;
        this.datasetNames = List.copyOf(datasetNames);
    }

    /** How many there are. */
    public int count() {
        return starts.length;
    }

    /** The size of a chunk in bytes. */
    public long sizeBytes(int chunk) {
        return sizes[chunk];
    }

    /** The weight of a chunk, 1 to 65,535: how many replicas it wants, relative to others. */
    public int weight(int chunk) {
        return weights[chunk];
    }

    /** The dataset of a chunk, as an index into {@link #datasetNames}. */
    public int dataset(int chunk) {
        return datasets[chunk];
    }

    /** The datasets, in the order in which they were first met. */
    public List<String> datasetNames() {
        return datasetNames;
    }

    /** {@code dataset/id} of a chunk. */
    public String name(int chunk) {
        return new String(segment(chunk), offset(chunk), lengths[chunk], StandardCharsets.UTF_8);
    }

    /** The bytes that hold a chunk's name, at {@link #offset} with {@link #length}. Not to be written to. */
    public byte[] segment(int chunk) {
        return segments[(int) (starts[chunk] >>> SEGMENT_BITS)];
    }

    /** Where a chunk's name starts in its {@link #segment}. */
    public int offset(int chunk) {
        return (int) starts[chunk] & ((1 << SEGMENT_BITS) - 1);
    }

    /** How many bytes a chunk's name has. */
    public int length(int chunk) {
        return lengths[chunk];
    }

    /** Loads a chunk's name into a hash, whose numbers are then its virtual chunks. */
    public NumberedHash load(NumberedHash hash, int chunk) {
        return hash.load(segment(chunk), offset(chunk), lengths[chunk]);
    }
}
