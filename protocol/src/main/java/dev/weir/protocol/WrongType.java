package dev.weir.protocol;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.type.TypeFactory;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;

/** Messages about fields of the wrong type, in the terms of the protocol instead of the JSON library. */
final class WrongType {

    private static final int MAX_SHOWN = 60;

    private WrongType() {}

    /** A predicate to follow the field's name. */
    static String said(JsonMappingException e) {
        if (e instanceof InvalidTypeIdException unknown) {
            return unknown.getTypeId() == null
                    ? "has no type that says what it is"
                    : "has the unknown type '" + shown(unknown.getTypeId()) + "'";
        }
        if (e instanceof UnrecognizedPropertyException unknown) {
            return "is not a field here; there are "
                    + unknown.getKnownPropertyIds().stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(", "));
        }
        if (e instanceof InvalidFormatException wrong && wrong.getTargetType() != null) {
            return "must be " + expected(wrong.getTargetType()) + ", got '" + shown(wrong.getValue()) + "'";
        }
        if (e instanceof MismatchedInputException wrong && wrong.getTargetType() != null) {
            return "must be " + expected(wrong.getTargetType());
        }
        return "cannot be read: " + e.getOriginalMessage();
    }

    private static String expected(Class<?> type) {
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> Json.mapper().valueToTree(constant).asText())
                            .collect(Collectors.joining(", "));
        }
        JavaType known = TypeFactory.defaultInstance().constructType(type);
        if (type == String.class) {
            return "a string";
        } else if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        } else if (type == Integer.class || type == int.class || type == Long.class || type == long.class) {
            return "a whole number";
        } else if (type == Double.class || type == double.class) {
            return "a number";
        } else if (type == Instant.class) {
            return "a time: ISO 8601 with an offset, or a number since 1970, in the years 1 to 9999";
        } else if (known.isCollectionLikeType() || Collection.class.isAssignableFrom(type)) {
            return "a list";
        }
        return "a JSON object";
    }

    private static String shown(Object value) {
        String text = String.valueOf(value);
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
    }
}
