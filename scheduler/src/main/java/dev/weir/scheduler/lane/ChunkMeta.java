package dev.weir.scheduler.lane;

/** A chunk in state: where it begins and how many of its positions were not released. */
final class ChunkMeta {

    final long first;
    final int positions;
    /** Since when its files wait, in milliseconds since 1970. */
    final long since;

    int remaining;
    /** For {@link ChunkList}: it is not there any more. */
    boolean isGone;

    ChunkMeta(long first, int positions, long since) {
        this.first = first;
        this.positions = positions;
        this.since = since;
        remaining = positions;
    }

    /** The position after its last one. */
    long end() {
        return first + positions;
    }
}
