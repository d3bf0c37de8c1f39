package dev.weir.placement;

import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Which worker stores which chunks. Workers are indexed with the reliable ones first. Immutable, safe for many threads. */
public final class Assignment {

    private final PlacementConfig config;
    private final List<Worker> workers;
    private final Chunks chunks;
    private final WorkerLists lists;
    private final Pass reliablePass;
    private final Optional<Pass> fullPass;
    private final Optional<String> fullPassFailure;

    Assignment(
            PlacementConfig config,
            List<Worker> workers,
            Chunks chunks,
            WorkerLists lists,
            Pass reliablePass,
            Optional<Pass> fullPass,
            Optional<String> fullPassFailure) {
        this.config = config;
        this.workers = List.copyOf(workers);
        this.chunks = chunks;
        this.lists = lists;
        this.reliablePass = reliablePass;
        this.fullPass = fullPass;
        this.fullPassFailure = fullPassFailure;
    }

    /** How it was computed. */
    public PlacementConfig config() {
        return config;
    }

    /** The workers: reliable ones first, otherwise as they were given. */
    public List<Worker> workers() {
        return workers;
    }

    /** All chunks, placed or not. */
    public Chunks chunks() {
        return chunks;
    }

    /** How many chunks a worker stores. */
    public int count(int worker) {
        return lists.count(worker);
    }

    /** The i-th chunk of a worker; they ascend. */
    public int chunk(int worker, int i) {
        return lists.chunk(worker, i);
    }

    /** All chunks of a worker, ascending. */
    public int[] chunksOf(int worker) {
        return IntStream.range(0, count(worker)).map(i -> chunk(worker, i)).toArray();
    }

    /** How many bytes a worker stores. */
    public long bytes(int worker) {
        long bytes = 0;
        for (int i = count(worker) - 1; i >= 0; i--) {
            bytes += chunks.sizeBytes(chunk(worker, i));
        }
        return bytes;
    }

    /** The pass over the reliable workers: it decides how available the data are. */
    public Pass reliablePass() {
        return reliablePass;
    }

    /** The pass over all workers, when some are not reliable: these have their lists from it. */
    public Optional<Pass> fullPass() {
        return fullPass;
    }

    /** Why that pass failed, if it did: the workers that are not reliable have empty lists. */
    public Optional<String> fullPassFailure() {
        return fullPassFailure;
    }

    /** How many reliable workers store each chunk. */
    public int[] reliableReplicas() {
        int[] replicas = new int[chunks.count()];
        for (int worker = 0; worker < workers.size(); worker++) {
            if (workers.get(worker).status().isReliable()) {
                Arrays.stream(chunksOf(worker)).forEach(chunk -> replicas[chunk]++);
            }
        }
        return replicas;
    }
}
