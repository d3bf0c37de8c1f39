package dev.weir.placement.diff;

import dev.weir.placement.Assignment;
import dev.weir.placement.input.Chunks;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The lists of an earlier assignment, its chunks given by their index among today's. Filled by one thread. */
public final class PreviousLists {

    private final Map<String, List> lists = new HashMap<>();
    private final NameIndex index;

    /** @param chunks today's chunks */
    public PreviousLists(Chunks chunks) {
        this.index = new NameIndex(chunks);
    }

    /** Takes all lists of an assignment that is still in memory. */
    public static PreviousLists of(Assignment earlier, Chunks chunks) {
        PreviousLists previous = new PreviousLists(chunks);
        for (int worker = 0; worker < earlier.workers().size(); worker++) {
            String id = earlier.workers().get(worker).id();
            previous.addWorker(id);
            for (int i = 0; i < earlier.count(worker); i++) {
                previous.add(id, earlier.chunks().name(earlier.chunk(worker, i)));
            }
        }
        return previous;
    }

    /** A worker that was there, with or without chunks. */
    public void addWorker(String worker) {
        lists.computeIfAbsent(worker, added -> new List());
    }

    /** A chunk, {@code dataset/id}, that a worker held. */
    public void add(String worker, String name) {
        List list = lists.computeIfAbsent(worker, added -> new List());
        int chunk = index.find(name.getBytes(StandardCharsets.UTF_8));
        if (chunk < 0) {
            list.gone++;
        } else {
            list.add(chunk);
        }
    }

    /** The workers that were there. */
    Iterable<String> workers() {
        return lists.keySet();
    }

    boolean has(String worker) {
        return lists.containsKey(worker);
    }

    /** Today's chunks that the worker held, in no order. */
    int[] chunksOf(String worker) {
        List list = lists.get(worker);
        return list == null ? new int[0] : Arrays.copyOf(list.chunks, list.count);
    }

    /** How many chunks the worker held that are no longer among today's. */
    long gone(String worker) {
        List list = lists.get(worker);
        return list == null ? 0 : list.gone;
    }

    private static final class List {
        private int[] chunks = new int[16];
        private int count;
        private long gone;

        void add(int chunk) {
            if (count == chunks.length) {
                chunks = Arrays.copyOf(chunks, count + (count >> 1));
            }
            chunks[count++] = chunk;
        }
    }
}
