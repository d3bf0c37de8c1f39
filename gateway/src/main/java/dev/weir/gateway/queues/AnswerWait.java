package dev.weir.gateway.queues;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueLimits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One who waits for an answer for longer than the queues let one wait: it asks in parts. Only in the last one it takes an answer that is
 * no longer fresh, so that it gets none while a fresh one may still come.
 */
final class AnswerWait {

    /** What is left is not worth a question. */
    static final long LEAST_MILLIS = 5;

    /** At least so long between two questions of one wait: so a key costs at most two such questions a second. */
    static final long LEAST_AGAIN_MILLIS = 500;

    private final AskedTogether asked;
    private final Question question;
    private final BooleanSupplier gone;
    private final Ticker ticker;
    private final long fromNanos;
    private final long endNanos;
    private final CompletableFuture<QueueAnswer> answered = new CompletableFuture<>();

    AnswerWait(AskedTogether asked, Question question, long waitMillis, BooleanSupplier gone, Ticker ticker) {
        this.asked = asked;
        this.question = question;
        this.gone = gone;
        this.ticker = ticker;
        fromNanos = ticker.read();
        endNanos = fromNanos + TimeUnit.MILLISECONDS.toNanos(waitMillis);
    }

    CompletableFuture<QueueAnswer> begin() {
        next(true, 0);
        return answered;
    }

    private long leftMillis() {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(endNanos - ticker.read()));
    }

    /** What is asked now: an answer that has come since the first part is young enough. */
    private Question now() {
        return question.after(TimeUnit.NANOSECONDS.toMillis(ticker.read() - fromNanos));
    }

    private void next(boolean isFirst, long leastMillis) {
        long left = Math.max(leastMillis, leftMillis());
        boolean isLast = left <= QueueLimits.MAX_WAIT_MILLIS;
        int millis = (int) Math.min(left, QueueLimits.MAX_WAIT_MILLIS);
        Question part = isLast ? now() : now().freshOnly();
        long partEndNanos = ticker.read() + TimeUnit.MILLISECONDS.toNanos(millis);
        then(asked.ask(part, millis, isFirst), came -> take(came, isLast, partEndNanos));
    }

    private void take(AskedTogether.Part came, boolean wasLast, long partEndNanos) {
        QueueAnswer answer = came.answer();
        // Others, with whom this was asked, waited for less.
        boolean isEarly = came.isOver() && partEndNanos - ticker.read() > TimeUnit.MILLISECONDS.toNanos(LEAST_MILLIS);
        boolean isInVain = answer.status() == Status.PENDING && came.hasWaited();
        if ((isInVain || isEarly && answer.status() == Status.OLD) && isWorthMore()) {
            next(false, isEarly ? LEAST_AGAIN_MILLIS : 0);
        } else if (!wasLast && question.takesStale() && !isAnswer(answer)) {
            // No fresh one comes: one that is not fresh may be there.
            then(asked.ask(now().ofTheKept(), 0, false), kept -> {
                answered.complete(isAnswer(kept.answer()) ? kept.answer() : answer);
            });
        } else {
            answered.complete(answer);
        }
    }

    private boolean isWorthMore() {
        return leftMillis() > LEAST_MILLIS && !gone.getAsBoolean();
    }

    private static boolean isAnswer(QueueAnswer answer) {
        return answer.status() == Status.FRESH || answer.status() == Status.OLD;
    }

    private void then(CompletableFuture<AskedTogether.Part> coming, Consumer<AskedTogether.Part> next) {
        var unused = coming.whenComplete((came, failure) -> {
            if (failure != null) {
                answered.completeExceptionally(failure);
                return;
            }
            try {
                next.accept(came);
            } catch (RuntimeException e) {
                answered.completeExceptionally(e);
            }
        });
    }
}
