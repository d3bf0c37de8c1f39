package dev.weir.protocol.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No text of any message is without a limit, so no message is longer in state than a limit allows. */
class TextLimitsTest {

    /** Texts for people: Weir takes longer ones and cuts them. The schema says so in words where a pilot writes the text. */
    private static final Set<String> CUT = Set.of(
            "event.reason",
            "notice.reason",
            "rejected.reason",
            "rejected.field",
            "outcome.reason",
            "outcome.field",
            "result.error_message",
            "mirror.rows[0].why_text",
            "mirror.rows[0].reason",
            "mirror.rows[0].error_message",
            "mirror.rows[0].owner",
            "mirror.rows[0].host");

    private static final String COMMAND = "{\"id\":\"c\",\"at\":0,\"type\":";
    private static final String ROW_END = ",\"version\":1,\"deleted\":false}]}";

    /** Those of the protocol page, and kinds of messages that it shows no example of. */
    private static List<Examples> examples() {
        List<Examples> examples = new ArrayList<>(Examples.all());
        examples.add(example("command", COMMAND + "\"pool_pause\",\"pool\":\"cpu\"}"));
        examples.add(example("command", COMMAND + "\"pilot_drain\",\"pilot_id\":\"p\"}"));
        examples.add(example("mirror", """
                {"rows":[{"table":"task_dat","uid":"t","state":"active","rank":1,"base_rank":1,"weight":1,"retry":0,"canceled":false,
                 "counts":{"queued":0,"starting":0,"running":0,"cooling":0,"finished":0,"failed":0,"killed":0,"cancelled":0,
                 "retries":0,"system_retries":0}""" + ROW_END));
        examples.add(example("mirror", """
                {"rows":[{"table":"job_dat","uid":"j","task_uid":"t","status":"Queued","position":0,"attempt":1,"retries":0,
                 "system_retries":0,"rank":1""" + ROW_END));
        examples.add(example("mirror", """
                {"rows":[{"table":"file_dat","id":"i","task_uid":"t","job_uid":"j","attempt":1,"kind":"log","status":"Finished\"""" + ROW_END));
        return examples;
    }

    private static Examples example(String schema, String json) {
        try {
            return new Examples(schema, Json.mapper().readTree(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<TextFields.Field> all() {
        return examples().stream()
                .filter(example -> Schemas.RECORDS.containsKey(example.schema()))
                .flatMap(example -> TextFields.of(example).stream())
                .toList();
    }

    static List<TextFields.Field> fields() {
        return all().stream().filter(TextFields.Field::fits).toList();
    }

    @Test
    void everyTextOfEveryMessageHasALimitAndIsTriedBelow() {
        assertThat(all().stream().filter(field -> !field.hasLimit()).map(TextFields.Field::name))
                .allMatch(CUT::contains);
        Set<String> tried = fields().stream().map(TextFields.Field::name).collect(Collectors.toSet());
        assertThat(all()).extracting(TextFields.Field::name).allMatch(tried::contains);
        assertThat(tried)
                .hasSizeGreaterThan(90)
                .contains("heartbeat.node.host", "task.targets[0].checksum", "task.owner");
    }

    @ParameterizedTest
    @MethodSource("fields")
    void aTextAsLongAsItsLimitIsTakenAndComesBackAsItWas(TextFields.Field field) {
        int most = field.hasLimit() ? field.most() : Limits.MAX_SENTENCE_LENGTH;
        JsonNode message = field.with(most);

        assertThat(Schemas.errors(field.example().schema(), message)).isEmpty();
        Object read = Schemas.read(field.example().schema(), message);
        assertThat(Schemas.read(field.example().schema(), Json.mapper().valueToTree(read)))
                .isEqualTo(read);
        assertThat(new String(Json.write(read), java.nio.charset.StandardCharsets.UTF_8))
                .contains("a".repeat(most - 8));
    }

    @ParameterizedTest
    @MethodSource("fields")
    void aTextThatIsOneLongerIsRefusedWithItsFieldOrCut(TextFields.Field field) {
        String schema = field.example().schema();
        int most = field.hasLimit() ? field.most() : Limits.MAX_SENTENCE_LENGTH;
        JsonNode message = field.with(most + 1);
        if (CUT.contains(field.name())) {
            assertThat(Json.mapper().<JsonNode>valueToTree(Schemas.read(schema, message)))
                    .isEqualTo(Json.mapper().valueToTree(Schemas.read(schema, field.with(most))));
            return;
        }

        assertThat(Schemas.errors(schema, message)).isNotEmpty();
        InvalidMessage refused = catchThrowableOfType(InvalidMessage.class, () -> Schemas.read(schema, message));
        assertThat(refused).as(field.toString()).isNotNull();
        assertThat(refused.field()).isEqualTo(field.path());
    }
}
