package dev.weir.placement.hash;

/**
 * SeaHash of {@code name ‖ ':' ‖ number as unsigned 16-bit little-endian}, for one name and many numbers: everything up to the
 * number is hashed once by {@link #load}, so that each number costs two or three steps however long the name is. Once
 * loaded it may be read by several threads.
 */
public final class NumberedHash {

    private static final int NUMBER_BYTES = 2;
    /** With seven bytes in the last word, the number's second byte starts another one, in the next lane. */
    private static final int STRADDLING = 7;

    /** The lane that takes the number's word, already joined with the bytes before the number. */
    private long lane;
    /** The lane after it: takes a word only when the number straddles two. */
    private long nextLane;
    /** The lanes that take nothing more, joined with the total length. */
    private long others;
    /** How many bits of the number's word come before it. */
    private int shift;

    /** Takes the name: {@code length} bytes from {@code offset}. */
    public NumberedHash load(byte[] bytes, int offset, int length) {
        long a = SeaHash.SEED_A;
        long b = SeaHash.SEED_B;
        long c = SeaHash.SEED_C;
        long d = SeaHash.SEED_D;
        int at = offset;
        int end = offset + length;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            long next = SeaHash.diffuse(a ^ SeaHash.word(bytes, at));
            a = b;
            b = c;
            c = d;
            d = next;
        }
        int rest = end - at;
        long last = SeaHash.partialWord(bytes, at, rest) | ((long) ':' << (8 * rest));
        rest++;
        if (rest == Long.BYTES) {
            long next = SeaHash.diffuse(a ^ last);
            a = b;
            b = c;
            c = d;
            d = next;
            last = 0;
            rest = 0;
        }
        lane = a ^ last;
        shift = 8 * rest;
        long total = length + 1L + NUMBER_BYTES;
        if (rest == STRADDLING) {
            nextLane = b;
            others = c ^ d ^ total;
        } else {
            others = b ^ c ^ d ^ total;
        }
        return this;
    }

    /** The hash with this number, 0 to 65,535. */
    public long hash(int number) {
        if (shift != 8 * STRADDLING) {
            return SeaHash.diffuse(others ^ SeaHash.diffuse(lane ^ ((long) number << shift)));
        }
        long first = SeaHash.diffuse(lane ^ ((long) number << shift));
        long second = SeaHash.diffuse(nextLane ^ (number >>> 8));
        return SeaHash.diffuse(others ^ first ^ second);
    }
}
