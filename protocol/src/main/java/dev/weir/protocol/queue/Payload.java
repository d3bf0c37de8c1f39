package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import java.nio.charset.StandardCharsets;

/**
 * Any JSON value, which Weir carries and does not read.
 *
 * @param json its text, at most {@link QueueLimits#MAX_PAYLOAD_BYTES} in UTF-8, with at most
 *     {@link QueueLimits#MAX_PAYLOAD_DEPTH} lists and objects in one another
 */
public record Payload(@JsonValue @JsonRawValue String json) {

    /** No payload given. */
    public static final Payload NONE = new Payload("null");

    public Payload {
        Check.required("payload", json);
        int bytes = json.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > QueueLimits.MAX_PAYLOAD_BYTES) {
            throw new InvalidMessage(
                    null, "a payload may have " + QueueLimits.MAX_PAYLOAD_BYTES + " bytes, this one has " + bytes);
        }
    }

    /** For {@link Json}. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Payload of(JsonNode value) {
        if (value == null || value.isNull()) {
            return NONE;
        }
        if (depth(value) > QueueLimits.MAX_PAYLOAD_DEPTH) {
            throw new InvalidMessage(
                    null, "a payload may be nested " + QueueLimits.MAX_PAYLOAD_DEPTH + " deep, this one is deeper");
        }
        return new Payload(value.toString());
    }

    /** No message is nested deeper than a stack bears: its reader sees to that. */
    private static int depth(JsonNode value) {
        int most = 0;
        for (JsonNode part : value) {
            most = Math.max(most, depth(part));
        }
        return value.isContainerNode() ? most + 1 : 0;
    }
}
