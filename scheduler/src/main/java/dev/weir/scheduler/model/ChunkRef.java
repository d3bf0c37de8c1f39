package dev.weir.scheduler.model;

/** A chunk in state: where it begins and how many of its positions were not released. */
public final class ChunkRef {

    public final long first;
    public final int positions;
    /** Since when its files wait, in milliseconds since 1970. */
    public final long since;

    public int remaining;
    /** For {@link ChunkList}: it is not there any more. */
    boolean isGone;

    public ChunkRef(long first, int positions, long since) {
        this.first = first;
        this.positions = positions;
        this.since = since;
        remaining = positions;
    }

    /** The position after its last one. */
    public long end() {
        return first + positions;
    }
}
