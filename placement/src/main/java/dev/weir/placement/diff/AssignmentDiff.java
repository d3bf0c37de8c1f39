package dev.weir.placement.diff;

import dev.weir.placement.Assignment;
import dev.weir.placement.input.Chunks;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What moves from an earlier assignment to this one.
 *
 * @param total over all workers
 * @param workers by id: today's in their order, then the removed ones
 * @param joined today's workers that were not there
 * @param left workers that are not here any more; what they held counts as dropped
 */
public record AssignmentDiff(Change total, Map<String, Change> workers, List<String> joined, List<String> left) {

    public AssignmentDiff {
        workers = Collections.unmodifiableMap(new LinkedHashMap<>(workers));
        joined = List.copyOf(joined);
        left = List.copyOf(left);
    }

    /** Compares. {@code previous} must have been made for the chunks of {@code current}. */
    public static AssignmentDiff between(PreviousLists previous, Assignment current) {
        BitSet heldBefore = new BitSet(current.chunks().count());
        TreeSet<String> left = new TreeSet<>();
        for (String worker : previous.workers()) {
            left.add(worker);
            for (int chunk : previous.chunksOf(worker)) {
                heldBefore.set(chunk);
            }
        }
        Map<String, Change> changes = new LinkedHashMap<>();
        List<String> joined = new ArrayList<>();
        for (int worker = 0; worker < current.workers().size(); worker++) {
            String id = current.workers().get(worker).id();
            changes.put(id, change(previous, id, current.chunksOf(worker), current.chunks(), heldBefore));
            if (!previous.has(id)) {
                joined.add(id);
            }
            left.remove(id);
        }
        for (String id : left) {
            changes.put(id, change(previous, id, new int[0], current.chunks(), heldBefore));
        }
        Change total = changes.values().stream().reduce(Change.NOTHING, Change::plus);
        return new AssignmentDiff(total, changes, joined, List.copyOf(left));
    }

    private static Change change(PreviousLists previous, String worker, int[] now, Chunks chunks, BitSet heldBefore) {
        BitSet before = new BitSet();
        for (int chunk : previous.chunksOf(worker)) {
            before.set(chunk);
        }
        long moved = 0;
        long movedBytes = 0;
        long added = 0;
        long addedBytes = 0;
        for (int chunk : now) {
            if (before.get(chunk)) {
                before.clear(chunk);
            } else if (heldBefore.get(chunk)) {
                moved++;
                movedBytes += chunks.sizeBytes(chunk);
            } else {
                added++;
                addedBytes += chunks.sizeBytes(chunk);
            }
        }
        long droppedBytes = before.stream().mapToLong(chunks::sizeBytes).sum();
        return new Change(
                moved, movedBytes, added, addedBytes, before.cardinality(), droppedBytes, previous.gone(worker));
    }
}
