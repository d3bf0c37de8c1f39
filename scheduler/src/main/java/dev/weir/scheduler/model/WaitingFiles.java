package dev.weir.scheduler.model;

import dev.weir.protocol.Mode;
import dev.weir.scheduler.state.Bits;
import dev.weir.scheduler.state.Chunk;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.state.WaitingFile;

/** The files of a task that wait: chunks in state, and their index in memory. */
public final class WaitingFiles {

    private final Lane lane;

    public WaitingFiles(Lane lane) {
        this.lane = lane;
    }

    /** Reads a chunk; the last one is kept in memory. */
    public Chunk chunk(OpenTask task, ChunkRef ref) {
        if (task.chunkFirst != ref.first) {
            task.chunk = lane.work.get(Tables.CHUNK, Tables.key(task.progress.uid, ref.first));
            task.chunkFirst = ref.first;
        }
        return task.chunk;
    }

    /** The file at a position, the first one for Merge; the position must have been read. */
    public WaitingFile file(OpenTask task, long position) {
        ChunkRef ref = task.chunkAt(position);
        if (ref == null) {
            throw new IllegalStateException("task " + task.progress.uid + " has no chunk for position " + position);
        }
        int index = task.spec().mode() == Mode.MERGE ? 0 : (int) (position - ref.first);
        return chunk(task, ref).get(index);
    }

    /** Adds a chunk behind all others. */
    public void add(OpenTask task, Chunk chunk, int positions) {
        ChunkRef ref = new ChunkRef(task.progress.known, positions, lane.now());
        task.chunks.add(ref);
        lane.work.put(Tables.CHUNK, Tables.key(task.progress.uid, ref.first), chunk);
        task.progress.known += positions;
        index(task, ref, chunk);
    }

    /** Puts the waiting files of a chunk into the index. */
    public void index(OpenTask task, ChunkRef ref, Chunk chunk) {
        if (task.progress.indexed) {
            chunk.forEachKey((i, groups, priority) -> {
                long position = ref.first + i;
                if (task.isReleased(position)) {
                    ref.remaining--;
                } else {
                    task.backlog.add(position, task.priorityNow(position, priority), groups);
                }
            });
        } else {
            long from = Math.max(ref.first, task.progress.cursor);
            long waiting = ref.end() - from - task.adopted.between(from, ref.end());
            task.backlog.addAtCursor(waiting, task.spec().groups());
        }
    }

    /** Moves the cursor past adopted positions, and then past the position that it returns. */
    public long advance(OpenTask task) {
        passAdopted(task);
        return task.progress.cursor++;
    }

    private void passAdopted(OpenTask task) {
        while (task.adopted.has(task.progress.cursor)) {
            task.adopted.passed(task.progress.cursor);
            lane.work.remove(Tables.ADOPTED, Tables.key(task.progress.uid, task.progress.cursor));
            task.progress.cursor++;
        }
    }

    /** The file at a position was released: its chunk goes once nothing of it waits. */
    public void released(OpenTask task, long position) {
        ChunkRef ref = task.chunkAt(position);
        if (ref == null) {
            return;
        }
        String uid = task.progress.uid;
        if (task.given.forget(position)) {
            lane.work.remove(Tables.PRIORITY, Tables.key(uid, position));
        }
        if (task.progress.indexed) {
            lane.work.put(
                    Tables.RELEASED, Tables.key(uid, ReleasedPositions.piece(position)), task.released.mark(position));
            if (--ref.remaining == 0) {
                done(task, ref);
            }
        } else {
            // After a restore, chunks of adopted Merge jobs that are over may be missing in between.
            passAdopted(task);
            ChunkRef first = task.chunks.first();
            while (first != null && first.end() <= task.progress.cursor) {
                done(task, first);
                first = task.chunks.first();
            }
        }
    }

    /** Nothing of a chunk waits any more. A Merge chunk stays until its job is over, because attempts read it. */
    private void done(OpenTask task, ChunkRef ref) {
        gone(task, ref);
        forgetChunk(task, ref.first);
        if (task.spec().mode() == Mode.MAP) {
            lane.work.remove(Tables.CHUNK, Tables.key(task.progress.uid, ref.first));
        }
        lane.agenda.settle(task);
    }

    /** A chunk goes, and what is remembered of its positions. */
    private void gone(OpenTask task, ChunkRef ref) {
        task.chunkGone(ref);
        for (long piece = ReleasedPositions.piece(ref.first);
                piece <= ReleasedPositions.piece(ref.end() - 1);
                piece++) {
            long from = piece * Bits.POSITIONS;
            if (!task.chunks.hasAny(from, from + Bits.POSITIONS) && task.released.forget(piece)) {
                lane.work.remove(Tables.RELEASED, Tables.key(task.progress.uid, piece));
            }
        }
    }

    private static void forgetChunk(OpenTask task, long first) {
        if (task.chunkFirst == first) {
            task.chunkFirst = -1;
            task.chunk = null;
        }
    }

    /** The task starts nothing for the first time any more. Its chunks stay until {@link #forget} takes them. */
    public void drop(OpenTask task) {
        task.backlog.dropFresh(lane.now());
        // Of Merge: a group of files that was not complete.
        lane.work.remove(Tables.CHUNK, Tables.key(task.progress.uid, task.progress.known));
        forgetChunk(task, task.chunkFirst);
    }

    /** Removes chunks that were dropped. Returns whether none is left. */
    public boolean forget(OpenTask task, int most) {
        for (int i = 0; i < most; i++) {
            ChunkRef first = task.chunks.first();
            if (first == null) {
                return true;
            }
            gone(task, first);
            lane.work.remove(Tables.CHUNK, Tables.key(task.progress.uid, first.first));
        }
        return task.chunks.first() == null;
    }

    /**
     * Removes what is remembered of single files: that they were adopted, got a priority, or, where an older version has left it, were
     * released. Returns whether nothing is left.
     */
    public boolean forgetSingle(OpenTask task, int most) {
        String uid = task.progress.uid;
        for (int i = 0; i < most; i++) {
            if (!task.adopted.isEmpty()) {
                long position = task.adopted.first();
                task.adopted.passed(position);
                lane.work.remove(Tables.ADOPTED, Tables.key(uid, position));
            } else if (!task.given.all().isEmpty()) {
                long position = task.given.all().firstKey();
                task.given.forget(position);
                lane.work.remove(Tables.PRIORITY, Tables.key(uid, position));
            } else {
                long piece = task.released.forgetAny();
                if (piece < 0) {
                    return true;
                }
                lane.work.remove(Tables.RELEASED, Tables.key(uid, piece));
            }
        }
        return false;
    }
}
