package dev.weir.gateway.queues;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.weir.protocol.queue.LastAnswer;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/** Gets the last results of keys: those that are fresh from memory, others from the queues. Safe for use from many threads. */
public final class AnswerDesk {

    /** Requests that wait for answers. */
    public static final int MOST = 10_000;

    /** Those of one client. */
    public static final int MOST_OF_CLIENT = 100;

    private final AskedTogether asked;
    private final FreshAnswers fresh;
    private final Ticker ticker;
    private final Semaphore places = new Semaphore(MOST);
    private final Map<String, Integer> waiting = new ConcurrentHashMap<>();
    private final Counter kept;

    public AnswerDesk(Asking asking, FreshAnswers fresh, Ticker ticker, MeterRegistry registry) {
        this.fresh = fresh;
        this.ticker = ticker;
        asked = new AskedTogether(asking, fresh, ticker);
        kept = Counter.builder("weir_gateway_answers_kept")
                .description(
                        "Questions for the answer of a key that were answered from memory, without asking the queues.")
                .register(registry);
        Gauge.builder("weir_gateway_answers_waiting", () -> MOST - places.availablePermits())
                .description("Requests that wait for the answer of a key.")
                .register(registry);
    }

    /**
     * Completes with the answer of the queues; fails with {@link TooManyAsk}, or as {@link QueueDesk#ask}.
     *
     * @param client whose requests are counted together
     * @param waitMillis how long to wait until there is an answer
     * @param gone whether the client has gone; must not block
     */
    public CompletableFuture<QueueAnswer> ask(String client, Question question, long waitMillis, BooleanSupplier gone) {
        LastAnswer found = fresh.find(question.queue(), question.item().key());
        if (found != null && question.accepts(found.ageMs())) {
            kept.increment();
            return CompletableFuture.completedFuture(QueueAnswer.answered(0, Status.FRESH, found));
        }
        if (!places.tryAcquire()) {
            return CompletableFuture.failedFuture(new TooManyAsk(MOST, ""));
        }
        if (waiting.merge(client, 1, Integer::sum) > MOST_OF_CLIENT) {
            leave(client);
            return CompletableFuture.failedFuture(new TooManyAsk(MOST_OF_CLIENT, " of this token"));
        }
        return new AnswerWait(asked, question, waitMillis, gone, ticker)
                .begin()
                .whenComplete((answer, failure) -> leave(client));
    }

    private void leave(String client) {
        waiting.computeIfPresent(client, (same, count) -> count == 1 ? null : count - 1);
        places.release();
    }
}
