package dev.weir.gateway.http;

import dev.weir.web.Problem;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Something that is counted for all who ask: it is at most two seconds old, or ten times as old as counting takes, so that counting never takes more
 * than a tenth of the time. One thread counts; meanwhile others get what was counted before, and a few wait if there is nothing yet. A failure is
 * everybody's answer for a while, so that a database which does not answer takes no further threads. Safe for use from many threads.
 */
final class Paced<T> {

    private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int SHARE = 10;
    private static final int MOST_WAITING = 8;

    /** Longer than a query may take. */
    private static final long LONGEST_WAIT_SECONDS = 10;

    private final Supplier<T> count;
    private T counted;
    private RuntimeException failed;
    private long until;
    /** Null while nobody counts. */
    private CompletableFuture<T> coming;

    private int waiting;

    Paced(Supplier<T> count) {
        this.count = count;
    }

    /** Throws what counting throws, or {@link Problem} when there is nothing yet and many wait. */
    T get() {
        CompletableFuture<T> other;
        synchronized (this) {
            if (coming == null) {
                if (System.nanoTime() - until < 0 && (counted != null || failed != null)) {
                    return known();
                }
                coming = new CompletableFuture<>();
                other = null;
            } else if (counted != null || failed != null) {
                return known();
            } else if (waiting >= MOST_WAITING) {
                throw busy();
            } else {
                waiting++;
                other = coming;
            }
        }
        return other == null ? count() : await(other);
    }

    private T known() {
        if (failed != null) {
            throw failed;
        }
        return counted;
    }

    private T count() {
        long began = System.nanoTime();
        try {
            T now = count.get();
            end(now, null, SHARE * (System.nanoTime() - began));
            return now;
        } catch (RuntimeException e) {
            end(null, e, System.nanoTime() - began);
            throw e;
        } catch (Error e) {
            end(null, new IllegalStateException("counting failed", e), 0);
            throw e;
        }
    }

    private synchronized void end(T now, RuntimeException failure, long pauseNanos) {
        counted = now;
        failed = failure;
        until = System.nanoTime() + Math.max(LEAST_NANOS, pauseNanos);
        CompletableFuture<T> told = coming;
        coming = null;
        if (failure == null) {
            told.complete(now);
        } else {
            told.completeExceptionally(failure);
        }
    }

    private T await(CompletableFuture<T> other) {
        try {
            return other.get(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw (RuntimeException) e.getCause();
        } catch (TimeoutException e) {
            throw busy();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy();
        } finally {
            synchronized (this) {
                waiting--;
            }
        }
    }

    private static Problem busy() {
        return new Problem(
                503, "Database slow", "this is being counted, and many wait for it; ask again in some seconds");
    }
}
