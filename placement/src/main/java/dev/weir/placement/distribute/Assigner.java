package dev.weir.placement.distribute;

import dev.weir.placement.input.Chunks;
import dev.weir.placement.replication.NotEnoughCapacityException;
import dev.weir.placement.replication.Replication;
import dev.weir.placement.ring.Rings;

/** Gives each virtual chunk, in order, the first worker from its start that has room and does not hold the chunk. One thread. */
final class Assigner {

    private final Chunks chunks;
    private final Rings rings;
    private final int minimum;
    private final long[] room;
    private final Holders holders;
    /** No worker has more room than this. Room only shrinks, so it stays true; it is taken anew when a search fails. */
    private long mostRoom = Long.MAX_VALUE;

    private long unplaced;

    Assigner(Chunks chunks, Rings rings, Replication replication, long[] capacities, int minimum) {
        this.chunks = chunks;
        this.rings = rings;
        this.minimum = minimum;
        this.room = capacities.clone();
        this.holders = new Holders(replication, chunks.count(), capacities.length);
    }

    void assign(Block block) throws NotEnoughCapacityException {
        for (int i = 0; i < block.size; i++) {
            int chunk = block.chunks[i];
            long size = chunks.sizeBytes(chunk);
            int worker = block.firstWorkers[i];
            if (room[worker] < size || holders.holds(chunk, worker)) {
                worker = search(block, i, size);
                if (worker < 0) {
                    leaveOut(chunk, size);
                    continue;
                }
            }
            room[worker] -= size;
            holders.add(chunk, worker);
        }
    }

    /** The worker for a virtual chunk whose first one will not do; -1 when there is none. */
    private int search(Block block, int i, long size) {
        int chunk = block.chunks[i];
        // A chunk that once found no worker never will: room only shrinks, and its holders stay.
        boolean failedBefore = holders.count(chunk) < block.numbers[i];
        if (size > mostRoom || failedBefore) {
            return -1;
        }
        int start = block.places[i];
        int base = rings.ringBase(start);
        int worker = search(chunk, size, start + 1, base + rings.workersPerRing());
        if (worker < 0) {
            worker = search(chunk, size, base, start);
        }
        if (worker < 0) {
            mostRoom = 0;
            for (long one : room) {
                mostRoom = Math.max(mostRoom, one);
            }
        }
        return worker;
    }

    private int search(int chunk, long size, int from, int to) {
        for (int place = from; place < to; place++) {
            int worker = rings.worker(place);
            if (room[worker] >= size && !holders.holds(chunk, worker)) {
                return worker;
            }
        }
        return -1;
    }

    private void leaveOut(int chunk, long size) throws NotEnoughCapacityException {
        int has = holders.count(chunk);
        if (has < minimum) {
            long most = 0;
            for (long one : room) {
                most = Math.max(most, one);
            }
            throw new NotEnoughCapacityException("not enough capacity: chunk '" + chunks.name(chunk) + "' (" + size
                    + " bytes) has " + has + " of at least " + minimum + " replicas, " + (minimum - has)
                    + " short: no other worker has room for it (the most room left is " + most + " bytes)");
        }
        unplaced++;
    }

    Holders holders() {
        return holders;
    }

    long unplaced() {
        return unplaced;
    }
}
