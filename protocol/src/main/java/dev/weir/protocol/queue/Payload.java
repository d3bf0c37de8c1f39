package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import java.io.IOException;
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
            try {
                return new Payload(copy(parser));
            } catch (InvalidMessage e) {
                throw context.instantiationException(Payload.class, e);
            }
        }

        /** By hand: each item that a queue is given or gives comes through here, and would need a generator with buffers of its own. */
        private static String copy(JsonParser parser) throws IOException {
            StringBuilder text = new StringBuilder();
            int depth = 0;
            while (true) {
                JsonToken token = parser.currentToken();
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (depth > QueueLimits.MAX_PAYLOAD_DEPTH) {
                    throw new InvalidMessage(
                            null,
                            "a payload may be nested " + QueueLimits.MAX_PAYLOAD_DEPTH + " deep, this one is deeper");
                }
                if (!token.isStructEnd() && isAfterValue(text)) {
                    text.append(',');
                }
                copy(token, parser, text);
                if (depth == 0) {
                    return text.toString();
                }
                parser.nextToken();
            }
        }

        private static boolean isAfterValue(StringBuilder text) {
            return !text.isEmpty() && "{[:".indexOf(text.charAt(text.length() - 1)) < 0;
        }

        private static void copy(JsonToken token, JsonParser parser, StringBuilder text) throws IOException {
            switch (token) {
                case FIELD_NAME -> quote(parser.currentName(), text).append(':');
                case VALUE_STRING -> quote(parser.getText(), text);
                // A number that Java has no type for would come out as another one.
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> text.append(parser.getText());
                default -> text.append(token.asString());
            }
        }

        private static StringBuilder quote(String value, StringBuilder text) {
            text.append('"');
            JsonStringEncoder.getInstance().quoteAsString(value, text);
            return text.append('"');
        }
    }
}
