package dev.weir.placement.input;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects chunks in any order and makes {@link Chunks} of them. One thread. */
public final class ChunksBuilder {

    /** The longest {@code dataset/id}, in bytes. */
    public static final int MAX_NAME_BYTES = 65_535;

    /** The largest chunk: 2^50 bytes. */
    public static final long MAX_SIZE_BYTES = 1L << 50;

    /** The largest weight. */
    public static final int MAX_WEIGHT = 65_535;

    private static final int SEGMENT_BYTES = 1 << Chunks.SEGMENT_BITS;

    private final List<byte[]> segments = new ArrayList<>();
    private final Map<String, Integer> datasetIndex = new HashMap<>();
    private final List<String> datasetNames = new ArrayList<>();
    private int usedInSegment = SEGMENT_BYTES;
    private int count;
    private long[] starts = new long[1024];
    private char[] lengths = new char[1024];
    private long[] sizes = new long[1024];
    private char[] weights = new char[1024];
    private int[] datasets = new int[1024];

    /**
     * Adds a chunk.
     *
     * @throws IllegalArgumentException when a value is out of its range, saying which
     */
    public ChunksBuilder add(String dataset, String id, long sizeBytes, long weight) {
        if (dataset.isEmpty() || id.isEmpty()) {
            throw new IllegalArgumentException((dataset.isEmpty() ? "dataset" : "id") + " must not be empty");
        }
        if (sizeBytes < 0 || sizeBytes > MAX_SIZE_BYTES) {
            throw new IllegalArgumentException("size is " + sizeBytes + "; it must be 0 to 2^50 bytes");
        }
        if (weight < 1 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException("weight is " + weight + "; it must be 1 to " + MAX_WEIGHT);
        }
        byte[] name = (dataset + '/' + id).getBytes(StandardCharsets.UTF_8);
        if (name.length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "dataset and id have " + name.length + " bytes; at most " + MAX_NAME_BYTES + " are allowed");
        }
        grow();
        starts[count] = store(name);
        lengths[count] = (char) name.length;
        sizes[count] = sizeBytes;
        weights[count] = (char) weight;
        datasets[count] = datasetIndex.computeIfAbsent(dataset, added -> {
            datasetNames.add(added);
            return datasetNames.size() - 1;
        });
        count++;
        return this;
    }

    /** How many have been added. */
    public int count() {
        return count;
    }

    /**
     * The chunks in order. The builder is used up.
     *
     * @throws DuplicateChunkException when two have the same {@code dataset/id}
     */
    public Chunks build() {
        int[] order = NameOrder.sort(trimmed(null));
        Chunks chunks = trimmed(order);
        for (int i = 1; i < count; i++) {
            if (NameOrder.compare(chunks, i - 1, i) == 0) {
                int first = order == null ? i - 1 : Math.min(order[i - 1], order[i]);
                int second = order == null ? i : Math.max(order[i - 1], order[i]);
                throw new DuplicateChunkException(chunks.name(i), first, second);
            }
        }
        return chunks;
    }

    /** What was collected, permuted by {@code order}, or as it came when that is null. */
    private Chunks trimmed(int[] order) {
        long[] newStarts = new long[count];
        char[] newLengths = new char[count];
        long[] newSizes = new long[count];
        char[] newWeights = new char[count];
        int[] newDatasets = new int[count];
        for (int i = 0; i < count; i++) {
            int from = order == null ? i : order[i];
            newStarts[i] = starts[from];
            newLengths[i] = lengths[from];
            newSizes[i] = sizes[from];
            newWeights[i] = weights[from];
            newDatasets[i] = datasets[from];
        }
        return new Chunks(
                segments.toArray(byte[][]::new),
                newStarts,
                newLengths,
                newSizes,
                newWeights,
                newDatasets,
                datasetNames);
    }

    private long store(byte[] name) {
        if (usedInSegment + name.length > SEGMENT_BYTES) {
            segments.add(new byte[SEGMENT_BYTES]);
            usedInSegment = 0;
        }
        int segment = segments.size() - 1;
        System.arraycopy(name, 0, segments.get(segment), usedInSegment, name.length);
        long start = ((long) segment << Chunks.SEGMENT_BITS) | usedInSegment;
        usedInSegment += name.length;
        return start;
    }

    private void grow() {
        if (count == starts.length) {
            int larger = count + (count >> 1);
            starts = Arrays.copyOf(starts, larger);
            lengths = Arrays.copyOf(lengths, larger);
            sizes = Arrays.copyOf(sizes, larger);
            weights = Arrays.copyOf(weights, larger);
            datasets = Arrays.copyOf(datasets, larger);
        }
    }
}
