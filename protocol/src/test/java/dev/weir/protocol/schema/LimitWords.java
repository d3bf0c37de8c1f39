package dev.weir.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.Limits;
import dev.weir.protocol.queue.QueueLimits;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Says in words what the schema, and for texts the record, lets a field have. */
final class LimitWords {

    /** One that is not here fails the test: name it. */
    private static final Map<String, String> PATTERNS = Map.ofEntries(
            Map.entry("\\S", "not blank"),
            Map.entry("^[^/\\u0000]+$", "no `/` or NUL"),
            Map.entry("\\u0000", "no NUL"),
            Map.entry("(^|[/\\\\])\\.\\.([/\\\\]|$)|\\u0000", "no step `..`, no NUL"),
            Map.entry("(^|\\\\)\\.\\.(\\\\|$)", "no step `..`"),
            Map.entry("://", "no `://`"),
            Map.entry("^[A-Za-z][A-Za-z0-9+.-]*://[^\\s\\x00]+$", "with its scheme, no white space"),
            Map.entry("^\\s*\\S+(\\s+\\S+){4}\\s*$", "five fields of cron"),
            Map.entry("^(UTC|\\S+/\\S+)$", "`UTC` or one such as `Europe/Paris`"),
            Map.entry("^[A-Za-z0-9._:-]{0,127}\\*$", "or the beginning of one with `*` behind"));

    /** What a field may have. */
    record Words(String type, String limit) {

        Words and(Words other) {
            return new Words(type, limit + ", " + other.limit);
        }
    }

    /** Of each text that stands in an example: whether its limit counts bytes. */
    private final Map<String, Boolean> bytes = new HashMap<>();

    LimitWords() {
        for (TextFields.Field field : TextFields.all()) {
            if (!bytes.containsKey(field.name()) && field.fits()) {
                bytes.put(field.name(), field.countsBytes());
            }
        }
    }

    /** The name of the record that a field is, if it is one that has a name. */
    static String record(Fields.Field field) {
        String reference = field.parts().get(0).path("$ref").asText();
        if (reference.isEmpty() || field.parts().stream().noneMatch(part -> part.has("properties"))) {
            return null;
        }
        String name = reference.replaceAll(".*/|\\.json$", "");
        return "`" + name + "`"
                + (reference.startsWith("#") ? " of " + field.example().schema() : "");
    }

    static String about(Fields.Field field) {
        JsonNode record = field.parts().get(1);
        return record.has("title") ? ": " + record.get("title").asText().toLowerCase(Locale.ROOT) : "";
    }

    Words of(Fields.Field field, Fields.Field next) {
        if (field.is("array")) {
            Words each = of(next, null);
            String most =
                    number(field.limits("maxItems").min(BigDecimal::compareTo).orElseThrow()) + " entries";
            return new Words("list: " + each.type, each.limit.equals("–") ? most : most + ", each " + each.limit);
        }
        if (record(field) != null) {
            return new Words(record(field), "–");
        }
        Set<String> values = new LinkedHashSet<>();
        for (JsonNode part : field.parts()) {
            part.path("enum").forEach(value -> values.add("`" + value.asText() + "`"));
            if (part.has("const")) {
                values.add("`" + part.get("const").asText() + "`");
            }
        }
        if (!values.isEmpty()) {
            return new Words(values.size() == 1 ? "always" : "one of", String.join(", ", values));
        }
        return simple(field);
    }

    private Words simple(Fields.Field field) {
        String definition = field.parts().toString();
        if (definition.contains("#/$defs/payload")) {
            return new Words(
                    "any JSON",
                    number(BigDecimal.valueOf(QueueLimits.MAX_PAYLOAD_BYTES)) + " bytes, nested "
                            + QueueLimits.MAX_PAYLOAD_DEPTH + " deep");
        }
        if (definition.contains("#/$defs/facts")) {
            return new Words(
                    "numbers by uids", field.limits("maxProperties").findFirst().orElseThrow() + " numbers");
        }
        if (field.is("string") && field.is("number")) {
            return new Words("time", "the years 1 to 9999");
        }
        if (field.is("string")) {
            return text(field);
        }
        if (field.is("boolean")) {
            return new Words("`true` or `false`", "–");
        }
        return new Words(
                field.is("integer") ? "whole number" : "number",
                number(field.limits("minimum").min(BigDecimal::compareTo).orElseThrow()) + " to "
                        + number(field.limits("maximum")
                                .max(BigDecimal::compareTo)
                                .orElseThrow()));
    }

    private Words text(Fields.Field field) {
        boolean isUid = field.parts().stream().anyMatch(TextFields::isUid);
        Set<String> rules = new LinkedHashSet<>();
        if (field.parts().stream().anyMatch(part -> part.path("not").has("enum"))) {
            rules.add("not `.`");
        }
        for (JsonNode part : field.parts()) {
            for (JsonNode pattern :
                    List.of(part.path("pattern"), part.path("not").path("pattern"))) {
                if (!pattern.isMissingNode() && !TextFields.isUid(part)) {
                    rules.add(Objects.requireNonNull(PATTERNS.get(pattern.asText()), pattern::asText));
                }
            }
        }
        int most = TextFields.most(field);
        String length;
        if (TextLimitsTest.CUT.contains(field.name())) {
            most = Math.min(most, Limits.MAX_SENTENCE_LENGTH);
            length = number(BigDecimal.valueOf(most)) + " characters, longer ones are cut";
        } else {
            boolean isBytes = !isUid && bytes.getOrDefault(field.name(), false);
            length = number(BigDecimal.valueOf(most)) + (isBytes ? " bytes" : " characters");
        }
        return new Words(isUid ? "uid" : "text", rules.isEmpty() ? length : length + ", " + String.join(", ", rules));
    }

    private static String number(BigDecimal number) {
        return switch (number.toPlainString()) {
            case "9223372036854775807" -> "2^63 − 1";
            case "2147483647" -> "2^31 − 1";
            case "-2147483648" -> "−2^31";
            default ->
                number.scale() > 0 ? number.toPlainString() : String.format(Locale.ROOT, "%,d", number.toBigInteger());
        };
    }
}
