package dev.weir.protocol.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The schemas say what the records say: what one refuses, the other refuses too. */
class SchemaTest {

    /** Not messages of their own: parts of others, and the union of the reports. */
    private static final Set<String> PARTS = Set.of("common", "file", "report", "queue-common");

    /**
     * Fields that the schema demands of a sender although the record can do without: a report without its route is refused
     * one step later, and a job is only ever written by Weir, which always writes them.
     */
    private static final Set<String> DEMANDED_BY_SCHEMA_ONLY =
            Set.of("heartbeat.route", "status.route", "result.route", "job.args", "job.route");

    static List<Examples> examples() {
        return Examples.all();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleOfTheProtocolPageIsValidAndReadable(Examples example) {
        assertThat(Schemas.errors(example.schema(), example.message())).isEmpty();
        if (Schemas.RECORDS.containsKey(example.schema())) {
            assertThat(Schemas.read(example.schema(), example.message())).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void whatWeirWritesIsValid(Examples example) throws IOException {
        if (Schemas.RECORDS.containsKey(example.schema())) {
            Object record = Schemas.read(example.schema(), example.message());

            assertThat(Schemas.errors(example.schema(), Schemas.written(record)))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void withoutAnyOneFieldSchemaAndReaderStillAgree(Examples example) {
        for (String field : names(example.message())) {
            ObjectNode less = example.message().deepCopy();
            less.remove(field);
            if (!DEMANDED_BY_SCHEMA_ONLY.contains(example.schema() + "." + field)) {
                Schemas.assertThatBothAgree(example.schema(), less);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void withAnyOneFieldReplacedSchemaAndReaderStillAgree(Examples example) throws IOException {
        String[] others = {
            "true", "[]", "{}", "1.5", "-1", "0", "\"\"", "\"..\"", "\"nonsense\"", "\"7\"", "[1]", "[{}]"
        };
        for (String field : names(example.message())) {
            for (String other : others) {
                ObjectNode changed = example.message().deepCopy();
                changed.set(field, Json.mapper().readTree(other));
                boolean emptyRoute = field.equals("route") && other.equals("\"\"");
                if (!emptyRoute) {
                    Schemas.assertThatBothAgree(example.schema(), changed);
                }
            }
        }
    }

    @Test
    void aGroupsNameAndTheNumberOfGroupsHaveTheirLimits() {
        ObjectNode task = anExample("task");
        ArrayNode groups = task.putArray("groups");
        groups.add("g".repeat(257));
        assertThatBothRefuse("task", task);
        groups.set(0, groups.textNode("g".repeat(256)));
        for (int i = 1; i < 32; i++) {
            groups.add("g" + i);
        }
        assertThat(Schemas.errors("task", task)).isEmpty();
        assertThat(((Task) Schemas.read("task", task)).groups()).hasSize(32);
        groups.add("g32");
        assertThatBothRefuse("task", task);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "task    | {\"uid\":\"a/b\"}",
                "task    | {\"rank\":1000.5}",
                "task    | {\"retry\":101}",
                "task    | {\"dat_out_url\":\"a/../b\"}",
                "task    | {\"dat_stor_url\":\"file:///a/../b\"}",
                "task    | {\"targets\":[{\"name\":\"a/b\",\"storage_url\":\"s\"}]}",
                "task    | {\"targets\":[{\"name\":\"..\",\"storage_url\":\"s\"}]}",
                "task    | {\"targets\":[{\"name\":\"a\\\\..\\\\b\",\"storage_url\":\"s\"}]}",
                "task    | {\"targets\":[{\"storage_url\":\"s\"}]}",
                "task    | {\"timeout_s\":2592001}",
                "task    | {\"pool\":\"no blanks\"}",
                "task    | {\"files_per_job\":10001}",
                "task    | {\"groups\":[\"g\",\" \"]}",
                "dataset | {\"data\":[{\"name\":\"f\",\"storage_url\":\"s\",\"groups\":[\"\"]}]}",
                "dataset | {\"data\":[{\"name\":\"..\\\\f\",\"storage_url\":\"s\"}]}",
                "dataset | {\"total\":-1}",
                "dataset | {\"data\":[{\"name\":\"f\",\"storage_url\":\"s\",\"path\":\"../up\"}]}",
                "dataset | {\"data\":[{\"name\":\"f\",\"storage_url\":\"s\",\"size\":-1}]}",
                "command | {\"type\":\"cancel\",\"task_uid\":\".\"}",
                "heartbeat | {\"pilot_id\":\"all\"}",
                "status  | {\"pilot_id\":\"all\"}",
                "result  | {\"pilot_id\":\"all\"}",
                "command | {\"type\":\"pilot_drain\",\"pilot_id\":\"all\"}",
                "command | {\"type\":\"pool_pause\"}",
                "command | {\"type\":\"pilot_drain\"}",
                "command | {\"type\":\"limit\",\"group\":\"g\",\"max_starts\":3}",
                "command | {\"at\":\"yesterday\"}",
                "command | {\"task_id\":\"t\"}",
                "command | {\"group\":\"g\"}",
                "result  | {\"file_out_size\":-5}",
                "result  | {\"status\":\"running\"}",
                "job     | {\"mode\":\"Merge\",\"file_in_urls\":[]}",
                "job     | {\"lease_s\":0}",
                "page    | {\"limit\":100001}",
                "mirror  | {\"rows\":[{\"table\":\"secret_dat\"}]}",
                "mirror  | {\"rows\":[{\"table\":\"job_dat\",\"version\":1,\"deleted\":false}]}",
                "beat    | {\"type\":\"drum\"}",
                "queue-request | {\"type\":\"drum\"}",
                "queue-request | {\"gateway\":\"no blanks\"}",
                "queue-low | {\"items\":-1}",
            })
    void aBrokenMessageIsRefusedByBoth(String schema, String change) throws IOException {
        ObjectNode broken = anExample(schema);
        broken.setAll((ObjectNode) Json.mapper().readTree(change));

        assertThatBothRefuse(schema, broken);
    }

    @Test
    void everySchemaHasAnExampleOnTheProtocolPage() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/schema"))) {
            Set<String> schemas = files.map(
                            file -> file.getFileName().toString().replace(".json", ""))
                    .collect(Collectors.toCollection(HashSet::new));
            schemas.removeAll(PARTS);

            assertThat(examples().stream().map(Examples::schema)).containsAll(schemas);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void aReportIsValidAsAReportToo(Examples example) {
        if (Set.of("heartbeat", "status", "result", "beat").contains(example.schema())) {
            assertThat(Schemas.errors("report", example.message())).isEmpty();
        }
    }

    private static ObjectNode anExample(String schema) {
        return examples().stream()
                .filter(example -> example.schema().equals(schema))
                .findFirst()
                .orElseThrow()
                .message()
                .deepCopy();
    }

    private static void assertThatBothRefuse(String schema, ObjectNode broken) {
        assertThat(Schemas.errors(schema, broken)).isNotEmpty();
        assertThatThrownBy(() -> Schemas.read(schema, broken)).isInstanceOf(InvalidMessage.class);
    }

    private static List<String> names(JsonNode message) {
        List<String> names = new ArrayList<>();
        message.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
