package dev.weir.connectors.dsm;

import java.io.Closeable;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The datasets that came whole, by uid, kept until they have been idle for a while or need room for another. A reader that finds
 * that a DSM ignores paging claims the dataset; later readers wait for it instead of reading everything again.
 */
final class Spools implements Closeable {

    private final long maxBytes;
    private final long idleNanos;
    private final Map<String, CompletableFuture<Spool>> spools = new HashMap<>();

    Spools(DsmReaderOptions options) {
        this.maxBytes = options.sizes().maxWhole();
        this.idleNanos = options.spool().idle().toNanos();
    }

    /** The dataset if it is here or being read; null otherwise. */
    synchronized CompletableFuture<Spool> find(String datasetUid) {
        return spools.get(datasetUid);
    }

    /** Null if the caller is to read the dataset into {@code mine}; else the future of the present reader. */
    synchronized CompletableFuture<Spool> claim(String datasetUid, CompletableFuture<Spool> mine) {
        CompletableFuture<Spool> other = spools.get(datasetUid);
        if (other != null && !other.isDone()) {
            return other;
        }
        close(spools.put(datasetUid, mine));
        return null;
    }

    /** The claimed dataset is complete. */
    void finished(CompletableFuture<Spool> mine, Spool spool) {
        synchronized (this) {
            long used =
                    complete().mapToLong(one -> one.getValue().join().bytes()).sum();
            free(used + spool.bytes() - maxBytes);
        }
        mine.complete(spool);
    }

    /** The claimed dataset could not be read: the waiting readers fail as its reader did. */
    void failed(String datasetUid, CompletableFuture<Spool> mine, Throwable why) {
        synchronized (this) {
            if (spools.remove(datasetUid, mine)) {
                close(mine);
            }
        }
        mine.completeExceptionally(why);
    }

    /** Frees the disk space of datasets that have not been read for a while. */
    synchronized void dropIdle() {
        long now = System.nanoTime();
        for (Iterator<CompletableFuture<Spool>> all = spools.values().iterator(); all.hasNext(); ) {
            CompletableFuture<Spool> one = all.next();
            if (complete(one) && now - one.join().lastUsedNanos() > idleNanos) {
                all.remove();
                close(one);
            }
        }
    }

    /** Drops so many bytes of complete datasets, those that have not been read for longest first; or all, if they have fewer. */
    synchronized void free(long bytes) {
        long left = bytes;
        while (left > 0) {
            Optional<Map.Entry<String, CompletableFuture<Spool>>> oldest =
                    complete().min(Comparator.comparing(one -> one.getValue().join(), Spools::byUse));
            if (oldest.isEmpty()) {
                return;
            }
            CompletableFuture<Spool> dropped = spools.remove(oldest.get().getKey());
            left -= dropped.join().bytes();
            close(dropped);
        }
    }

    private static int byUse(Spool one, Spool other) {
        return Long.signum(one.lastUsedNanos() - other.lastUsedNanos());
    }

    private Stream<Map.Entry<String, CompletableFuture<Spool>>> complete() {
        return spools.entrySet().stream().filter(one -> complete(one.getValue()));
    }

    private static boolean complete(CompletableFuture<Spool> one) {
        return one.isDone() && !one.isCompletedExceptionally();
    }

    /** A reader in the middle of it gets an error and asks again; that reads the dataset anew. */
    private static void close(CompletableFuture<Spool> dropped) {
        if (dropped != null && complete(dropped)) {
            try {
                dropped.join().close();
            } catch (IOException e) {
                // It had no name; the operating system takes it back with the process.
            }
        }
    }

    @Override
    public synchronized void close() {
        spools.values().forEach(Spools::close);
        spools.clear();
    }
}
