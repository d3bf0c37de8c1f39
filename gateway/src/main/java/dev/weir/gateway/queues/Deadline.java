package dev.weir.gateway.queues;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * When answers that are asked for together are late. They share one timer: a request may ask for 256, and one thread keeps all timers of
 * the process behind one lock. Safe for use from many threads.
 */
final class Deadline {

    private final long endNanos;
    private final AtomicInteger open;
    private final CompletableFuture<Void> timer = new CompletableFuture<>();

    /** @param answers for how many it holds, at least 1 */
    Deadline(int answers, long millis) {
        endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        open = new AtomicInteger(answers);
        var unused = timer.orTimeout(millis, TimeUnit.MILLISECONDS);
    }

    /** Lets an answer that is late fail with {@link java.util.concurrent.TimeoutException}. */
    void holdFor(CompletableFuture<?> answer) {
        var late = timer.whenComplete((over, timeout) -> {
            if (timeout != null) {
                answer.completeExceptionally(timeout);
            }
        });
        var last = answer.whenComplete((done, failed) -> {
            if (open.decrementAndGet() == 0) {
                timer.complete(null);
            }
        });
    }

    /** Whether all answers are there, or late. Then no timer waits. */
    boolean isOver() {
        return timer.isDone();
    }

    long leftMillis() {
        return TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    }
}
