package dev.weir.placement.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SeaHash, 64 bit, with the reference algorithm's four default seeds. Eight bytes at a time go round four lanes; every step
 * is a bijection of 64 bits ({@link #diffuse}). Not cryptographic. No state, safe for many threads.
 *
 * <p>Reference values: {@code ""} is c920ca43256fdcb9, {@code "a"} is 29c401b26a16e94d.
 */
public final class SeaHash {

    static final long SEED_A = 0x16f11fe89b0d677cL;
    static final long SEED_B = 0xb480a793d8e6c86cL;
    static final long SEED_C = 0x6fe2e5aaf078ebc9L;
    static final long SEED_D = 0x14f994a4c5259381L;
    private static final long PRIME = 0x6eed0e9da4d94a4fL;
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private SeaHash() {}

    /** The hash of all bytes. */
    public static long hash(byte[] bytes) {
        return hash(bytes, 0, bytes.length);
    }

    /** The hash of {@code length} bytes from {@code offset}. */
    public static long hash(byte[] bytes, int offset, int length) {
        long a = SEED_A;
        long b = SEED_B;
        long c = SEED_C;
        long d = SEED_D;
        int at = offset;
        int end = offset + length;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            long next = diffuse(a ^ word(bytes, at));
            a = b;
            b = c;
            c = d;
            d = next;
        }
        if (at < end) {
            a = diffuse(a ^ partialWord(bytes, at, end - at));
        }
        return diffuse(a ^ b ^ c ^ d ^ length);
    }

    static long diffuse(long value) {
        long x = value * PRIME;
        x ^= (x >>> 32) >>> (x >>> 60);
        return x * PRIME;
    }

    static long word(byte[] bytes, int at) {
        return (long) WORD.get(bytes, at);
    }

    /** Up to seven bytes, little-endian, the missing ones zero. */
    static long partialWord(byte[] bytes, int at, int length) {
        long value = 0;
        for (int i = 0; i < length; i++) {
            value |= (bytes[at + i] & 0xffL) << (8 * i);
        }
        return value;
    }
}
