package dev.weir.scheduler.model;

import dev.weir.scheduler.state.Bits;
import dev.weir.scheduler.state.Progress;
import java.util.Arrays;

/** Which positions of an indexed task were released: one bit each, in pieces as state keeps them. */
public final class ReleasedPositions {

    private final Progress progress;
    private long[] words = {};

    ReleasedPositions(Progress progress) {
        this.progress = progress;
    }

    boolean has(long position) {
        int word = (int) (position >>> 6);
        return word < words.length && (words[word] & 1L << position) != 0;
    }

    /** The number of the piece that holds a position. */
    public static long piece(long position) {
        return position / Bits.POSITIONS;
    }

    /** Pieces that the positions known so far fill. */
    public int pieces() {
        return (int) ((progress.known + Bits.POSITIONS - 1) / Bits.POSITIONS);
    }

    /** Marks a position and returns the piece that holds it. */
    public Bits mark(long position) {
        int piece = (int) piece(position);
        int end = (piece + 1) * Bits.WORDS;
        if (end > words.length) {
            words = Arrays.copyOf(words, Math.max(end, Math.min(words.length * 2, pieces() * Bits.WORDS)));
        }
        words[(int) (position >>> 6)] |= 1L << position;
        return new Bits(Arrays.copyOfRange(words, piece * Bits.WORDS, end));
    }

    public void restore(long piece, Bits bits) {
        int end = (int) (piece + 1) * Bits.WORDS;
        if (end > words.length) {
            words = Arrays.copyOf(words, Math.max(end, words.length * 2));
        }
        System.arraycopy(bits.words(), 0, words, end - Bits.WORDS, Bits.WORDS);
    }
}
