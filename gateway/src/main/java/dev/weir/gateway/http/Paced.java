package dev.weir.gateway.http;

import dev.weir.web.Problem;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Something that is counted for all who ask, again after two seconds, or ten times as long as counting takes, so that counting never takes more than a
 * tenth of the time. It is counted again behind the one who asks, who gets what was counted before, unless that is twice as old. So while it is asked
 * for again and again no request waits. One thread counts; a few others wait if there is nothing yet. A failure is the answer to all for a while, so that a
 * database which does not answer takes no further threads. Safe for use from many threads.
 */
final class Paced<T> {

    private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int SHARE = 10;
    private static final int MOST_WAITING = 8;

    /** Longer than a query may take. */
    private static final long LONGEST_WAIT_SECONDS = 10;

    private static final int RETRY_SECONDS = 5;
    private static final int COUNTERS = 2;
    private static final int MOST_TO_COUNT = 1000;
    private static final Executor BEHIND = counters(COUNTERS);

    private final Supplier<T> count;
    private final LongSupplier nanoTime;
    private final Executor behind;
    private T counted;
    private RuntimeException failed;
    private long until;
    private long pauseNanos;
    /** Null while no thread counts. */
    private CompletableFuture<T> coming;

    private int waiting;

    Paced(Supplier<T> count) {
        this(count, System::nanoTime, BEHIND);
    }

    /** With a counter of its own: it waits for no other count. */
    static <T> Paced<T> alone(Supplier<T> count) {
        return new Paced<>(count, System::nanoTime, counters(1));
    }

    Paced(Supplier<T> count, LongSupplier nanoTime, Executor behind) {
        this.count = count;
        this.nanoTime = nanoTime;
        this.behind = behind;
    }

    private static Executor counters(int most) {
        ThreadPoolExecutor counters = new ThreadPoolExecutor(
                most, most, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(MOST_TO_COUNT), task -> {
                    Thread thread = new Thread(task, "gateway-count");
                    thread.setDaemon(true);
                    return thread;
                });
        counters.allowCoreThreadTimeOut(true);
        return counters;
    }

    /** Throws what counting throws, or {@link Problem} when there is nothing yet and many wait. */
    T get() {
        CompletableFuture<T> other;
        synchronized (this) {
            long late = nanoTime.getAsLong() - until;
            if (coming == null) {
                if (late < 0 && (counted != null || failed != null)) {
                    return known();
                }
                coming = new CompletableFuture<>();
                if (counted != null && late < pauseNanos && isCountedBehind()) {
                    return counted;
                }
                other = null;
            } else if (failed != null || counted != null && late < pauseNanos) {
                return known();
            } else if (waiting >= MOST_WAITING) {
                if (counted != null) {
                    return counted;
                }
                throw busy();
            } else {
                waiting++;
                other = coming;
            }
        }
        return other == null ? count() : await(other);
    }

    /** False when all counters have too much to do, or none can be started. */
    private boolean isCountedBehind() {
        try {
            behind.execute(() -> {
                try {
                    var unused = count();
                } catch (RuntimeException e) {
                    // It is the answer of those who ask next.
                }
            });
            return true;
        } catch (RejectedExecutionException | Error e) {
            return false;
        }
    }

    private T known() {
        if (failed != null) {
            throw failed;
        }
        return counted;
    }

    private T count() {
        long began = nanoTime.getAsLong();
        try {
            T now = count.get();
            end(now, null, SHARE * (nanoTime.getAsLong() - began));
            return now;
        } catch (RuntimeException e) {
            end(null, e, nanoTime.getAsLong() - began);
            throw e;
        } catch (Error e) {
            end(null, new IllegalStateException("counting failed", e), 0);
            throw e;
        }
    }

    private synchronized void end(T now, RuntimeException failure, long pause) {
        counted = now;
        failed = failure;
        pauseNanos = Math.max(LEAST_NANOS, pause);
        until = nanoTime.getAsLong() + pauseNanos;
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
                        503, "Database slow", "this is being counted, and many wait for it; ask again in some seconds")
                .after(RETRY_SECONDS);
    }
}
