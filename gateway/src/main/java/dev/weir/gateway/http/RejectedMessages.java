package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.OPERATOR;

import dev.weir.gateway.access.Scope;
import dev.weir.gateway.broker.BrokerAway;
import dev.weir.gateway.broker.Link;
import dev.weir.gateway.broker.NotOurs;
import dev.weir.gateway.broker.RejectedMessage;
import dev.weir.gateway.broker.RejectedQueue;
import dev.weir.protocol.Rejected;
import dev.weir.protocol.Urls;
import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/** Messages that Weir rejected: operators read them, send them again, as they are or corrected, and drop them. */
final class RejectedMessages {

    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
    private static final int SHOWN_CHARACTERS = 200;

    private final Link link;
    private final Sending sending;

    RejectedMessages(Link link, Sending sending) {
        this.link = link;
        this.sending = sending;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/rejected", this::list, OPERATOR);
        routes.get("/rejected/{id}", this::message, OPERATOR);
        routes.delete("/rejected/{id}", this::drop, OPERATOR);
        routes.post("/rejected/{id}/resend", this::resend, OPERATOR);
        routes.exception(
                NotOurs.class,
                (e, http) -> JsonHttp.problem(http, new Problem(422, "Not sent by the gateway", e.getMessage())));
        routes.exception(BrokerAway.class, (e, http) -> {
            http.header("Retry-After", "1");
            JsonHttp.problem(http, new Problem(503, "Broker away", e.getMessage()));
        });
    }

    private void list(Context http) {
        Params.allow(http, "limit");
        int limit = Params.limit(http);
        List<Map<String, Object>> data = new ArrayList<>();
        int messages = link.rejected().look(message -> {
            data.add(shown(message));
            return data.size() < limit;
        });
        Tagged.write(http, Map.of("data", data, "messages", messages));
    }

    private static Map<String, Object> shown(RejectedMessage message) {
        Rejected about = message.about();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", message.id());
        shown.put("reason", Urls.withoutSecrets(about.reason()));
        if (about.field() != null) {
            shown.put("field", about.field());
        }
        shown.put("queue", about.queue());
        if (about.receivedAt() != null) {
            shown.put("received_at", about.receivedAt());
        }
        shown.put("bytes", message.body().length);
        shown.put("cut", message.isCut());
        shown.put("begin", Urls.withoutSecrets(message.begin(SHOWN_CHARACTERS)));
        return shown;
    }

    private void message(Context http) {
        Params.allow(http);
        String id = id(http);
        AtomicReference<RejectedMessage> found = new AtomicReference<>();
        link.rejected().look(message -> {
            if (message.id().equals(id)) {
                found.set(message);
            }
            return found.get() == null;
        });
        RejectedMessage message = Optional.ofNullable(found.get()).orElseThrow(() -> gone(id));
        http.header("Content-Disposition", "attachment; filename=\"" + id + ".json\"");
        Tagged.write(http, "application/octet-stream", message.body());
    }

    private static String id(Context http) {
        String id = http.pathParam("id");
        if (!ID.matcher(id).matches()) {
            throw gone(id);
        }
        return id;
    }

    private static Problem gone(String id) {
        return new Problem(
                404,
                "No such message",
                "there is no message '" + id + "' among the oldest " + RejectedQueue.MOST
                        + " rejected ones; it may have been sent again or dropped, or somebody else looks at it now");
    }

    private static void requireNoScope(Context http) {
        if (!Guard.token(http).scope().equals(Scope.ALL)) {
            throw new Problem(
                    403,
                    "Not in the token's scope",
                    "a rejected message can be about anything, so a token with a scope may neither send nor drop it");
        }
    }

    /** The audit log keeps why it was rejected and its begin: nothing else is left of it. */
    private void drop(Context http) {
        Params.allow(http);
        String id = id(http);
        requireNoScope(http);
        boolean found = link.rejected().move(id, message -> {
            sending.ask(http, id, shown(message));
            return CompletableFuture.completedFuture(null);
        });
        if (!found) {
            throw gone(id);
        }
        JsonHttp.write(http, 200, Map.of("id", id));
    }

    /** Empty for none. Generated clients send null then, which no message is. */
    private static byte[] corrected(Context http) {
        byte[] body = http.bodyAsBytes();
        if (body.length > 0) {
            JsonHttp.requireJson(http);
        }
        return new String(body, StandardCharsets.UTF_8).strip().equals("null") ? new byte[0] : body;
    }

    /** What is in the body of the request replaces what was rejected. */
    private void resend(Context http) {
        Params.allow(http);
        String id = id(http);
        requireNoScope(http);
        byte[] corrected = corrected(http);
        Map<String, Object> answer = new LinkedHashMap<>();
        boolean found = link.rejected().move(id, message -> {
            if (corrected.length == 0 && message.isCut()) {
                throw new Problem(
                        422,
                        "Cut",
                        "only the first 64 KiB of this message are there; send the whole one in the body of the request",
                        null,
                        id);
            }
            byte[] body = corrected.length == 0 ? message.body() : corrected;
            String queue = message.about().queue();
            answer.put("id", id);
            answer.put("queue", queue);
            Map<String, Object> shown = new LinkedHashMap<>(answer);
            shown.put("corrected", corrected.length > 0);
            sending.ask(http, id, shown);
            return link.sendAgain(queue, "rejected-" + id, body);
        });
        if (!found) {
            throw gone(id);
        }
        JsonHttp.write(http, 200, answer);
    }
}
