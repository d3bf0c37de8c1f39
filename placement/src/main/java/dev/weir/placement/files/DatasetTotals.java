package dev.weir.placement.files;

import dev.weir.placement.Assignment;
import dev.weir.placement.input.Chunks;
import java.util.Arrays;
import java.util.List;

/** Figures by dataset: what it has, and on how many reliable workers its chunks are. One pass over the assignment. */
final class DatasetTotals {

    private final List<String> names;
    private final long[] chunks;
    private final long[] bytes;
    private final long[] replicas;
    private final int[] fewest;
    private final int[] most;

    DatasetTotals(Assignment assignment) {
        Chunks all = assignment.chunks();
        names = all.datasetNames();
        chunks = new long[names.size()];
        bytes = new long[names.size()];
        replicas = new long[names.size()];
        fewest = new int[names.size()];
        most = new int[names.size()];
        Arrays.fill(fewest, Integer.MAX_VALUE);
        int[] placed = assignment.reliableReplicas();
        for (int chunk = 0; chunk < all.count(); chunk++) {
            int dataset = all.dataset(chunk);
            chunks[dataset]++;
            bytes[dataset] += all.sizeBytes(chunk);
            replicas[dataset] += placed[chunk];
            fewest[dataset] = Math.min(fewest[dataset], placed[chunk]);
            most[dataset] = Math.max(most[dataset], placed[chunk]);
        }
    }

    int count() {
        return names.size();
    }

    String name(int dataset) {
        return names.get(dataset);
    }

    long chunks(int dataset) {
        return chunks[dataset];
    }

    long bytes(int dataset) {
        return bytes[dataset];
    }

    /** Replicas a chunk, on average. */
    double replication(int dataset) {
        return (double) replicas[dataset] / chunks[dataset];
    }

    int fewestReplicas(int dataset) {
        return fewest[dataset];
    }

    int mostReplicas(int dataset) {
        return most[dataset];
    }
}
