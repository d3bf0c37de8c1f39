package dev.weir.protocol.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No list of any message is without a limit. */
class ListLimitsTest {

    /** A list of a message. */
    record Many(Fields.Field field, int most) {

        JsonNode with(int count) {
            return field.with(list(count));
        }

        /** Short elements, so that a message of as many as possible is no longer than a message may be. */
        private ArrayNode list(int count) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            String items = field.parts().stream()
                    .filter(part -> part.has("items"))
                    .findFirst()
                    .orElseThrow()
                    .get("items")
                    .toString();
            JsonNode first = field.example().message().at(pointer() + "/0");
            for (int i = 0; i < count; i++) {
                if (items.contains("file.json")) {
                    list.addObject().put("name", "f").put("storage_url", "s");
                } else if (first.isObject()) {
                    list.add(first);
                } else if (items.contains("bytes")) {
                    list.add(i);
                } else {
                    list.add("a" + i);
                }
            }
            return list;
        }

        private String pointer() {
            return "/" + String.join("/", field.steps()).replace("[0]", "0");
        }

        boolean fits() {
            return field.takes(list(1));
        }

        String schema() {
            return field.example().schema();
        }

        @Override
        public String toString() {
            return field.name() + " <= " + most;
        }
    }

    private static List<Fields.Field> all() {
        return Fields.all().stream().filter(field -> field.is("array")).toList();
    }

    static List<Many> lists() {
        return all().stream()
                .map(field -> new Many(
                        field,
                        field.limits("maxItems")
                                .mapToInt(Number::intValue)
                                .min()
                                .orElseThrow()))
                .filter(Many::fits)
                .toList();
    }

    @Test
    void everyListOfEveryMessageHasALimitAndIsTriedBelow() {
        assertThat(all())
                .allSatisfy(field ->
                        assertThat(field.limits("maxItems")).as(field.name()).isNotEmpty());
        Set<String> tried = lists().stream().map(list -> list.field().name()).collect(Collectors.toSet());
        assertThat(all()).extracting(Fields.Field::name).allMatch(tried::contains);
        assertThat(tried)
                .contains(
                        "task.targets",
                        "task.targets[0].groups",
                        "dataset.data",
                        "job.file_in_urls",
                        "register.check_list",
                        "heartbeat.pools",
                        "mirror.rows",
                        "queue-request.entries",
                        "queue-request.entries[0].kinds",
                        "queue-answers.answers[0].items");
    }

    @ParameterizedTest
    @MethodSource("lists")
    void aListAsLongAsItsLimitIsTakenAndComesBackAsItWas(Many list) {
        JsonNode message = list.with(list.most);

        assertThat(Schemas.errors(list.schema(), message)).isEmpty();
        Object read = Schemas.read(list.schema(), message);
        JsonNode written = Schemas.written(read);
        assertThat(written.at(list.pointer())).hasSize(list.most);
        assertThat(Json.readKept(Json.write(read), Schemas.readAs(list.schema())))
                .isEqualTo(read);
    }

    @ParameterizedTest
    @MethodSource("lists")
    void aListThatIsOneLongerIsRefusedWithItsField(Many list) {
        JsonNode message = list.with(list.most + 1);

        assertThat(Schemas.errors(list.schema(), message)).isNotEmpty();
        InvalidMessage refused = catchThrowableOfType(InvalidMessage.class, () -> Schemas.read(list.schema(), message));
        assertThat(refused).as(list.toString()).isNotNull();
        assertThat(refused.field()).isEqualTo(list.field.path());
        assertThat(refused).hasMessageContaining(String.valueOf(list.most));
    }
}
