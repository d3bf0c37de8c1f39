package dev.weir.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Every field that the schemas have, at any depth, with an example of a message that it may stand in. */
final class Fields {

    private static final String COMMAND = "{\"id\":\"c\",\"at\":0,\"type\":";
    private static final String ROW_END = ",\"version\":1,\"deleted\":false}]}";

    /**
     * A field of a message.
     *
     * @param steps from the message to it: names, and [0] for the first of a list
     * @param parts all that the schema says about it
     */
    record Field(Examples example, List<String> steps, List<JsonNode> parts) {

        /** As Weir names it; for an element of a list that is no object the list. */
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

        boolean isElement() {
            return steps.get(steps.size() - 1).equals("[0]");
        }

        /** Whether it is an object whose fields stand where it stands, and not in a definition of their own. */
        boolean isInline() {
            return parts.get(0).has("properties");
        }

        boolean is(String... types) {
            return parts.stream()
                    .anyMatch(part -> Set.of(types).contains(part.path("type").asText()));
        }

        /** The values of a keyword in all parts. */
        Stream<BigDecimal> limits(String keyword) {
            return parts.stream()
                    .map(part -> part.get(keyword))
                    .filter(Objects::nonNull)
                    .map(JsonNode::decimalValue);
        }

        /** The example with this value in the field. */
        JsonNode with(JsonNode value) {
            ObjectNode message = example.message().deepCopy();
            JsonNode at = message;
            for (int i = 0; i < steps.size() - 1; i++) {
                at = step(at, steps.get(i), steps.get(i + 1).equals("[0]"));
            }
            String last = steps.get(steps.size() - 1);
            if (at instanceof ArrayNode list) {
                list.removeAll().add(value);
            } else {
                ((ObjectNode) at).set(last, value);
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

        /** Whether the field may stand in this example at all: both take it with this value. */
        boolean takes(JsonNode value) {
            return example.takes(() -> with(value));
        }
    }

    private Fields() {}

    /** Of all messages that a record of Weir reads: in the examples of the protocol page, and in kinds that it shows no example of. */
    static List<Field> all() {
        List<Field> fields = new ArrayList<>();
        for (Examples example : examples()) {
            if (Schemas.RECORDS.containsKey(example.schema())) {
                JsonNode schema = schema(example.schema() + ".json");
                walk(schema, schema, example, example.message(), List.of(), fields);
            }
        }
        return fields;
    }

    private static List<Examples> examples() {
        List<Examples> examples = new ArrayList<>(Examples.all());
        examples.add(example("command", COMMAND + "\"pool_pause\",\"pool\":\"cpu\"}"));
        examples.add(example("command", COMMAND + "\"pilot_drain\",\"pilot_id\":\"p\"}"));
        examples.add(example("command", COMMAND + "\"priority\",\"task_uid\":\"t\",\"position\":0,\"priority\":1}"));
        examples.addAll(QueueExamples.all());
        examples.add(example("mirror", """
                {"rows":[{"table":"task_dat","uid":"t","state":"active","rank":1,"base_rank":1,"weight":1,"retry":0,"canceled":false,
                 "counts":{"queued":0,"starting":0,"running":0,"cooling":0,"finished":0,"failed":0,"killed":0,"cancelled":0,
                 "retries":0,"system_retries":0}""" + ROW_END));
        examples.add(example("mirror", """
                {"rows":[{"table":"job_dat","uid":"j","task_uid":"t","status":"Queued","position":0,"attempt":1,"retries":0,
                 "system_retries":0,"rank":1""" + ROW_END));
        examples.add(example("mirror", """
                {"rows":[{"table":"file_dat","id":"i","task_uid":"t","job_uid":"j","attempt":1,"kind":"log","status":"Finished\"""" + ROW_END));
        examples.add(example("mirror", """
                {"rows":[{"table":"attempt_dat","job_uid":"j","attempt":1,"task_uid":"t","status":"Failed","ended_at":0""" + ROW_END));
        examples.add(example("mirror", """
                {"rows":[{"table":"limit_dat","group":"g","lane":0,"in_flight":0,"starts":0,"waiting":0""" + ROW_END));
        examples.add(example("mirror", """
                {"rows":[{"table":"command_dat","id":"c","task_uid":"t","type":"rank","given_at":0,"outcome":"applied","decided_at":0""" + ROW_END));
        return examples;
    }

    static Examples example(String schema, String json) {
        try {
            return new Examples(schema, Json.mapper().readTree(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void walk(
            JsonNode file, JsonNode schema, Examples example, JsonNode value, List<String> steps, List<Field> fields) {
        List<JsonNode> parts = new ArrayList<>();
        List<JsonNode> files = new ArrayList<>();
        collect(file, schema, value, parts, files);
        fields.add(new Field(example, steps, parts));
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
        schema.path("anyOf").forEach(part -> collect(file, part, value, parts, files));
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
        try (InputStream in = Fields.class.getResourceAsStream("/schema/" + file)) {
            return Json.mapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
