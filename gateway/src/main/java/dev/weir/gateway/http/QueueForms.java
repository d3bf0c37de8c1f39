package dev.weir.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueLimits;
import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Bodies of requests about queues. */
final class QueueForms {

    private QueueForms() {}

    /** One item, or several; or a question for the answer of one, which also says how old it may be and how long it may take. */
    record Push(
            String key,
            String kind,
            String owner,
            Integer priority,
            JsonNode payload,
            List<String> groups,
            Instant notBefore,
            Instant expiresAt,
            JsonNode again,
            Map<String, Double> facts,
            Item.IfPresent ifPresent,
            Double maxAgeS,
            Double staleS,
            Double waitS,
            List<Push> items) {

        /** Whether several are pushed. Generated clients send what the contract has as defaults. */
        boolean isSeveral() {
            return QueueForms.isSeveral(
                    items,
                    key,
                    kind,
                    owner,
                    Objects.equals(priority, QueueLimits.DEFAULT_PRIORITY) ? null : priority,
                    payload,
                    groups,
                    notBefore,
                    expiresAt,
                    again,
                    facts,
                    ifPresent == Item.IfPresent.RAISE ? null : ifPresent,
                    maxAgeS,
                    staleS,
                    waitS);
        }

        /** One to push. */
        Item item(String at) {
            refuseNested(at, items);
            if (maxAgeS != null || staleS != null || waitS != null) {
                String field = at + (maxAgeS != null ? "max_age_s" : staleS != null ? "stale_s" : "wait_s");
                throw new InvalidMessage(field, field + " goes with a question: POST /answer/{queue}");
            }
            return asked(at);
        }

        /** The item of a question. */
        Item asked(String at) {
            Payload checked = carried(at + "payload", payload);
            Again rule = again == null || again.isNull() ? null : strict(at + "again", again, Again.class);
            return named(
                    at,
                    () -> new Item(
                            key, kind, owner, priority, checked, groups, notBefore, expiresAt, rule, facts, ifPresent));
        }
    }

    /** Facts of a key or an owner, or of several. */
    record Scored(String key, String owner, Map<String, Double> facts, List<Scored> items) {

        boolean isSeveral() {
            return QueueForms.isSeveral(items, key, owner, facts);
        }
    }

    /** The end of one lease, or of several; {@code push} has a queue and the fields of an item. */
    record Ended(
            String token,
            End end,
            JsonNode result,
            String error,
            Boolean retry,
            Integer freshS,
            Integer staleS,
            String digest,
            Instant next,
            List<JsonNode> push,
            List<Ended> items) {

        boolean isSeveral() {
            return QueueForms.isSeveral(items, token, end, result, error, retry, freshS, staleS, digest, next, push);
        }
    }

    /** One lease that goes on, or several. */
    record Extended(String token, Integer leaseS, List<Extended> items) {

        boolean isSeveral() {
            return QueueForms.isSeveral(items, token, leaseS);
        }
    }

    /** A group that rests for a while. */
    record Held(String token, String group, Integer holdS) {}

    record Pop(List<String> kinds, Integer most, Double waitS) {}

    record Owner(Integer weight, Integer maxItems) {}

    record Limit(String group, Integer maxInFlight, Integer maxStarts, Integer windowS, Boolean lift) {}

    record Most(Integer most) {}

    /** Reads a message; a field that it does not know is refused. */
    static <T> T read(Context http, Class<T> type) {
        JsonHttp.requireJson(http);
        return Json.readStrict(http.bodyAsBytes(), type);
    }

    /** The same; no body is one without fields. */
    static <T> T orNone(Context http, Class<T> type) {
        byte[] body = http.bodyAsBytes();
        if (body.length == 0) {
            return Json.read("{}".getBytes(StandardCharsets.US_ASCII), type);
        }
        JsonHttp.requireJson(http);
        // What many generated clients send for a body that is left out.
        boolean isNull = Json.read(body, JsonNode.class).isNull();
        return Json.readStrict(isNull ? "{}".getBytes(StandardCharsets.US_ASCII) : body, type);
    }

    /** Reads one field of what is sent; in it a field that is not known is refused. */
    private static <T> T strict(String field, JsonNode given, Class<T> type) {
        try {
            return Json.readStrict(Json.write(given), type);
        } catch (InvalidMessage e) {
            String inner = e.field() == null ? field : field + "." + e.field();
            throw new InvalidMessage(inner, e.field() == null ? e.getMessage() : field + "." + e.getMessage(), e);
        }
    }

    /** For a change that its path says all about. */
    static void none(Context http) {
        byte[] body = http.bodyAsBytes();
        if (body.length > 0) {
            JsonHttp.requireJson(http);
            JsonNode given = Json.read(body, JsonNode.class);
            if (!given.isNull() && !(given.isObject() && given.isEmpty())) {
                throw new InvalidMessage(null, "the body must be empty: the path says all");
            }
        }
    }

    /**
     * Whether the body is about several. Generated clients send an empty list for none.
     *
     * @param others all its other fields: what is said beside several would be heard by none of them
     */
    static boolean isSeveral(List<?> items, Object... others) {
        if (items == null || items.isEmpty()) {
            return false;
        }
        if (!Arrays.stream(others).allMatch(QueueForms::isUnsaid)) {
            throw new InvalidMessage(
                    "items", "items must stand alone: it is there for several, in place of the fields of one");
        }
        if (items.size() > QueueLimits.MAX_ITEMS || items.contains(null)) {
            throw new InvalidMessage(
                    "items", "items must be at most " + QueueLimits.MAX_ITEMS + " objects, got " + items.size());
        }
        return true;
    }

    private static boolean isUnsaid(Object value) {
        return value == null
                || value instanceof JsonNode json && json.isNull()
                || value instanceof Collection<?> list && list.isEmpty()
                || value instanceof Map<?, ?> fields && fields.isEmpty();
    }

    static void refuseNested(String at, List<?> items) {
        if (items != null && !items.isEmpty() && !at.isEmpty()) {
            throw new InvalidMessage(at + "items", "items must not contain items");
        }
    }

    /** Gives a failure the place of what it is about. */
    static <T> T named(String at, Supplier<T> made) {
        try {
            return made.get();
        } catch (InvalidMessage e) {
            throw at.isEmpty() || e.field() == null ? e : new InvalidMessage(at + e.field(), at + e.getMessage(), e);
        }
    }

    /** The value as it travels; throws a {@link Problem} when it is too large. */
    static Payload carried(String field, JsonNode value) {
        if (value == null || value.isNull()) {
            return Payload.NONE;
        }
        if (depth(value, 0) > QueueLimits.MAX_PAYLOAD_DEPTH) {
            throw new InvalidMessage(field, field + " may be nested " + QueueLimits.MAX_PAYLOAD_DEPTH + " deep");
        }
        String json = value.toString();
        int bytes = json.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > QueueLimits.MAX_PAYLOAD_BYTES) {
            throw new Problem(
                    413,
                    "Too large",
                    field + " may have " + QueueLimits.MAX_PAYLOAD_BYTES + " bytes, this one has " + bytes,
                    field,
                    null);
        }
        return new Payload(json);
    }

    private static int depth(JsonNode value, int above) {
        if (!value.isContainerNode()) {
            return above;
        }
        int deepest = above + 1;
        for (JsonNode child : value) {
            deepest = Math.max(deepest, depth(child, above + 1));
        }
        return deepest;
    }
}
