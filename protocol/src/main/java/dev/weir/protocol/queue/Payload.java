package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/**
 * Any JSON value, which Weir carries and does not read.
 *
 * @param json its text, at most {@link QueueLimits#MAX_PAYLOAD_BYTES} in UTF-8, with at most
 *     {@link QueueLimits#MAX_PAYLOAD_DEPTH} lists and objects in one another
 */
@JsonDeserialize(using = Payload.Reader.class)
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
        Check.characters(null, json);
    }

    /** Copies the value without white space, and numbers as they are spelled. */
    static final class Reader extends StdDeserializer<Payload> {

        private static final long serialVersionUID = 1;

        Reader() {
            super(Payload.class);
        }

        @Override
        public Payload deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            StringWriter text = new StringWriter();
            try (JsonGenerator copy = Json.mapper().createGenerator(text)) {
                copy(parser, copy);
                copy.flush();
                return new Payload(text.toString());
            } catch (InvalidMessage e) {
                throw context.instantiationException(Payload.class, e);
            }
        }

        private static void copy(JsonParser parser, JsonGenerator copy) throws IOException {
            int depth = 0;
            while (true) {
                if (parser.currentToken().isStructStart()) {
                    depth++;
                } else if (parser.currentToken().isStructEnd()) {
                    depth--;
                }
                if (depth > QueueLimits.MAX_PAYLOAD_DEPTH) {
                    throw new InvalidMessage(
                            null,
                            "a payload may be nested " + QueueLimits.MAX_PAYLOAD_DEPTH + " deep, this one is deeper");
                }
                if (parser.currentToken().isNumeric()) {
                    // A number that Java has no type for would come out as another one.
                    copy.writeNumber(parser.getText());
                } else {
                    copy.copyCurrentEvent(parser);
                }
                if (depth == 0) {
                    return;
                }
                parser.nextToken();
            }
        }
    }
}
