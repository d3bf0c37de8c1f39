package dev.weir.scheduler.model;

import java.util.TreeSet;

/** In order: positions of a task beyond its cursor whose jobs were adopted. Takes no memory while there are none. */
public final class AdoptedPositions {

    private TreeSet<Long> positions;

    public void add(long position) {
        positions = positions == null ? new TreeSet<>() : positions;
        positions.add(position);
    }

    public boolean has(long position) {
        return positions != null && positions.contains(position);
    }

    /** The cursor has come to it, or its task goes. */
    public void passed(long position) {
        positions.remove(position);
        if (positions.isEmpty()) {
            positions = null;
        }
    }

    public boolean isEmpty() {
        return positions == null;
    }

    /** Only while there is one. */
    public long first() {
        return positions.first();
    }

    /** How many there are from one on, and before another one. */
    public int between(long from, long to) {
        return positions == null ? 0 : positions.subSet(from, to).size();
    }

    /** All of them, in order; a copy. */
    public TreeSet<Long> all() {
        return positions == null ? new TreeSet<>() : new TreeSet<>(positions);
    }
}
