package dev.weir.placement;

import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.ChunksBuilder;
import dev.weir.placement.input.Worker;
import dev.weir.placement.input.WorkerStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

/** Seeded input for tests. */
final class Scenario {

    private Scenario() {}

    /** Workers of one capacity, all reliable. */
    static List<Worker> workers(int count, long capacityBytes) {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            workers.add(worker(i, capacityBytes, WorkerStatus.ONLINE));
        }
        return workers;
    }

    static Worker worker(int number, long capacityBytes, WorkerStatus status) {
        return new Worker("worker-" + number * 7_919L % 100_003, capacityBytes, status);
    }

    /** Chunks of one size, in datasets of a thousand. */
    static Chunks equalChunks(int count, long sizeBytes, int weight) {
        return equalChunks(0, count, sizeBytes, weight);
    }

    static Chunks equalChunks(int from, int to, long sizeBytes, int weight) {
        ChunksBuilder builder = new ChunksBuilder();
        for (int i = from; i < to; i++) {
            builder.add("data-" + i / 1000, String.format("%06d-%08x", i, i * 0x9e3779b9), sizeBytes, weight);
        }
        return builder.build();
    }

    /** Chunks of sizes up to {@code maxSizeBytes} with one of the weights, names of all lengths, not in order. */
    static Chunks mixedChunks(Random random, int count, int maxSizeBytes, int... weights) {
        ChunksBuilder builder = new ChunksBuilder();
        for (int i = 0; i < count; i++) {
            String dataset = "set" + random.nextInt(5) + "é".repeat(random.nextInt(3));
            String id = Integer.toString(random.nextInt(1 << 30), 36) + "x".repeat(random.nextInt(9)) + i;
            builder.add(dataset, id, 1 + random.nextInt(maxSizeBytes), weights[random.nextInt(weights.length)]);
        }
        return builder.build();
    }

    static SortedSet<String> names(Assignment assignment, int worker) {
        SortedSet<String> names = new TreeSet<>();
        for (int chunk : assignment.chunksOf(worker)) {
            names.add(assignment.chunks().name(chunk));
        }
        return names;
    }

    /** The names that the worker with this id holds. */
    static SortedSet<String> names(Assignment assignment, String id) {
        for (int worker = 0; worker < assignment.workers().size(); worker++) {
            if (assignment.workers().get(worker).id().equals(id)) {
                return names(assignment, worker);
            }
        }
        throw new AssertionError("no worker " + id);
    }
}
