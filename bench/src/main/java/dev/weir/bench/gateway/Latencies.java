package dev.weir.bench.gateway;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Times that were measured. Safe for use from many threads. */
final class Latencies {

    private final List<Long> nanos = Collections.synchronizedList(new ArrayList<>());

    void add(long time) {
        nanos.add(time);
    }

    void addAll(Latencies others) {
        synchronized (others.nanos) {
            nanos.addAll(others.nanos);
        }
    }

    void clear() {
        nanos.clear();
    }

    int count() {
        return nanos.size();
    }

    /** The smallest time that this part of all does not exceed. */
    double millis(double part) {
        List<Long> sorted = new ArrayList<>(nanos);
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        Collections.sort(sorted);
        int rank = (int) Math.ceil(part * sorted.size());
        return sorted.get(Math.max(0, rank - 1)) / 1e6;
    }
}
