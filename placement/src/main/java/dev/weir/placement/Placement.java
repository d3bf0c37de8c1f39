package dev.weir.placement;

import dev.weir.placement.distribute.Distribution;
import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.TooLargeException;
import dev.weir.placement.input.Worker;
import dev.weir.placement.replication.CompatibleReplication;
import dev.weir.placement.replication.FullReplication;
import dev.weir.placement.replication.NotEnoughCapacityException;
import dev.weir.placement.replication.Replication;
import dev.weir.placement.ring.Rings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Places chunks on workers (Assignment of chunks to workers, see docs/SOURCES.md). Reliable workers are served alone; if there are others, a second pass serves all, and
 * the others take their lists from it, so that a worker that becomes reliable keeps about what it has. Where that fails, they get nothing.
 *
 * <p>Has no state: the same input gives the same assignment, on any machine and with any number of threads. May be used by
 * several threads.
 */
public final class Placement {

    /** Worker indices are 16 bits wide. */
    public static final int MAX_WORKERS = 65_535;

    private final PlacementConfig config;
    private final int threads;

    /** Uses as many threads as there are cores. */
    public Placement(PlacementConfig config) {
        this(config, Runtime.getRuntime().availableProcessors());
    }

    /** @param threads how many threads look for places, at least 1; the result does not depend on it */
    public Placement(PlacementConfig config, int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads is " + threads + "; it must be at least 1");
        }
        this.config = config;
        this.threads = threads;
    }

    /**
     * Places all chunks.
     *
     * @throws NotEnoughCapacityException when some chunk would have fewer reliable workers than the minimum; says which and how far short
     * @throws TooLargeException when the chunks, or the reliable workers, are more than it can compute with
     * @throws IllegalArgumentException when an id is twice there or not in the configured encoding, or the weights are too large
     * @throws InterruptedException when interrupted while computing
     */
    public Assignment place(List<Worker> workers, Chunks chunks)
            throws NotEnoughCapacityException, InterruptedException {
        requireDistinct(workers);
        List<Worker> ordered = new ArrayList<>(workers.size());
        workers.stream().filter(worker -> worker.status().isReliable()).forEach(ordered::add);
        int reliable = ordered.size();
        workers.stream().filter(worker -> !worker.status().isReliable()).forEach(ordered::add);

        WorkerLists lists = new WorkerLists(ordered.size());
        Pass first = pass(ordered.subList(0, reliable), chunks, lists, 0);
        Optional<Pass> second = Optional.empty();
        Optional<String> failure = Optional.empty();
        if (reliable < ordered.size()) {
            try {
                second = Optional.of(pass(ordered, chunks, lists, reliable));
            } catch (NotEnoughCapacityException | TooLargeException e) {
                // The reliable workers alone hold everything: no other may keep them from it.
                failure = Optional.of(e.getMessage());
            }
        }
        return new Assignment(config, ordered, chunks, lists, first, second, failure);
    }

    /** Serves these workers, and keeps the lists of those from index {@code keptFrom}. */
    private Pass pass(List<Worker> workers, Chunks chunks, WorkerLists lists, int keptFrom)
            throws NotEnoughCapacityException, InterruptedException {
        Replication replication = config.mode() == Mode.COMPATIBLE
                ? CompatibleReplication.of(chunks, workers, config)
                : FullReplication.of(chunks, workers, config);
        if (replication.virtualChunks() == 0) {
            return new Pass(replication, 0);
        }
        Rings rings = Rings.build(
                workers.stream().map(worker -> config.idBytes(worker.id())).toArray(byte[][]::new), config.rings());
        long[] capacities = workers.stream().mapToLong(Worker::capacityBytes).toArray();
        Distribution distribution = new Distribution(chunks, rings, replication, capacities, config);
        distribution.run(threads);
        lists.take(distribution, chunks.count(), keptFrom);
        return new Pass(replication, distribution.unplaced());
    }

    /** Two ids that stand for the same bytes would always stand together on every ring: one worker, counted twice. */
    private void requireDistinct(List<Worker> workers) {
        if (workers.size() > MAX_WORKERS) {
            throw new IllegalArgumentException(workers.size() + " workers; at most " + MAX_WORKERS + " are possible");
        }
        Set<ByteBuffer> ids = new HashSet<>();
        for (Worker worker : workers) {
            if (!ids.add(ByteBuffer.wrap(config.idBytes(worker.id())))) {
                throw new IllegalArgumentException("worker '" + worker.id() + "' is there twice");
            }
        }
    }
}
