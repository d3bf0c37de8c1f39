package dev.weir.gateway.queues;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Asks the queues for answers, and once for all that ask the same at the same time. Safe for use from many threads. */
final class AskedTogether {

    /** One whose time is over may wait so much longer together with others. */
    private static final long SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** An answer that is later than this may have been made long ago: who asks now wants a newer one. */
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Asking asking;
    private final FreshAnswers fresh;
    private final Ticker ticker;
    /** By question without age: what is asked now. */
    private final Map<Question, Flight> flights = new ConcurrentHashMap<>();

    /** What came of one part of a wait. */
    record Part(QueueAnswer answer, boolean hasWaited) {}

    private static final class Flight {
        final Question question;
        final boolean isFirst;
        final long fromNanos;
        final long endNanos;
        final CompletableFuture<Part> part = new CompletableFuture<>();

        Flight(Question question, boolean isFirst, long fromNanos, int millis) {
            this.question = question;
            this.isFirst = isFirst;
            this.fromNanos = fromNanos;
            endNanos = fromNanos + TimeUnit.MILLISECONDS.toNanos(millis);
        }

        /**
         * Whether it brings what another one asks for, in time. Who asks first may be content with what is kept, unlike one that
         * wants a younger answer; from the second part on all wait for new work.
         */
        boolean serves(Flight other) {
            boolean isInTime = endNanos - other.endNanos <= SLACK_NANOS && other.fromNanos - endNanos <= LATE_NANOS;
            // What is no longer fresh is given when the time is over, and that is not before the other's.
            isInTime &= !question.takesStale() || other.endNanos - Math.max(endNanos, other.fromNanos) <= SLACK_NANOS;
            boolean isSameAge = Objects.equals(question.maxAgeMs(), other.question.maxAgeMs());
            return isInTime && (isFirst == other.isFirst && isSameAge || !isFirst && !other.isFirst);
        }
    }

    AskedTogether(Asking asking, FreshAnswers fresh, Ticker ticker) {
        this.asking = asking;
        this.fresh = fresh;
        this.ticker = ticker;
    }

    /**
     * One part of a wait.
     *
     * @param isFirst false for the second part and those after it
     */
    CompletableFuture<Part> ask(Question question, int millis, boolean isFirst) {
        Flight mine = new Flight(question, isFirst, ticker.read(), millis);
        Flight flight =
                flights.compute(question.anyAge(), (same, other) -> other != null && other.serves(mine) ? other : mine);
        if (flight == mine) {
            begin(mine, millis);
        }
        return flight.part;
    }

    private void begin(Flight flight, int millis) {
        CompletableFuture<QueueAnswer> coming;
        try {
            coming = asking.ask(n -> flight.question.entry(n, millis), millis);
        } catch (RuntimeException e) {
            coming = CompletableFuture.failedFuture(e);
        }
        var unused = coming.whenComplete((answer, failure) -> {
            flights.remove(flight.question.anyAge(), flight);
            if (failure != null) {
                flight.part.completeExceptionally(failure);
                return;
            }
            if (answer.status() == Status.FRESH) {
                // Here and not later: a removal that is answered after this must find it.
                fresh.keep(flight.question.queue(), flight.question.item().key(), answer.answer(), flight.fromNanos);
            }
            long waited = ticker.read() - flight.fromNanos;
            boolean hasWaited = waited >= TimeUnit.MILLISECONDS.toNanos(millis) / 2;
            flight.part.complete(new Part(answer, hasWaited));
        });
    }
}
