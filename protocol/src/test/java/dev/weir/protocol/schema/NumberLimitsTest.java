package dev.weir.protocol.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.queue.Again;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No number of any message is without a limit, so none is larger than what Weir counts with. */
class NumberLimitsTest {

    /** A number of a message, from least to most. */
    record Number(Fields.Field field, BigDecimal least, BigDecimal most) {

        JsonNode with(BigDecimal value) {
            ObjectNode message = (ObjectNode) field.with(DecimalNode.valueOf(value));
            if (field.name().equals("register.part")) {
                // A part is none beyond the last.
                message.put("parts", Integer.MAX_VALUE);
            }
            if (field.path().endsWith("again.min_s")) {
                again(message).put("after_s", Again.YEAR).put("max_s", Again.YEAR);
            } else if (field.path().endsWith("again.max_s")) {
                again(message).put("after_s", 1).put("min_s", 1);
            }
            return message;
        }

        private static ObjectNode again(ObjectNode message) {
            return (ObjectNode) message.findValue("again");
        }

        boolean fits() {
            BigDecimal nearestToOne = BigDecimal.ONE.max(least).min(most);
            return field.example().takes(() -> with(nearestToOne));
        }

        String schema() {
            return field.example().schema();
        }

        @Override
        public String toString() {
            return field.name() + " from " + least + " to " + most;
        }
    }

    private static List<Fields.Field> all() {
        return Fields.all().stream()
                .filter(field -> field.is("integer", "number"))
                .toList();
    }

    /** A time has several ranges, in seconds and in milliseconds; the widest counts. */
    static List<Number> numbers() {
        return all().stream()
                .map(field -> new Number(
                        field,
                        field.limits("minimum").min(BigDecimal::compareTo).orElseThrow(),
                        field.limits("maximum").max(BigDecimal::compareTo).orElseThrow()))
                .filter(Number::fits)
                .toList();
    }

    @Test
    void everyNumberOfEveryMessageHasALimitOnBothSidesAndIsTriedBelow() {
        assertThat(all())
                .allSatisfy(field ->
                        assertThat(field.limits("minimum")).as(field.name()).isNotEmpty())
                .allSatisfy(field ->
                        assertThat(field.limits("maximum")).as(field.name()).isNotEmpty());
        Set<String> tried =
                numbers().stream().map(number -> number.field().name()).collect(Collectors.toSet());
        assertThat(all()).extracting(Fields.Field::name).allMatch(tried::contains);
        assertThat(tried)
                .hasSizeGreaterThan(70)
                .contains("command.position", "heartbeat.node.cores", "mirror.rows[0].counts.total", "task.retry")
                .contains("queue-request.entries[0].settings.reserve", "queue-answers.answers[0].queues[0].oldest_s");
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void aNumberAtItsLimitIsTakenAndComesBackAsItWas(Number number) {
        for (BigDecimal limit : List.of(number.least, number.most)) {
            JsonNode message = number.with(limit);

            assertThat(Schemas.errors(number.schema(), message)).isEmpty();
            Object read = Schemas.read(number.schema(), message);
            JsonNode written = Schemas.written(read);
            assertThat(Schemas.errors(number.schema(), written)).isEmpty();
            assertThat(Schemas.read(number.schema(), written)).isEqualTo(read);
            JsonNode back =
                    written.at("/" + String.join("/", number.field.steps()).replace("[0]", "0"));
            if (back.isNumber()) {
                assertThat(back.decimalValue()).isEqualByComparingTo(limit);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void aNumberOneAboveItsLimitIsRefusedWithItsField(Number number) {
        assertThatBothRefuse(number, number.most.add(BigDecimal.ONE));
    }

    /** What Weir alone writes promises no number below, and Weir refuses no row of its own for one. */
    @ParameterizedTest
    @MethodSource("numbers")
    void aNumberOneBelowItsLimitIsRefusedWithItsField(Number number) {
        BigDecimal below = number.least.subtract(BigDecimal.ONE);
        if (Set.of("mirror", "event", "queue-answers").contains(number.schema())) {
            assertThat(Schemas.errors(number.schema(), number.with(below))).isNotEmpty();
        } else {
            assertThatBothRefuse(number, below);
        }
    }

    private static void assertThatBothRefuse(Number number, BigDecimal value) {
        JsonNode message = number.with(value);

        assertThat(Schemas.errors(number.schema(), message)).isNotEmpty();
        InvalidMessage refused =
                catchThrowableOfType(InvalidMessage.class, () -> Schemas.read(number.schema(), message));
        assertThat(refused).as(number.toString()).isNotNull();
        String last = number.field.steps().get(number.field.steps().size() - 1);
        boolean isElement = last.startsWith("[");
        assertThat(refused.field()).isEqualTo(number.field.path() + (isElement ? last : ""));
        assertThat(refused).hasMessageContaining(isElement ? number.field.path() : last);
    }
}
