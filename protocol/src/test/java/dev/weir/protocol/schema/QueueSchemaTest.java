package dev.weir.protocol.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueMessage;
import dev.weir.protocol.queue.QueueRequest;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueView;
import dev.weir.protocol.queue.ShownItem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inside of entries and answers too, the schemas of queues say what the records say. */
class QueueSchemaTest {

    private static final List<String> OTHERS = List.of(
            "true",
            "[]",
            "{}",
            "1.5",
            "-1",
            "0",
            "\"\"",
            "\"..\"",
            "\"nonsense\"",
            "\"7\"",
            "[1]",
            "[{}]",
            "\"a\\u0000\"");

    static List<Examples> examples() {
        return Stream.concat(Examples.all().stream(), QueueExamples.all().stream())
                .filter(example -> example.schema().startsWith("queue-"))
                .toList();
    }

    static List<Arguments> records() {
        List<Arguments> records = new ArrayList<>();
        for (JsonSubTypes.Type type :
                QueueEntry.class.getAnnotation(JsonSubTypes.class).value()) {
            records.add(Arguments.of("queue-request", type.name(), type.value()));
        }
        records.add(Arguments.of("queue-request", "item", Item.class));
        records.add(Arguments.of("queue-common", "settings", QueueSettings.class));
        records.add(Arguments.of("queue-answers", "answer", QueueAnswer.class));
        records.add(Arguments.of("queue-answers", "leased", LeasedItem.class));
        records.add(Arguments.of("queue-answers", "shown", ShownItem.class));
        records.add(Arguments.of("queue-answers", "view", QueueView.class));
        return records;
    }

    @ParameterizedTest
    @MethodSource("records")
    void aRecordAndItsSchemaHaveTheSameFields(String file, String name, Class<?> record) throws IOException {
        Set<String> components = new TreeSet<>();
        Arrays.stream(record.getRecordComponents())
                .forEach(component -> components.add(new SnakeCaseStrategy().translate(component.getName())));
        Set<String> properties = new TreeSet<>();
        JsonNode schema = schema(file).at("/$defs/" + name + "/properties");
        schema.fieldNames().forEachRemaining(properties::add);
        if (QueueEntry.class.isAssignableFrom(record)) {
            components.add("type");
            properties.add("n");
            assertThat(schema.at("/type/const").asText()).isEqualTo(name);
        }

        assertThat(properties).isEqualTo(components);
    }

    @Test
    void datesOfCronAndTimeZonesHaveALimit() throws IOException {
        String dates = "10 3 * * 1" + ",1".repeat(123);
        assertThat(dates).hasSize(256);
        Schemas.assertThatBothAgree("queue-request", push(dates, "UTC"));

        assertThat(refused(push(dates.replaceFirst("10", "110"), "UTC")).field())
                .isEqualTo("entries[0].item.again.cron");
        assertThat(refused(push("0 3 * * 1", "Europe/" + "a".repeat(58))).field())
                .isEqualTo("entries[0].item.again.zone");
    }

    private static JsonNode push(String cron, String zone) throws IOException {
        return Json.mapper().readTree("""
                {"type":"request","gateway":"g","entries":[{"type":"push","n":0,"queue":"q",
                 "item":{"key":"k","again":{"cron":"%s","zone":"%s"}}}]}""".formatted(cron, zone));
    }

    private static InvalidMessage refused(JsonNode message) {
        assertThat(Schemas.errors("queue-request", message)).isNotEmpty();
        return catchThrowableOfType(InvalidMessage.class, () -> Schemas.read("queue-request", message));
    }

    @Test
    void everyKindOfEntryIsTried() {
        Set<String> tried = new TreeSet<>();
        examples().forEach(example -> example.message().findValuesAsText("type").forEach(tried::add));

        for (JsonSubTypes.Type type :
                QueueEntry.class.getAnnotation(JsonSubTypes.class).value()) {
            assertThat(tried).contains(type.name());
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void withoutAnyOneFieldSchemaAndReaderStillAgree(Examples example) {
        for (String pointer : pointers("", example.message())) {
            JsonNode changed = example.message().deepCopy();
            parent(changed, pointer).remove(name(pointer));
            Schemas.assertThatBothAgree(example.schema(), changed);
        }
    }

    /** What only Weir writes promises no number below, and a count has no record that refuses it. */
    @ParameterizedTest
    @MethodSource("examples")
    void withAnyOneFieldReplacedSchemaAndReaderStillAgree(Examples example) throws IOException {
        for (String pointer : pointers("", example.message())) {
            for (String other : OTHERS) {
                JsonNode changed = example.message().deepCopy();
                parent(changed, pointer).set(name(pointer), Json.mapper().readTree(other));
                boolean isCountOfAView = other.equals("-1") && pointer.startsWith("/answers/0/queues/0/");
                if (!isCountOfAView || pointer.contains("settings")) {
                    Schemas.assertThatBothAgree(example.schema(), changed);
                }
            }
        }
    }

    @Test
    void aPayloadIsTakenAsDeepAndAsLongAsItMayBeAndNoFurther() {
        for (JsonNode most : List.of(nested(100), JsonNodeFactory.instance.textNode("é".repeat(32_767)))) {
            Schemas.assertThatBothAgree("queue-request", push(most));
            Object read = Schemas.read("queue-request", push(most));
            assertThat(Schemas.written(read).at("/entries/0/item/payload")).isEqualTo(most);
        }
        for (JsonNode more : List.of(nested(101), JsonNodeFactory.instance.textNode("é".repeat(32_768)))) {
            InvalidMessage refused =
                    catchThrowableOfType(InvalidMessage.class, () -> Schemas.read("queue-request", push(more)));
            assertThat(refused.field()).isEqualTo("entries[0].item.payload");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.12345678901234567890123456789",
                "123456789012345678901234567890",
                "1E+400",
                "{\"b\":[1.50,{\"a\":null}],\"a\":\"\\u0000é\\n\"}",
                "[]",
                "false"
            })
    void aPayloadComesAsItWasSent(String payload) {
        String push = "\"n\":1,\"queue\":\"q\",\"item\":{\"payload\": " + payload + " ,\"key\":\"k\"}";
        for (String entry : List.of("{\"type\":\"push\"," + push + "}", "{" + push + ",\"type\":\"push\"}")) {
            String message = "{\"type\":\"request\",\"gateway\":\"g\",\"entries\":[" + entry + "]}";
            QueueRequest read = (QueueRequest) Json.read(message.getBytes(StandardCharsets.UTF_8), QueueMessage.class);

            assertThat(((QueueEntry.Push) read.entries().get(0))
                            .item()
                            .payload()
                            .json())
                    .isEqualTo(payload);
            assertThat(Json.read(Json.write(read), QueueMessage.class)).isEqualTo(read);
        }
    }

    private static JsonNode nested(int depth) {
        JsonNode inner = JsonNodeFactory.instance.arrayNode();
        for (int i = 1; i < depth; i++) {
            inner = JsonNodeFactory.instance.arrayNode().add(inner);
        }
        return inner;
    }

    private static JsonNode push(JsonNode payload) {
        JsonNode message = QueueExamples.all().get(0).message().deepCopy();
        ((ObjectNode) message.at("/entries/0/item")).set("payload", payload);
        return message;
    }

    /** Where the fields of the message are, at any depth outside of payloads. */
    private static List<String> pointers(String at, JsonNode value) {
        List<String> pointers = new ArrayList<>();
        value.fields().forEachRemaining(field -> {
            String pointer = at + "/" + field.getKey();
            pointers.add(pointer);
            if (!Set.of("payload", "result").contains(field.getKey())) {
                pointers.addAll(pointers(pointer, field.getValue()));
            }
        });
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            pointers.addAll(pointers(at + "/" + i, value.get(i)));
        }
        return pointers;
    }

    private static ObjectNode parent(JsonNode message, String pointer) {
        return (ObjectNode) message.at(pointer.substring(0, pointer.lastIndexOf('/')));
    }

    private static String name(String pointer) {
        return pointer.substring(pointer.lastIndexOf('/') + 1);
    }

    private static JsonNode schema(String file) throws IOException {
        try (InputStream in = QueueSchemaTest.class.getResourceAsStream("/schema/" + file + ".json")) {
            return Json.mapper().readTree(in);
        }
    }
}
