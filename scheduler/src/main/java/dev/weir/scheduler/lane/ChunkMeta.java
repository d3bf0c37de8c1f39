package dev.weir.scheduler.lane;

/** A chunk in state: where it begins and how many of its positions were not released. */
final class ChunkMeta {

    final long first;
    final int positions;
    int remaining;

    ChunkMeta(long first, int positions) {
        this.first = first;
        this.positions = positions;
        remaining = positions;
    }
}
