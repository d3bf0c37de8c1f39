package dev.weir.gateway.http;

import dev.weir.gateway.broker.BrokerAway;
import dev.weir.gateway.broker.NoQueues;
import dev.weir.gateway.queues.TooManyAsk;
import dev.weir.gateway.queues.TooManyUnanswered;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import io.javalin.http.Context;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the queues answer, as it is answered over HTTP. */
final class QueueReplies {

    private static final Logger LOG = LoggerFactory.getLogger(QueueReplies.class);

    /** Of a queue that is full: it takes some items to make room. */
    private static final String RETRY_FULL_SECONDS = "5";

    private QueueReplies() {}

    /** Answers at once if the answer is there, as a fresh one is; else lets the request wait without a thread. Then may throw {@link Problem}. */
    static <T> void reply(Context http, CompletableFuture<T> coming, Consumer<T> then) {
        if (coming.isDone()) {
            var unused = coming.handle((answer, failure) -> settle(http, answer, failure, then))
                    .join();
        } else {
            http.future(() ->
                    coming.handleAsync((answer, failure) -> settle(http, answer, failure, then), Client.threads(http)));
        }
    }

    private static <T> Void settle(Context http, T answer, Throwable failure, Consumer<T> then) {
        try {
            if (failure != null) {
                throw problem(http, failure);
            }
            then.accept(answer);
        } catch (Problem e) {
            JsonHttp.problem(http, e);
        }
        return null;
    }

    /** As {@link #reply}; a refusal of the queues becomes a problem document. */
    static void replyDone(Context http, CompletableFuture<QueueAnswer> coming, Consumer<QueueAnswer> then) {
        reply(http, coming, answer -> {
            requireDone(http, answer);
            then.accept(answer);
        });
    }

    /** Completes when all have; fails if one does. */
    static CompletableFuture<List<QueueAnswer>> all(List<CompletableFuture<QueueAnswer>> coming) {
        return CompletableFuture.allOf(coming.toArray(CompletableFuture[]::new))
                .thenApply(all -> coming.stream().map(CompletableFuture::join).toList());
    }

    static void requireDone(Context http, QueueAnswer answer) {
        switch (answer.status()) {
            case FULL -> {
                http.header("Retry-After", RETRY_FULL_SECONDS);
                throw new Problem(429, "Full", answer.reason());
            }
            case REFUSED -> throw new Problem(422, "Refused", answer.reason(), answer.field(), null);
            case UNKNOWN -> throw new Problem(404, "No such thing", answer.reason());
            case STALE -> throw new Problem(409, "Lease over", answer.reason());
            default -> {}
        }
    }

    private static Problem problem(Context http, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof TimeoutException) {
            return new Problem(
                    504,
                    "No answer in time",
                    "the queues did not answer in time; it may have been done. Push and done can be sent again; 409 to a done that was sent before"
                            + " means that the lease has ended, perhaps by that");
        }
        if (cause instanceof Problem known) {
            return known;
        }
        if (cause instanceof InvalidMessage e) {
            return Problem.of(e);
        }
        http.header("Retry-After", "1");
        if (cause instanceof TooManyUnanswered || cause instanceof TooManyAsk) {
            return new Problem(429, "Too many requests wait", cause.getMessage());
        } else if (cause instanceof NoQueues) {
            return new Problem(503, "No queues", cause.getMessage());
        } else if (cause instanceof BrokerAway) {
            return new Problem(503, "Broker away", cause.getMessage());
        }
        LOG.error("{} {} failed", http.method(), http.path(), cause);
        return new Problem(503, "Broker away", "the gateway failed on this request; its log says why");
    }
}
