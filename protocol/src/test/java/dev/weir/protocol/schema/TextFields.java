package dev.weir.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.stream.Stream;

/** Finds every text in the schemas, with its limit, and puts texts of any length in its place in an example. */
final class TextFields {

    private static final int NONE = Integer.MAX_VALUE;
    private static final int UID = 128;

    /**
     * A text of a message.
     *
     * @param most characters; {@link #NONE} when the schema sets no limit
     */
    record Field(Fields.Field field, int most) {

        /** As Weir names it; for a list of texts the list. */
        String path() {
            return field.path();
        }

        String name() {
            return field.name();
        }

        String schema() {
            return field.example().schema();
        }

        boolean hasLimit() {
            return most != NONE;
        }

        /** The example with a text of this length in the field. */
        JsonNode with(int length) {
            return field.with(text(length));
        }

        private TextNode text(int length) {
            String start = path().equals("dat_stor_url") ? "file:///" : "";
            return TextNode.valueOf(start + "a".repeat(Math.max(1, length - start.length())));
        }

        /** Whether twice the bytes in the same number of characters are too many for the record. */
        boolean countsBytes() {
            if (!hasLimit()) {
                return false;
            }
            String longest = text(most).textValue();
            return !field.takes(TextNode.valueOf(longest.replace('a', 'é')));
        }

        /** Whether the field may stand in this example at all: both take it with a short text. */
        boolean fits() {
            return field.takes(text(1));
        }

        @Override
        public String toString() {
            return name() + " <= " + most;
        }
    }

    private TextFields() {}

    /** A time may be a number, so it is no text; dates of cron and time zones have a grammar, and {@link QueueSchemaTest} tries their limits. */
    static List<Field> all() {
        return Fields.all().stream()
                .filter(field -> field.is("string") && !field.is("number"))
                .filter(field ->
                        !field.path().endsWith("again.cron") && !field.path().endsWith("again.zone"))
                .map(field -> new Field(field, most(field)))
                .toList();
    }

    static boolean isUid(JsonNode part) {
        return part.path("pattern").asText().contains("{1,128}");
    }

    static int most(Fields.Field field) {
        Stream<Integer> uids = field.parts().stream().filter(TextFields::isUid).map(part -> UID);
        Stream<Integer> lengths = field.limits("maxLength").map(Number::intValue);
        return Stream.concat(uids, lengths).min(Integer::compare).orElse(NONE);
    }
}
