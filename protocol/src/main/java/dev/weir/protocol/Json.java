package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;

/**
 * Bytes to messages and back: UTF-8 JSON, snake_case names, one object per message. Unknown fields are ignored, except in commands and by {@link #readStrict}; a field of
 * the wrong type, a second object or an oversized body is an {@link InvalidMessage}. Thread-safe.
 */
public final class Json {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .serializationInclusion(JsonInclude.Include.NON_NULL)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // What passes through a tree keeps the digits of its numbers.
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .withCoercionConfig(
                    LogicalType.Textual,
                    text -> text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .withCoercionConfig(
                    LogicalType.Enum, name -> name.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail))
            .addModule(new TimeModule())
            .build();

    private static final ObjectReader LENIENT = MAPPER.reader();
    private static final ObjectReader STRICT = MAPPER.reader(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private Json() {}

    /** The mapper itself, for streams and trees; do not reconfigure it. */
    public static ObjectMapper mapper() {
        return MAPPER;
    }

    /** Reads one message from the wire. Throws only {@link InvalidMessage}, for any bytes. */
    public static <T> T read(byte[] body, Class<T> type) {
        return read(body, type, LENIENT);
    }

    /** The same; a field that it does not know is refused, because a misspelt one would leave a default in force. */
    public static <T> T readStrict(byte[] body, Class<T> type) {
        return read(body, type, STRICT);
    }

    /**
     * Reads what {@link #write} wrote for ourselves, of any length: written again a message may be longer than it came, because other
     * writers escape less and leave defaults out. Throws only {@link InvalidMessage}.
     */
    public static <T> T readKept(byte[] body, Class<T> type) {
        return parsed(body, type, LENIENT);
    }

    private static <T> T read(byte[] body, Class<T> type, ObjectReader reader) {
        if (body.length > Limits.MAX_MESSAGE_BYTES) {
            throw new InvalidMessage(
                    null, "a message may have " + Limits.MAX_MESSAGE_BYTES + " bytes, this one has " + body.length);
        }
        return parsed(body, type, reader);
    }

    private static <T> T parsed(byte[] body, Class<T> type, ObjectReader reader) {
        try {
            T message = reader.forType(type).readValue(body);
            if (message == null) {
                throw new InvalidMessage(null, "the message is null; it must be a JSON object");
            }
            return message;
        } catch (ValueInstantiationException e) {
            throw invalid(e);
        } catch (JsonMappingException e) {
            String field = path(e);
            throw new InvalidMessage(field, (field == null ? "the message" : field) + " " + WrongType.said(e), e);
        } catch (JsonProcessingException e) {
            throw new InvalidMessage(null, "not JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new InvalidMessage(null, "not JSON: " + e.getMessage(), e);
        } catch (StackOverflowError e) {
            throw new InvalidMessage(null, "the message is nested too deeply", e);
        }
    }

    public static byte[] write(Object message) {
        try {
            return MAPPER.writeValueAsBytes(message);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("cannot write " + message.getClass().getName() + " as JSON", e);
        }
    }

    private static InvalidMessage invalid(ValueInstantiationException e) {
        String parent = path(e);
        if (e.getCause() instanceof InvalidMessage own) {
            String field = parent == null ? own.field() : own.field() == null ? parent : parent + "." + own.field();
            return new InvalidMessage(field, own.getMessage(), own);
        }
        return new InvalidMessage(parent, e.getOriginalMessage(), e);
    }

    /** The path of the invalid value as spelled on the wire, e.g. {@code targets[3].name}; null at the root. */
    private static String path(JsonMappingException e) {
        String path = e.getPath().stream()
                .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                .collect(Collectors.joining());
        return path.isEmpty() ? null : path.startsWith(".") ? path.substring(1) : path;
    }
}
