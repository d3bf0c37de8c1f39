package dev.weir.placement.distribute;

import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.Order;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.replication.NotEnoughCapacityException;
import dev.weir.placement.replication.Replication;
import dev.weir.placement.ring.Rings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Distributes all virtual chunks of one pass. The calling thread assigns block after block, in order; meanwhile others
 * locate the next ones. How many threads there are changes nothing but the time.
 */
public final class Distribution {

    private static final int BLOCKS_AHEAD_PER_THREAD = 3;

    private final Chunks chunks;
    private final Rings rings;
    private final Replication replication;
    private final Assigner assigner;
    private final Sequence sequence;

    /**
     * @param capacities of the workers on the rings, in bytes, by worker index
     */
    public Distribution(
            Chunks chunks, Rings rings, Replication replication, long[] capacities, PlacementConfig config) {
        this.chunks = chunks;
        this.rings = rings;
        this.replication = replication;
        this.assigner = new Assigner(chunks, rings, replication, capacities, config.minReplication());
        this.sequence = sequence(config);
    }

    private Sequence sequence(PlacementConfig config) {
        int all = Integer.MAX_VALUE;
        if (config.mode() == Mode.COMPATIBLE || config.order() == Order.TAG) {
            return Sequence.of(config.order(), replication, chunks.count(), 0, all);
        }
        // The whole budget is spent, so the last chunks would miss their minimum if the first took all they want at
        // once.
        int minimum = config.minReplication();
        return Sequence.concatenated(List.of(
                Sequence.of(config.order(), replication, chunks.count(), 0, minimum),
                Sequence.of(config.order(), replication, chunks.count(), minimum, all)));
    }

    /**
     * Assigns everything; called once.
     *
     * @param threads how many locate blocks beside the caller, at least 1
     * @throws NotEnoughCapacityException when a chunk does not get its minimum
     * @throws InterruptedException when interrupted; the other threads end then too
     */
    public void run(int threads) throws NotEnoughCapacityException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "weir-placement");
            thread.setDaemon(true);
            return thread;
        });
        try {
            Deque<Future<Block>> ahead = new ArrayDeque<>();
            for (int i = 0; i < threads * BLOCKS_AHEAD_PER_THREAD; i++) {
                submitNext(new Block(), pool, ahead);
            }
            while (!ahead.isEmpty()) {
                Block block = ahead.remove().get();
                assigner.assign(block);
                submitNext(block, pool, ahead);
            }
        } catch (ExecutionException | CancellationException bug) {
            throw new IllegalStateException("locating virtual chunks failed", bug);
        } finally {
            pool.shutdownNow();
        }
    }

    private void submitNext(Block block, ExecutorService pool, Deque<Future<Block>> ahead) {
        block.size = 0;
        sequence.fill(block);
        if (block.size > 0) {
            ahead.add(pool.submit(() -> block.locate(chunks, rings)));
        }
    }

    /** How many workers hold the chunk. */
    public int replicas(int chunk) {
        return assigner.holders().count(chunk);
    }

    /** The index of the i-th worker that took the chunk. */
    public int holder(int chunk, int i) {
        return assigner.holders().holder(chunk, i);
    }

    /** How many virtual chunks found no worker. */
    public long unplaced() {
        return assigner.unplaced();
    }
}
