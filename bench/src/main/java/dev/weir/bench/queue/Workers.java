package dev.weir.bench.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;

/** Workers that take items and end them. What they end is filled up again, so that as many items wait all the time. */
final class Workers implements AutoCloseable {

    /** Items that are added in one go. */
    private static final int REFILL = 250;

    private final Contender contender;
    private final ExecutorService filler = Executors.newSingleThreadExecutor();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Workers(Contender contender) {
        this.contender = contender;
    }

    /** How many items are taken and ended a second when so many are always at work. */
    double perSecond(int atWork, Duration time) throws Exception {
        Semaphore free = new Semaphore(atWork);
        long before = ended.get();
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < time.toNanos() && failure.get() == null) {
            free.acquire();
            var unused = contender.take(1).thenCompose(this::end).whenComplete((done, why) -> {
                failed(why);
                free.release();
            });
        }
        double perSecond = (ended.get() - before) * 1e9 / (System.nanoTime() - begin);
        if (!free.tryAcquire(atWork, 1, TimeUnit.MINUTES)) {
            throw new IllegalStateException(contender.name() + " has not answered within a minute");
        }
        check();
        return perSecond;
    }

    /** The times that pops take, from when they are due at this rate, in nanoseconds. What is taken is ended. */
    Histogram times(int takesPerSecond, Duration time) throws Exception {
        Histogram times = Load.atRate(
                takesPerSecond,
                time,
                () -> contender.take(1).whenComplete((proofs, why) -> {
                    failed(why);
                    if (why == null) {
                        var unused = end(proofs).whenComplete((done, other) -> failed(other));
                    }
                }));
        check();
        return times;
    }

    private CompletableFuture<?> end(List<String> proofs) {
        return contender.end(proofs).thenRun(() -> {
            if (ended.incrementAndGet() % REFILL == 0) {
                filler.execute(this::refill);
            }
        });
    }

    private void refill() {
        try {
            contender.fill(REFILL);
        } catch (Exception e) {
            failed(e);
        }
    }

    private void failed(Throwable why) {
        if (why != null) {
            failure.compareAndSet(null, why);
        }
    }

    private void check() {
        if (failure.get() != null) {
            throw new IllegalStateException(contender.name() + ": " + failure.get(), failure.get());
        }
    }

    @Override
    public void close() throws InterruptedException {
        filler.shutdown();
        filler.awaitTermination(1, TimeUnit.MINUTES);
    }
}
