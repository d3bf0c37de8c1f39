package dev.weir.scheduler.backlog;

/** A repeatable sequence of random numbers: xorshift64* (Vigna 2016) from a seed. Not safe for use by several threads. */
public final class Dice {

    private long state;

    public Dice(long seed) {
        state = mix(seed);
        if (state == 0) {
            state = 1;
        }
    }

    /** Uniform from 0 to bound − 1. */
    public int below(int bound) {
        state ^= state >>> 12;
        state ^= state << 25;
        state ^= state >>> 27;
        return (int) (((state * 0x2545F4914F6CDD1DL >>> 32) * bound) >>> 32);
    }

    /** A number that looks random and follows from the given one alone (the finalizer of SplitMix64). */
    public static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
