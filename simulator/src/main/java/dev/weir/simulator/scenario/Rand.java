package dev.weir.simulator.scenario;

import java.util.List;
import java.util.SplittableRandom;

/**
 * A stream of random draws that depends on a seed and a name alone. Every part of the world has its own, so that taking one part
 * away leaves the draws of the others as they were. Not safe for use by several threads.
 */
public final class Rand {

    private final SplittableRandom random;

    private Rand(long seed) {
        random = new SplittableRandom(seed);
    }

    public static Rand of(long seed, String name) {
        return new Rand(mix(seed ^ mix(name.hashCode())));
    }

    public static Rand of(long seed, String name, long index) {
        return new Rand(mix(mix(seed ^ mix(name.hashCode())) ^ mix(index + 1)));
    }

    /** From least to most, both included. */
    public int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /** From least to most, both included. */
    public long between(long least, long most) {
        return random.nextLong(least, most + 1);
    }

    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** From 0 to 1, 1 excluded. */
    public double share() {
        return random.nextDouble();
    }

    /** Between least and most, small values as likely as large ones by their magnitude. */
    public double magnitude(double least, double most) {
        return least * Math.exp(random.nextDouble() * Math.log(most / least));
    }

    /** Milliseconds until the next of events that come this often on average. */
    public long gapMillis(double meanMillis) {
        return 1 + (long) (-Math.log(1 - random.nextDouble()) * meanMillis);
    }

    public <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    @SafeVarargs
    public final <T> T oneOf(T... values) {
        return values[random.nextInt(values.length)];
    }

    /** Shuffles in place. */
    public void shuffle(List<?> values) {
        for (int i = values.size() - 1; i > 0; i--) {
            java.util.Collections.swap(values, i, random.nextInt(i + 1));
        }
    }

    private static long mix(long z) {
        long x = (z ^ z >>> 33) * 0xff51afd7ed558ccdL;
        x = (x ^ x >>> 33) * 0xc4ceb9fe1a85ec53L;
        return x ^ x >>> 33;
    }
}
