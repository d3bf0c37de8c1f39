package dev.weir.bench.queue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Loads that are put on something that answers later. */
final class Load {

    private static final int DIGITS = 3;
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final double SECOND = 1e9;

    private Load() {}

    /**
     * Asks at a fixed rate, whether or not answers come.
     *
     * @return the times from when a question was due until its answer, in nanoseconds
     */
    static Histogram atRate(int perSecond, Duration time, Supplier<CompletableFuture<?>> ask) {
        Histogram times = new ConcurrentHistogram(LONGEST_NANOS, DIGITS);
        long count = perSecond * time.toSeconds();
        CompletableFuture<?>[] answers = new CompletableFuture<?>[(int) count];
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long due = begin + (long) (i * SECOND / perSecond);
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            answers[i] = ask.get().thenRun(() -> times.recordValue(Math.min(LONGEST_NANOS, System.nanoTime() - due)));
        }
        CompletableFuture.allOf(answers).join();
        return times;
    }

    /** How many are answered a second when so many are always under way. Fails when one fails. */
    static double closed(int underWay, Duration time, Supplier<CompletableFuture<?>> ask) throws InterruptedException {
        return closedSum(underWay, time, () -> ask.get().thenApply(answer -> 1));
    }

    /** The sum of what is answered, a second. What is answered after the time does not count. */
    static double closedSum(int underWay, Duration time, Supplier<CompletableFuture<Integer>> ask)
            throws InterruptedException {
        Semaphore free = new Semaphore(underWay);
        AtomicLong sum = new AtomicLong();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        while (System.nanoTime() < end && failure.get() == null) {
            free.acquire();
            var unused = ask.get().whenComplete((answer, why) -> {
                if (why == null) {
                    sum.addAndGet(answer);
                } else {
                    failure.compareAndSet(null, why);
                }
                free.release();
            });
        }
        double perSecond = sum.get() / ((System.nanoTime() - begin) / SECOND);
        free.acquire(underWay);
        if (failure.get() != null) {
            throw new IllegalStateException("a request failed: " + failure.get(), failure.get());
        }
        return perSecond;
    }
}
