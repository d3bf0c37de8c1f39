package dev.weir.bench.gateway;

import java.util.function.Supplier;

/**
 * A kind of request that a load consists of.
 *
 * @param weight how many of a hundred requests are of this kind
 * @param path of the next one; may be called from one thread at a time
 * @param times from when a request should have been sent to its whole answer
 */
record Kind(String name, int weight, Supplier<String> path, Latencies times) {

    Kind(String name, int weight, Supplier<String> path) {
        this(name, weight, path, new Latencies());
    }
}
