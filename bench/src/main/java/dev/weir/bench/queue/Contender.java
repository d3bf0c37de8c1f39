package dev.weir.bench.queue;

import java.util.concurrent.CompletableFuture;

/** A queue that is measured: workers take its items one by one over HTTP and end them. Safe for use from many threads. */
interface Contender extends AutoCloseable {

    String name();

    /** Adds so many of the items of {@link Scans} in the fastest way that it has. Returns when they can be taken. */
    void fill(long count) throws Exception;

    /** Takes the best item. Gives the proof of its lease, with which it is ended; fails when there is none. */
    CompletableFuture<String> take();

    /** Ends an item that was taken. */
    CompletableFuture<?> end(String proof);

    @Override
    void close() throws Exception;
}
