package dev.weir.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Finds every text in the schemas, with its limit, and puts texts of any length in its place in an example. */
final class TextFields {

    private static final int NONE = Integer.MAX_VALUE;
    private static final int UID = 128;

    /**
     * A text of a message.
     *
     * @param steps from the message to it: names, and [0] for the first of a list
     * @param most characters; {@link #NONE} when the schema sets no limit
     */
    record Field(Examples example, List<String> steps, int most) {

        /** As Weir names it; for a list of texts the list. */
        String path() {
            StringBuilder path = new StringBuilder();
            for (int i = 0; i < steps.size(); i++) {
                boolean isElement = steps.get(i).equals("[0]");
                if (!isElement || i + 1 < steps.size()) {
                    path.append(isElement || i == 0 ? "" : ".").append(steps.get(i));
                }
            }
            return path.toString();
        }

        String name() {
            return example.schema() + "." + path();
        }

        boolean hasLimit() {
            return most != NONE;
        }

        /** The example with a text of this length in the field. */
        JsonNode with(int length) {
            String start = path().equals("dat_stor_url") ? "file:///" : "";
            String text = start + "a".repeat(Math.max(1, length - start.length()));
            ObjectNode message = example.message().deepCopy();
            JsonNode at = message;
            for (int i = 0; i < steps.size() - 1; i++) {
                at = step(at, steps.get(i), steps.get(i + 1).equals("[0]"));
            }
            String last = steps.get(steps.size() - 1);
            if (at instanceof ArrayNode list) {
                list.removeAll().add(text);
            } else {
                ((ObjectNode) at).put(last, text);
            }
            return message;
        }

        private static JsonNode step(JsonNode from, String name, boolean toList) {
            if (from instanceof ArrayNode list) {
                return list.isEmpty() ? list.addObject().put("name", "f").put("storage_url", "file:///s") : list.get(0);
            }
            ObjectNode object = (ObjectNode) from;
            if (!object.has(name)) {
                return toList ? object.putArray(name) : object.putObject(name);
            }
            return object.get(name);
        }

        /** Whether the field may stand in this example at all: both take it with a short text. */
        boolean fits() {
            try {
                Schemas.read(example.schema(), with(1));
                return Schemas.errors(example.schema(), with(1)).isEmpty();
            } catch (InvalidMessage | ClassCastException e) {
                return false;
            }
        }

        @Override
        public String toString() {
            return name() + " <= " + most;
        }
    }

    private TextFields() {}

    static List<Field> of(Examples example) {
        List<Field> fields = new ArrayList<>();
        walk(
                schema(example.schema() + ".json"),
                schema(example.schema() + ".json"),
                example,
                example.message(),
                List.of(),
                fields);
        return fields;
    }

    private static void walk(
            JsonNode file, JsonNode schema, Examples example, JsonNode value, List<String> steps, List<Field> fields) {
        List<JsonNode> parts = new ArrayList<>();
        List<JsonNode> files = new ArrayList<>();
        collect(file, schema, value, parts, files);
        int most = NONE;
        boolean isText = false;
        for (JsonNode part : parts) {
            isText |= part.path("type").asText().equals("string");
            boolean isUid = part.path("pattern").asText().contains("{1,128}");
            most = Math.min(most, isUid ? UID : part.path("maxLength").asInt(NONE));
        }
        if (isText) {
            fields.add(new Field(example, steps, most));
        }
        for (int i = 0; i < parts.size(); i++) {
            JsonNode in = files.get(i);
            parts.get(i)
                    .path("properties")
                    .fields()
                    .forEachRemaining(property -> walk(
                            in,
                            property.getValue(),
                            example,
                            value.path(property.getKey()),
                            and(steps, property.getKey()),
                            fields));
            if (parts.get(i).has("items")) {
                walk(in, parts.get(i).get("items"), example, value.path(0), and(steps, "[0]"), fields);
            }
        }
    }

    /** The schema, what it refers to, and those of its alternatives that are about this value. */
    private static void collect(
            JsonNode file, JsonNode schema, JsonNode value, List<JsonNode> parts, List<JsonNode> files) {
        parts.add(schema);
        files.add(file);
        if (schema.has("$ref")) {
            String[] reference = schema.get("$ref").asText().split("#", -1);
            JsonNode target = reference[0].isEmpty() ? file : schema(reference[0]);
            collect(target, target.at(reference.length > 1 ? reference[1] : ""), value, parts, files);
        }
        schema.path("allOf").forEach(part -> collect(file, part, value, parts, files));
        for (JsonNode alternative : schema.path("oneOf")) {
            List<JsonNode> own = new ArrayList<>();
            List<JsonNode> ownFiles = new ArrayList<>();
            collect(file, alternative, value, own, ownFiles);
            boolean isAbout = true;
            for (JsonNode part : own) {
                for (String kind : List.of("type", "table")) {
                    JsonNode is = part.path("properties").path(kind);
                    isAbout &= is.isMissingNode()
                            || is.toString().contains(value.path(kind).toString());
                }
            }
            if (isAbout) {
                parts.addAll(own);
                files.addAll(ownFiles);
            }
        }
    }

    private static List<String> and(List<String> steps, String step) {
        List<String> more = new ArrayList<>(steps);
        more.add(step);
        return more;
    }

    private static JsonNode schema(String file) {
        try (InputStream in = TextFields.class.getResourceAsStream("/schema/" + file)) {
            return Json.mapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
