package dev.weir.scheduler.model;

import dev.weir.scheduler.state.Bits;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which positions of an indexed task were released, for chunks of which others wait: one bit each, in pieces as state keeps them. A piece
 * goes with its last chunk, so that there are never more pieces than chunks, however many files have left.
 */
public final class ReleasedPositions {

    /** In order of their coming, so that one can be taken out at no cost. */
    private final Map<Long, long[]> pieces = new LinkedHashMap<>();

    /** The piece that was asked for last, because positions are asked for in a row; -1 for none. */
    private long lastPiece = -1;

    private long[] last;

    boolean has(long position) {
        long piece = piece(position);
        if (piece != lastPiece) {
            lastPiece = piece;
            last = pieces.get(piece);
        }
        return last != null && (last[word(position)] & 1L << position) != 0;
    }

    /** The number of the piece that holds a position. */
    public static long piece(long position) {
        return position / Bits.POSITIONS;
    }

    private static int word(long position) {
        return (int) (position % Bits.POSITIONS) >>> 6;
    }

    /** Marks a position and returns the piece that holds it. */
    Bits mark(long position) {
        long[] words = pieces.computeIfAbsent(piece(position), piece -> new long[Bits.WORDS]);
        words[word(position)] |= 1L << position;
        lastPiece = -1;
        return new Bits(words.clone());
    }

    /** Returns whether there was such a piece. */
    boolean forget(long piece) {
        lastPiece = -1;
        return pieces.remove(piece) != null;
    }

    /** Forgets any piece and returns its number; -1 when there is none. */
    long forgetAny() {
        if (pieces.isEmpty()) {
            return -1;
        }
        long piece = pieces.keySet().iterator().next();
        forget(piece);
        return piece;
    }

    public void restore(long piece, Bits bits) {
        lastPiece = -1;
        pieces.put(piece, bits.words().clone());
    }
}
