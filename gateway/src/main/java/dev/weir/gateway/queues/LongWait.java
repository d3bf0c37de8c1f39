package dev.weir.gateway.queues;

import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueLimits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A question that waits for longer than the queues let one wait: it is asked again until its answer is enough, its time is over or its
 * client has gone. A restart of the queues forgets who waits, so none waits for long there.
 */
public final class LongWait {

    /** What is left is not worth a question. */
    private static final long LEAST_MILLIS = 5;

    private final QueueDesk desk;
    private final Slice slice;
    private final Predicate<QueueAnswer> enough;
    private final BooleanSupplier gone;
    private final long endNanos;
    private final CompletableFuture<QueueAnswer> answered = new CompletableFuture<>();

    /** Makes the entry of a part of the wait. */
    @FunctionalInterface
    public interface Slice {
        QueueEntry of(long n, int waitMillis);
    }

    private LongWait(
            QueueDesk desk, Slice slice, long waitMillis, Predicate<QueueAnswer> enough, BooleanSupplier gone) {
        this.desk = desk;
        this.slice = slice;
        this.enough = enough;
        this.gone = gone;
        endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
    }

    /**
     * Completes with the last answer; fails as {@link QueueDesk#ask}.
     *
     * @param enough whether an answer ends the wait; no refusal must be asked again
     * @param gone whether the client has gone; must not block
     */
    public static CompletableFuture<QueueAnswer> ask(
            QueueDesk desk, Slice slice, long waitMillis, Predicate<QueueAnswer> enough, BooleanSupplier gone) {
        LongWait wait = new LongWait(desk, slice, waitMillis, enough, gone);
        wait.next();
        return wait.answered;
    }

    private long leftMillis() {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime()));
    }

    private void next() {
        int millis = (int) Math.min(leftMillis(), QueueLimits.MAX_WAIT_MILLIS);
        long from = System.nanoTime();
        var unused = desk.ask(n -> slice.of(n, millis), millis).whenComplete((answer, failure) -> {
            if (failure != null) {
                answered.completeExceptionally(failure);
                return;
            }
            // The queues let only so many wait: asking again at once would be no better.
            boolean hasWaited = System.nanoTime() - from >= TimeUnit.MILLISECONDS.toNanos(millis) / 2;
            try {
                if (!enough.test(answer) && hasWaited && leftMillis() > LEAST_MILLIS && !gone.getAsBoolean()) {
                    next();
                } else {
                    answered.complete(answer);
                }
            } catch (RuntimeException e) {
                answered.completeExceptionally(e);
            }
        });
    }
}
