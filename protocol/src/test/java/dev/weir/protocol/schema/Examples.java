package dev.weir.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The examples of docs/PROTOCOL.md: each fenced block that names its schema after {@code json}. */
record Examples(String schema, JsonNode message) {

    private static final Path PAGE = Path.of("../docs/PROTOCOL.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```json ([a-z-]+)\\n(.*?)^```$");

    static List<Examples> all() {
        List<Examples> examples = new ArrayList<>();
        try {
            Matcher block = BLOCK.matcher(Files.readString(PAGE));
            while (block.find()) {
                examples.add(new Examples(block.group(1), Json.mapper().readTree(block.group(2))));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an example in " + PAGE + " is not JSON: " + e.getMessage(), e);
        }
        return examples;
    }

    /** Whether schema and record both take a message that is made of this one; one that cannot be made is not taken. */
    boolean takes(Supplier<JsonNode> made) {
        try {
            JsonNode message = made.get();
            Schemas.read(schema, message);
            return Schemas.errors(schema, message).isEmpty();
        } catch (InvalidMessage | ClassCastException e) {
            return false;
        }
    }

    /** The kind of the record at these steps, such as the type of an entry; empty when there are no kinds. */
    String kind(List<String> steps) {
        JsonNode record = steps.isEmpty()
                ? message
                : message.at("/" + String.join("/", steps).replace("[0]", "0"));
        return record.path(record.has("table") ? "table" : "type").asText();
    }

    @Override
    public String toString() {
        return schema + " " + message;
    }
}
