package dev.weir.protocol.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The protocol page says the limit of each field as the schemas do. */
class LimitTablesTest {

    private static final Path PAGE = Path.of("..", "docs", "PROTOCOL.md");
    private static final String BEGIN = "<!-- Made from the schemas. ";
    private static final String END = "<!-- End of what is made. -->\n";
    /** Conditions, not fields. */
    private static final Set<String> CONDITIONS = Set.of("if", "then", "dependentSchemas");

    @Test
    void theProtocolPageSaysWhatTheSchemasSay() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf('\n', page.indexOf(BEGIN)) + 1;
        int end = page.indexOf(END);
        String should = page.substring(0, begin) + "\n" + LimitTables.markdown() + "\n" + page.substring(end);
        if (Boolean.getBoolean("weir.regenerate")) {
            Files.writeString(PAGE, should);
            return;
        }
        assertThat(page)
                .as("run this test with -Dweir.regenerate=true, which writes the tables anew")
                .isEqualTo(should);
    }

    /** So the tables, and the tests of the limits, leave none out. */
    @Test
    void everyFieldOfEverySchemaStandsInAnExample() throws IOException {
        Set<Map.Entry<String, JsonNode>> inExamples = Fields.all().stream()
                .filter(field -> !field.steps().isEmpty())
                .flatMap(field -> field.parts().stream()
                        .map(part -> Map.entry(field.steps().get(field.steps().size() - 1), part)))
                .collect(Collectors.toSet());
        List<Map.Entry<String, JsonNode>> fields = new ArrayList<>();
        try (Stream<Path> schemas = Files.list(Path.of("src/main/resources/schema"))) {
            for (Path schema : schemas.toList()) {
                collect(Json.mapper().readTree(schema.toFile()), fields);
            }
        }

        assertThat(fields).hasSizeGreaterThan(300);
        assertThat(fields).filteredOn(field -> !inExamples.contains(field)).isEmpty();
    }

    private static void collect(JsonNode schema, List<Map.Entry<String, JsonNode>> fields) {
        fields.addAll(schema.path("properties").properties());
        schema.properties().stream()
                .filter(part -> !CONDITIONS.contains(part.getKey()))
                .forEach(part -> collect(part.getValue(), fields));
        if (schema.isArray()) {
            schema.forEach(part -> collect(part, fields));
        }
    }
}
