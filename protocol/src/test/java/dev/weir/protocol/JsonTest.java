package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    private static final String TASK = """
            {"uid":"t1","executable":"sha256sum","device_type":"CPU","mode":"Map","dat_in_uid":"in","dat_out_uid":"out",
             "dat_stor_url":"file:///data","dat_out_url":"out","future_field":{"a":[1]}}""";

    @Test
    void aTaskWithTheRequiredFieldsGetsTheDefaultsForTheOthersAndUnknownFieldsAreIgnored() {
        Task task = read(TASK, Task.class);

        assertThat(task.rank()).isEqualTo(1.0);
        assertThat(task.retry()).isZero();
        assertThat(task.args()).isEmpty();
        assertThat(task.order()).isEqualTo(Order.SEQUENTIAL);
        assertThat(task.autoCancel()).isTrue();
        assertThat(task.storageId()).isEqualTo("file:///data");
    }

    @Test
    void aRepeatedGroupIsReadOnce() {
        Task task = read(TASK.replace("{\"uid\"", "{\"groups\":[\"a\",\"b\",\"a\"],\"uid\""), Task.class);

        assertThat(task.groups()).containsExactly("a", "b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"uid\":\"t1\"            | \"uid\":\"a/b\"           | uid",
                "\"uid\":\"t1\"            | \"uid\":\"..\"            | uid",
                "\"uid\":\"t1\"            | \"uid\":5                 | uid",
                "\"uid\":\"t1\",           | ~ ~                       | uid",
                "\"device_type\":\"CPU\"   | \"device_type\":\"TPU\"   | device_type",
                "\"mode\":\"Map\"          | \"mode\":\"Map\",\"rank\":1001   | rank",
                "\"mode\":\"Map\"          | \"mode\":\"Map\",\"retry\":-1    | retry",
                "\"mode\":\"Map\"          | \"mode\":\"Map\",\"retry\":1.5   | retry",
                "\"mode\":\"Map\"          | \"mode\":\"Map\",\"retry\":\"3\" | retry",
                "\"dat_out_url\":\"out\"   | \"dat_out_url\":\"../out\"       | dat_out_url",
                "\"mode\":\"Map\"          | \"mode\":\"Map\",\"targets\":[{\"name\":\"..\",\"storage_url\":\"s\"}] | targets[0].name",
                "\"mode\":\"Map\"          | \"mode\":\"Map\",\"targets\":[{\"name\":\"a\\\\..\\\\b.raw\",\"storage_url\":\"s\"}] | targets[0].name",
            })
    void anInvalidTaskIsRefusedWithTheInvalidField(String whole, String broken, String field) {
        assertThatThrownBy(() -> read(TASK.replace(whole, broken), Task.class))
                .asInstanceOf(type(InvalidMessage.class))
                .satisfies(e -> assertThat(e.field()).isEqualTo(field))
                .satisfies(e -> assertThat(e.getMessage()).contains(field.substring(field.indexOf('.') + 1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"uid\":\"t1\"          | \"uid\":5               | uid must be a string",
                "\"device_type\":\"CPU\" | \"device_type\":\"TPU\" | device_type must be one of CPU, GPU, got 'TPU'",
                "\"mode\":\"Map\"        | \"mode\":\"Map\",\"retry\":\"3\" | retry must be a whole number",
                "\"mode\":\"Map\"        | \"mode\":\"Map\",\"targets\":5   | targets must be a list",
            })
    void aReasonIsInTheSendersWords(String whole, String broken, String reason) {
        assertThatThrownBy(() -> read(TASK.replace(whole, broken), Task.class)).hasMessageStartingWith(reason);
    }

    @Test
    void anyBytesCauseAtMostAnInvalidMessage() {
        Random random = new Random(7);
        byte[] good = TASK.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 20_000; i++) {
            byte[] bad = good.clone();
            for (int k = random.nextInt(4); k >= 0; k--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            try {
                Json.read(bad, Task.class);
            } catch (InvalidMessage expected) {
                assertThat(expected.getMessage()).isNotBlank();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"[]", "null", "5", "{\"type\":\"nonsense\"}", "{}", "{\"type\":\"beat\"} {}", "\"x\""})
    void aMessageThatIsNotAReportIsRefused(String body) {
        assertThatThrownBy(() -> read(body, Report.class)).isInstanceOf(InvalidMessage.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"+999999999-12-31T23:59:59Z\"", "\"-999999999-01-01T00:00:00Z\"", "1e300", "-1e17"})
    void aTimeOutsideTheRangeIsRefused(String time) {
        assertThatThrownBy(() -> read("{\"type\":\"beat\",\"route\":\"0/0/b\",\"sent_at\":" + time + "}", Report.class))
                .isInstanceOf(InvalidMessage.class)
                .hasMessageContaining("1 to 9999");
    }

    @Test
    void deepNestingIsRefusedInsteadOfOverflowingTheStack() {
        assertThatThrownBy(() -> read("{\"x\":" + "[".repeat(100_000), Task.class))
                .isInstanceOf(InvalidMessage.class);
    }

    @Test
    void anOversizedMessageIsRefusedWithBothSizes() {
        assertThatThrownBy(() -> Json.read(new byte[Limits.MAX_MESSAGE_BYTES + 1], Task.class))
                .isInstanceOf(InvalidMessage.class)
                .hasMessageContaining("1048576")
                .hasMessageContaining("1048577");
    }

    @ParameterizedTest
    @CsvSource({
        "\"2026-11-21T05:00:00Z\"",
        "\"2026-11-21T08:00:00+03:00\"",
        "1795237200",
        "1795237200.0",
        "1795237200000"
    })
    void timesAreReadInTheWaysThatOtherLanguagesWriteThem(String written) {
        Report beat = read("{\"type\":\"beat\",\"route\":\"0\",\"sent_at\":" + written + "}", Report.class);

        assertThat(beat.sentAt()).isEqualTo(Instant.parse("2026-11-21T05:00:00Z"));
    }

    @Test
    void everyReportComesBackAsItWasWritten() {
        Instant now = Instant.parse("2026-11-21T05:00:00.123Z");
        List<Report> reports = List.of(
                new Beat(now, "0"),
                new Heartbeat(
                        "p1",
                        "cpu",
                        List.of("cpu", "gpu"),
                        now,
                        Device.CPU_GPU,
                        new NodeInfo("h", 2, 1L),
                        null,
                        "j",
                        1,
                        "r"),
                new Status("p1", "cpu", now, "j", 2, "r", Status.Phase.STARTING),
                new Result(
                        "p1",
                        "cpu",
                        now,
                        "j",
                        2,
                        "r",
                        Result.Outcome.FAILED,
                        3,
                        ErrorType.EXIT,
                        "boom",
                        null,
                        null,
                        null,
                        "file:///log",
                        5L,
                        "00",
                        now,
                        now));
        for (Report report : reports) {
            assertThat(Json.read(Json.write(report), Report.class)).isEqualTo(report);
        }
    }

    @Test
    void aWrittenReportNamesItsTypeAndUsesSnakeCase() {
        String json = new String(
                Json.write(new Heartbeat("p1", "cpu", null, null, Device.CPU_GPU, null, null, null, null, null)),
                StandardCharsets.UTF_8);

        assertThat(json)
                .isEqualTo(
                        "{\"type\":\"heartbeat\",\"pilot_id\":\"p1\",\"pool\":\"cpu\",\"device\":\"CPU+GPU\",\"state\":\"idle\"}");
    }

    @Test
    void aRouteComesBackAndAForeignOneIsRefused() {
        Route route = new Route(3, 12_345_678_901L, "task:1");

        assertThat(Route.decode(route.encoded())).isEqualTo(route);
        for (String foreign : new String[] {"", "1/2", "x/1/t", "1/x/t", "-1/1/t", "1/1/", "1/1/a b"}) {
            assertThatThrownBy(() -> Route.decode(foreign)).isInstanceOf(InvalidMessage.class);
        }
    }

    private static <T> T read(String body, Class<T> type) {
        return Json.read(body.getBytes(StandardCharsets.UTF_8), type);
    }
}
