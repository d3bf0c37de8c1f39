package dev.weir.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
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
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Bodies of requests about queues. */
final class QueueForms {

    private QueueForms() {}

    /** One item, or several. */
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
            List<Push> items) {

        Item item(String at) {
            refuseNested(at, items);
            if (key != null && !StandardCharsets.UTF_8.newEncoder().canEncode(key)) {
                // It would not come back from the token of its lease.
                throw new InvalidMessage(at + "key", at + "key must not have half a surrogate pair");
            }
            Payload checked = carried(at + "payload", payload);
            Again rule = again == null || again.isNull() ? null : strict(at + "again", again, Again.class);
            return named(
                    at,
                    () -> new Item(
                            key, kind, owner, priority, checked, groups, notBefore, expiresAt, rule, facts, ifPresent));
        }
    }

    /** What a question for an answer has beside an item. */
    record Wanted(Double maxAgeS, Double staleS, Double waitS) {}

    /** Facts of a key or an owner, or of several. */
    record Scored(String key, String owner, Map<String, Double> facts, List<Scored> items) {}

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
            List<Ended> items) {}

    /** One lease that goes on, or several. */
    record Extended(String token, Integer leaseS, List<Extended> items) {}

    /** A group that rests for a while. */
    record Held(String token, String group, Integer holdS) {}

    record Pop(List<String> kinds, Integer most, Double waitS) {}

    record Owner(Integer weight, Integer maxItems) {}

    record Limit(String group, Integer maxInFlight, Integer maxStarts, Integer windowS, Boolean lift) {}

    record Most(Integer most) {}

    /** Reads a message; fields that it does not know are ignored. */
    static <T> T read(Context http, Class<T> type) {
        JsonHttp.requireJson(http);
        return Json.read(http.bodyAsBytes(), type);
    }

    /**
     * Reads what is set; a field that is not known is refused, because a misspelt one would leave a default in force. No body is
     * one without fields.
     */
    static <T> T strict(Context http, Class<T> type) {
        byte[] body = http.bodyAsBytes();
        if (body.length == 0) {
            return Json.read("{}".getBytes(StandardCharsets.US_ASCII), type);
        }
        JsonHttp.requireJson(http);
        JsonNode given = Json.read(body, JsonNode.class);
        if (given.isNull()) {
            // What many generated clients send for a body that is left out.
            return Json.read("{}".getBytes(StandardCharsets.US_ASCII), type);
        }
        refuseUnknown("", given, type);
        return Json.read(body, type);
    }

    /** Reads one field of what is sent; in it a field that is not known is refused. */
    private static <T> T strict(String field, JsonNode given, Class<T> type) {
        refuseUnknown(field + ".", given, type);
        try {
            return Json.read(Json.write(given), type);
        } catch (InvalidMessage e) {
            String inner = e.field() == null ? field : field + "." + e.field();
            throw new InvalidMessage(inner, e.field() == null ? e.getMessage() : field + "." + e.getMessage(), e);
        }
    }

    private static void refuseUnknown(String at, JsonNode given, Class<?> type) {
        Map<String, Class<?>> known = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            known.put(SnakeCaseStrategy.INSTANCE.translate(component.getName()), component.getType());
        }
        given.properties().forEach(entry -> {
            Class<?> inner = known.get(entry.getKey());
            if (inner == null) {
                String name = at + entry.getKey();
                throw new InvalidMessage(
                        name, "there is no field '" + name + "' here; there are " + String.join(", ", known.keySet()));
            }
            if (inner.isRecord()) {
                refuseUnknown(at + entry.getKey() + ".", entry.getValue(), inner);
            }
        });
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

    /** Whether the body is about several. Generated clients send an empty list for none. */
    static boolean isSeveral(List<?> items, boolean hasOther) {
        if (items == null || items.isEmpty()) {
            return false;
        }
        if (hasOther) {
            throw new InvalidMessage(
                    "items", "items must stand alone: it is there for several, in place of the fields of one");
        }
        if (items.size() > QueueLimits.MAX_ITEMS || items.contains(null)) {
            throw new InvalidMessage(
                    "items", "items must be at most " + QueueLimits.MAX_ITEMS + " objects, got " + items.size());
        }
        return true;
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
