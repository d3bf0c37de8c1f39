package dev.weir.placement.diff;

/**
 * What changes on one worker, or on all. A worker has to fetch both the moved and the new chunks.
 *
 * @param movedChunks chunks it gets that were placed somewhere before: the churn
 * @param newChunks chunks it gets that no worker held before
 * @param droppedChunks chunks that it held and no longer does, though they still exist
 * @param goneChunks chunks that it held and that are not in the input any more; their size is not known
 */
public record Change(
        long movedChunks,
        long movedBytes,
        long newChunks,
        long newBytes,
        long droppedChunks,
        long droppedBytes,
        long goneChunks) {

    static final Change NOTHING = new Change(0, 0, 0, 0, 0, 0, 0);

    Change plus(Change other) {
        return new Change(
                movedChunks + other.movedChunks,
                movedBytes + other.movedBytes,
                newChunks + other.newChunks,
                newBytes + other.newBytes,
                droppedChunks + other.droppedChunks,
                droppedBytes + other.droppedBytes,
                goneChunks + other.goneChunks);
    }

    /** Whether nothing changes at all. */
    public boolean isNothing() {
        return equals(NOTHING);
    }
}
