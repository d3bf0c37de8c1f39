package dev.weir.placement.replication;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** How many replicas each chunk wants. Immutable, safe for many threads. */
public final class Replication {

    private final SortedMap<Integer, Double> factors;
    private final char[] replicas;
    private final long total;

    /**
     * @param factors the factor of each weight; a whole number in the compatible mode
     * @param replicas how many replicas each chunk wants; kept, not copied
     */
    Replication(SortedMap<Integer, Double> factors, char[] replicas) {
        this.factors = Collections.unmodifiableSortedMap(new TreeMap<>(factors));
        this.replicas = replicas;
        long sum = 0;
        for (char one : replicas) {
            sum += one;
        }
        this.total = sum;
    }

    /** The factor of each weight that occurs, by ascending weight. */
    public SortedMap<Integer, Double> factors() {
        return factors;
    }

    /** How many replicas a chunk wants. */
    public int of(int chunk) {
        return replicas[chunk];
    }

    /** How many virtual chunks there are in all. */
    public long virtualChunks() {
        return total;
    }
}
