package dev.weir.protocol.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Limits;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No text of any message is without a limit, so no message is longer in state than a limit allows. */
class TextLimitsTest {

    /** Texts for people: Weir takes longer ones and cuts them. The schema says so in words where a pilot writes the text. */
    static final Set<String> CUT = Set.of(
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
            "mirror.rows[0].host",
            "queue-request.entries[0].error",
            "queue-answers.answers[0].reason",
            "queue-answers.answers[0].field",
            "queue-answers.answers[0].shown[0].error",
            "queue-answers.answers[0].shown[0].why");

    private static List<TextFields.Field> all() {
        return TextFields.all();
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
                .contains("heartbeat.node.host", "task.targets[0].checksum", "task.owner")
                .contains("queue-request.entries[0].item.payload", "queue-answers.answers[0].items[0].token");
    }

    @ParameterizedTest
    @MethodSource("fields")
    void aTextAsLongAsItsLimitIsTakenAndComesBackAsItWas(TextFields.Field field) {
        int most = field.hasLimit() ? field.most() : Limits.MAX_SENTENCE_LENGTH;
        JsonNode message = field.with(most);

        assertThat(Schemas.errors(field.schema(), message)).isEmpty();
        Object read = Schemas.read(field.schema(), message);
        assertThat(Schemas.read(field.schema(), Schemas.written(read))).isEqualTo(read);
        assertThat(new String(Json.write(read), java.nio.charset.StandardCharsets.UTF_8))
                .contains("a".repeat(most - 8));
    }

    @ParameterizedTest
    @MethodSource("fields")
    void aTextThatIsOneLongerIsRefusedWithItsFieldOrCut(TextFields.Field field) {
        String schema = field.schema();
        int most = field.hasLimit() ? field.most() : Limits.MAX_SENTENCE_LENGTH;
        JsonNode message = field.with(most + 1);
        if (CUT.contains(field.name())) {
            assertThat(Schemas.written(Schemas.read(schema, message)))
                    .isEqualTo(Schemas.written(Schemas.read(schema, field.with(most))));
            return;
        }

        assertThat(Schemas.errors(schema, message)).isNotEmpty();
        InvalidMessage refused = catchThrowableOfType(InvalidMessage.class, () -> Schemas.read(schema, message));
        assertThat(refused).as(field.toString()).isNotNull();
        assertThat(refused.field()).isEqualTo(field.path());
    }
}
