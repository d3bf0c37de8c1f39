package dev.weir.gateway.http;

import dev.weir.gateway.access.Token;
import dev.weir.gateway.audit.AuditLog;
import dev.weir.gateway.broker.BrokerAway;
import dev.weir.gateway.broker.Link;
import dev.weir.gateway.broker.Outcomes;
import dev.weir.protocol.Outcome;
import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import io.javalin.http.Context;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends a change to Weir and answers with its outcome, or without it when no client waits. Each step stands in the audit log. */
final class Sending {

    private static final Logger LOG = LoggerFactory.getLogger(Sending.class);
    private static final String ASKED = "weir.asked";
    private static final String ROUTINE = "weir.routine";

    /** Requests that wait take no thread, but memory and a connection. */
    private static final int MOST_WAITING = 1000;

    private static final int RETRY_SECONDS = 1;

    private final Link link;
    private final Outcomes outcomes;
    private final AuditLog audit;
    private final AtomicInteger waiting = new AtomicInteger();

    Sending(Link link, Outcomes outcomes, AuditLog audit) {
        this.link = link;
        this.outcomes = outcomes;
        this.audit = audit;
    }

    /**
     * Sends the message and lets the request be answered when its fate is known.
     *
     * @param id of the command, uid of the task
     * @param shown what the audit log shows of it; null for nothing
     */
    void send(Context http, Outcome.About about, String id, byte[] message, Object shown) {
        long waitMillis = Params.waitMillis(http);
        if (waitMillis > 0 && waiting.get() >= MOST_WAITING) {
            throw new Problem(
                            503,
                            "Too many requests wait",
                            MOST_WAITING
                                    + " requests wait for outcomes already; nothing was sent. Repeat it, or do without wait")
                    .after(RETRY_SECONDS);
        }
        Token token = Guard.token(http);
        ask(http, id, shown);
        CompletableFuture<Outcome> outcome = outcomes.next(about, id);
        var unused = outcome.thenAccept(came -> audit.outcome(token.name(), came));
        http.future(() -> link.send(about, id, message)
                .thenCompose(sent -> wait(outcome, waitMillis))
                .handle((came, failure) -> {
                    answer(http, id, came, failure);
                    return null;
                }));
    }

    /**
     * Writes to the audit log what is going to be sent; throws when that cannot be done.
     *
     * @param id as {@link #send} has it
     */
    void ask(Context http, String id, Object shown) {
        Token token = Guard.token(http);
        String what = what(http);
        try {
            audit.asked(token.name(), http.ip(), what, id, shown);
        } catch (UncheckedIOException e) {
            LOG.error("{} was not sent", what, e);
            throw new Problem(
                            503,
                            "No audit log",
                            "the gateway cannot write its audit log; nothing was sent. Its log says why")
                    .after(RETRY_SECONDS);
        }
        http.attribute(ASKED, id);
    }

    /** Null when the outcome does not come in time. */
    private CompletableFuture<Outcome> wait(CompletableFuture<Outcome> outcome, long millis) {
        if (millis == 0) {
            return CompletableFuture.completedFuture(null);
        }
        waiting.incrementAndGet();
        return outcome.copy()
                .completeOnTimeout(null, millis, TimeUnit.MILLISECONDS)
                .whenComplete((came, failure) -> waiting.decrementAndGet());
    }

    private static void answer(Context http, String id, Outcome outcome, Throwable failure) {
        if (failure != null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            LOG.warn("{} could not be sent: {}", what(http), cause.toString());
            String detail = cause instanceof BrokerAway
                    ? cause.getMessage()
                    : "the gateway failed to send it; its log says why";
            JsonHttp.problem(http, new Problem(503, "Broker away", detail, null, id).after(RETRY_SECONDS));
        } else if (outcome == null) {
            JsonHttp.write(http, 202, Map.of("id", id));
        } else {
            switch (outcome.outcome()) {
                case APPLIED -> JsonHttp.write(http, 200, outcome);
                case IGNORED -> JsonHttp.problem(http, new Problem(409, "Ignored", outcome.reason(), null, id));
                case REFUSED ->
                    JsonHttp.problem(http, new Problem(422, "Refused", outcome.reason(), outcome.field(), id));
            }
        }
    }

    /** What pilots do all the time is not written to the audit log, once it is allowed. */
    static void keepOutOfAudit(Context http) {
        http.attribute(ROUTINE, Boolean.TRUE);
    }

    /** After a request for a change: how it was answered. A stranger's request is no change and would fill the log. */
    void answered(Context http) {
        Token token = Guard.token(http);
        String method = http.method().name();
        boolean isRoutine = http.attribute(ROUTINE) != null;
        if (token == null || isRoutine || method.equals("GET") || method.equals("HEAD")) {
            return;
        }
        String id = http.attribute(ASKED);
        if (id != null) {
            audit.answered(token.name(), http.ip(), what(http), id, http.statusCode());
        } else {
            audit.denied(token.name(), http.ip(), what(http), http.statusCode());
        }
    }

    private static String what(Context http) {
        return http.method() + " " + http.path();
    }
}
