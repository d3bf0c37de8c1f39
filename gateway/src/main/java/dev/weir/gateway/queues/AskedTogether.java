package dev.weir.gateway.queues;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
    /** What is asked now. */
    private final Map<Kind, Flight> flights = new ConcurrentHashMap<>();

    /**
     * What came of one part of a wait.
     *
     * @param hasWaited false when the answer came at once, as when the queues let no more wait
     * @param isOver whether the queues took all the time that they had
     */
    record Part(QueueAnswer answer, boolean hasWaited, boolean isOver) {}

    /** Those of one kind can be asked together. The question has no age. */
    private record Kind(Question question, boolean isFirst) {}

    /** One who waits for a flight, and until when it would. */
    private record Waiting(long endNanos, CompletableFuture<Part> part) {}

    private static final class Flight {
        final Question question;
        final boolean isFirst;
        final long fromNanos;
        final long endNanos;
        /** Nobody joins it any more once it is not among the flights. */
        final List<Waiting> waiting = new ArrayList<>();

        Flight(Question question, boolean isFirst, long fromNanos, int millis) {
            this.question = question;
            this.isFirst = isFirst;
            this.fromNanos = fromNanos;
            endNanos = fromNanos + TimeUnit.MILLISECONDS.toNanos(millis);
        }

        Kind kind() {
            return new Kind(question.anyAge(), isFirst);
        }

        /**
         * Whether it brings what another one of its kind asks for, in time. Who asks first may be content with what is kept, unlike one that
         * wants a younger answer; from the second part on all wait for new work.
         */
        boolean serves(Flight other) {
            boolean isInTime = endNanos - other.endNanos <= SLACK_NANOS && other.fromNanos - endNanos <= LATE_NANOS;
            return isInTime && (!isFirst || Objects.equals(question.maxAgeMs(), other.question.maxAgeMs()));
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
        CompletableFuture<Part> part = new CompletableFuture<>();
        Flight flight = flights.compute(mine.kind(), (same, other) -> {
            Flight joined = other != null && other.serves(mine) ? other : mine;
            joined.waiting.add(new Waiting(mine.endNanos, part));
            return joined;
        });
        if (flight == mine) {
            begin(mine, millis);
        }
        return part;
    }

    private void begin(Flight flight, int millis) {
        CompletableFuture<QueueAnswer> coming;
        try {
            coming = asking.ask(n -> flight.question.entry(n, millis), millis);
        } catch (RuntimeException e) {
            coming = CompletableFuture.failedFuture(e);
        }
        var unused = coming.whenComplete((answer, failure) -> {
            flights.remove(flight.kind(), flight);
            if (failure != null) {
                flight.waiting.forEach(one -> one.part.completeExceptionally(failure));
                return;
            }
            if (answer.status() == Status.FRESH) {
                // Here and not later: a removal that is answered after this must find it.
                fresh.keep(flight.question.queue(), flight.question.item().key(), answer.answer(), flight.fromNanos);
            }
            long waited = ticker.read() - flight.fromNanos;
            long most = flight.endNanos - flight.fromNanos;
            long leastNanos = TimeUnit.MILLISECONDS.toNanos(AnswerWait.LEAST_MILLIS);
            // An item that goes before its end brings an answer early too.
            long atOnceNanos = TimeUnit.MILLISECONDS.toNanos(AnswerWait.LEAST_AGAIN_MILLIS);
            Part part = new Part(answer, waited >= Math.min(most / 2, atOnceNanos), waited + leastNanos >= most);
            // Whose time ends first asks again first, so that the others join it.
            flight.waiting.sort(Comparator.comparingLong(one -> one.endNanos - flight.fromNanos));
            flight.waiting.forEach(one -> one.part.complete(part));
        });
    }
}
