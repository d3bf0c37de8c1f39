package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The contract, {@code openapi.yaml}: its operations, and whether an answer is one that it allows. */
final class Contract {

    private static final String FILE = "gateway/openapi.yaml";
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final JsonNode DOCUMENT = load();

    private Contract() {}

    /**
     * An operation.
     *
     * @param roles that may call it; empty when it needs no token
     */
    record Operation(String method, String path, List<String> roles, JsonNode node) {

        String name() {
            return method + " " + path;
        }

        /** With something in place of each parameter. */
        String samplePath() {
            return path.replace("/task/{id}", "/task/run7-1")
                    .replace("/job/{id}", "/job/run7-1.0")
                    .replace("/pilot/{id}", "/pilot/node7-1")
                    .replace("/rejected/{id}", "/rejected/0123456789abcdef0123456789abcdef")
                    .replace("{name}", "cpu")
                    .replaceFirst("/item$", "/item?key=a")
                    .replaceFirst("^/answer/.*", isChange() ? "/answer/scans" : "/answer/scans?key=a")
                    .replace("{queue}", "scans")
                    .replace("{owner}", "org7")
                    .replace("/events", "/events?seconds=0");
        }

        boolean isChange() {
            return !method.equals("GET");
        }

        @Override
        public String toString() {
            return name();
        }
    }

    private static JsonNode load() {
        try (InputStream in = Contract.class.getResourceAsStream("/" + FILE)) {
            return new YAMLMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode document() {
        return DOCUMENT;
    }

    static List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : DOCUMENT.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                List<String> roles = new ArrayList<>();
                method.getValue().path("x-roles").forEach(role -> roles.add(role.asText()));
                operations.add(new Operation(
                        method.getKey().toUpperCase(Locale.ROOT), path.getKey(), roles, method.getValue()));
            }
        }
        return operations;
    }

    /** The operation that a path without its query is of; null for none. A literal path goes before one with parameters. */
    static Operation find(String method, String path) {
        return operations().stream()
                .filter(operation -> operation.method().equals(method))
                .filter(operation -> path.matches(operation.path().replaceAll("\\{[a-z]+}", "[^/]+")))
                .min(java.util.Comparator.comparingInt(
                        operation -> operation.path().contains("{") ? 1 : 0))
                .orElse(null);
    }

    /** Fails unless the operation may be answered so. */
    static void check(String method, String path, int status, String contentType, String body) {
        Operation operation = find(method, path);
        if (operation == null) {
            assertThat(status).as(method + " " + path).isIn(401, 404, 405, 429);
            checkBody("#/components/schemas/Problem", body, method + " " + path);
            return;
        }
        JsonNode response = deref(operation.node().at("/responses/" + status));
        assertThat(response.isMissingNode())
                .as("%s answers %d, which the contract does not know: %s", operation, status, body)
                .isFalse();
        if (!response.has("content")) {
            assertThat(body).as(operation.name()).isEmpty();
            return;
        }
        String type = contentType == null ? "" : contentType.split(";", 2)[0];
        JsonNode schema = response.get("content").path(type).path("schema");
        assertThat(schema.isMissingNode())
                .as("%s answers %d with the type %s", operation, status, contentType)
                .isFalse();
        if (schema.has("$ref")) {
            checkBody(schema.get("$ref").asText(), body, operation.name() + " " + status);
        }
    }

    private static void checkBody(String reference, String body, String what) {
        try {
            assertThat(errors(reference, Json.mapper().readTree(body)))
                    .as("%s: %s", what, body)
                    .isEmpty();
        } catch (IOException e) {
            throw new AssertionError(what + " is answered with what is not JSON: " + body, e);
        }
    }

    /** What the schema has against a value. */
    static List<String> errors(String reference, JsonNode value) {
        return SCHEMAS.getSchema(SchemaLocation.of("classpath:" + FILE + reference)).validate(value).stream()
                .map(Object::toString)
                .toList();
    }

    private static JsonNode deref(JsonNode node) {
        return node.has("$ref") ? DOCUMENT.at(node.get("$ref").asText().substring(1)) : node;
    }
}
