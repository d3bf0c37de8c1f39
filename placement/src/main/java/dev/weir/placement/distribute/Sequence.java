package dev.weir.placement.distribute;

import dev.weir.placement.input.Order;
import dev.weir.placement.replication.Replication;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** The virtual chunks in the order in which they are assigned. One thread. */
interface Sequence {

    /** Fills an empty block as far as there are virtual chunks; leaves it empty at the end. */
    void fill(Block block);

    /** The virtual chunks numbered {@code from} to {@code to} (exclusive), as far as each chunk wants that many. */
    static Sequence of(Order order, Replication replication, int chunks, int from, int to) {
        return order == Order.CHUNK
                ? new ByChunk(replication, chunks, from, to)
                : new ByNumber(replication, chunks, from, to);
    }

    /** One after another. */
    static Sequence concatenated(List<Sequence> parts) {
        Queue<Sequence> left = new ArrayDeque<>(parts);
        return block -> {
            while (block.size == 0 && !left.isEmpty()) {
                left.element().fill(block);
                if (block.size == 0) {
                    left.remove();
                }
            }
        };
    }

    /** Chunk by chunk, each with all its numbers. */
    final class ByChunk implements Sequence {

        private final Replication replication;
        private final int chunks;
        private final int from;
        private final int to;
        private int chunk;
        private int number;

        ByChunk(Replication replication, int chunks, int from, int to) {
            this.replication = replication;
            this.chunks = chunks;
            this.from = from;
            this.to = to;
            this.number = from;
        }

        @Override
        public void fill(Block block) {
            for (; chunk < chunks; chunk++, number = from) {
                int end = Math.min(to, replication.of(chunk));
                for (; number < end; number++) {
                    if (block.isFull()) {
                        return;
                    }
                    block.add(chunk, number);
                }
            }
        }
    }

    /** Number by number, each with all chunks that want so many; chunks that want no more are not visited again. */
    final class ByNumber implements Sequence {

        private final Replication replication;
        private final int to;
        private final int[] wanting;
        private int left;
        private int kept;
        private int at;
        private int number;

        ByNumber(Replication replication, int chunks, int from, int to) {
            this.replication = replication;
            this.to = to;
            this.number = from;
            this.wanting = new int[chunks];
            for (int chunk = 0; chunk < chunks; chunk++) {
                if (replication.of(chunk) > from) {
                    wanting[left++] = chunk;
                }
            }
        }

        @Override
        public void fill(Block block) {
            while (left > 0 && number < to) {
                for (; at < left; at++) {
                    if (block.isFull()) {
                        return;
                    }
                    int chunk = wanting[at];
                    block.add(chunk, number);
                    if (replication.of(chunk) > number + 1) {
                        wanting[kept++] = chunk;
                    }
                }
                number++;
                left = kept;
                kept = 0;
                at = 0;
            }
        }
    }
}
