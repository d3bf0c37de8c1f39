package dev.weir.job.intake;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.InboundSerializer;
import dev.weir.protocol.Json;
import dev.weir.protocol.Outcome;
import dev.weir.protocol.Rejected;
import dev.weir.protocol.Route;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValidateTest {

    private static final Lanes LANES = new Lanes(4);

    private OneInputStreamOperatorTestHarness<Inbound, Inbound> harness;

    @BeforeEach
    void open() throws Exception {
        harness = new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(
                new Validate(LANES, new Rejections("weir.rejected"), new Outcomes("weir.events"))));
        harness.setup(InboundSerializer.INSTANCE);
        harness.open();
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    @Test
    void aTaskAndACommandAboutItMeetInOneLane() throws Exception {
        arrive(Kind.TASK, """
                {"uid":"t-17","executable":"wc","device_type":"CPU","mode":"Map","dat_in_uid":"i","dat_out_uid":"o",
                 "dat_stor_url":"file:///s","dat_out_url":"o"}""");
        arrive(
                Kind.COMMAND,
                "{\"id\":\"c\",\"at\":\"2026-11-21T05:00:00Z\",\"type\":\"cancel\",\"task_uid\":\"t-17\"}");

        assertThat(passed()).extracting(Inbound::lane).containsExactly(LANES.ofTask("t-17"), LANES.ofTask("t-17"));
    }

    @Test
    void aReportFindsTheLaneOfItsJob() throws Exception {
        arrive(
                Kind.REPORT,
                "{\"type\":\"status\",\"pilot_id\":\"p\",\"pool\":\"cpu\",\"job_uid\":\"j\",\"attempt\":1,"
                        + "\"status\":\"starting\",\"route\":\"" + new Route(3, 5, "t").encoded() + "\"}");

        assertThat(passed()).extracting(Inbound::lane).containsExactly(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"heartbeat\",\"pilot_id\":\"p\",\"pool\":\"cpu\"}",
            })
    void anIdleHeartbeatGoesToAllLanes(String body) throws Exception {
        arrive(Kind.REPORT, body);

        assertThat(passed()).extracting(Inbound::lane).containsExactly(0, 1, 2, 3);
    }

    @Test
    void aLimitGoesToAllLanes() throws Exception {
        arrive(
                Kind.COMMAND,
                "{\"id\":\"c\",\"at\":1795237200,\"type\":\"limit\",\"group\":\"host:a\",\"max_in_flight\":2}");

        assertThat(passed()).hasSize(4);
    }

    @Test
    void anInvalidMessageIsRejectedWithFieldReasonQueueAndOriginalBytes() throws Exception {
        arrive(Kind.TASK, "{\"uid\":\"t\",\"executable\":\"wc\",\"device_type\":\"TPU\"}");

        Rejected rejected = rejected().get(0);
        assertThat(passed()).isEmpty();
        assertThat(rejected.field()).isEqualTo("device_type");
        assertThat(rejected.reason()).contains("TPU");
        assertThat(rejected.queue()).isEqualTo("q");
        assertThat(new String(Base64.getDecoder().decode(rejected.bodyBase64()), StandardCharsets.UTF_8))
                .contains("TPU");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "dat_stor_url|\"dat_stor_url\":\"not a url\"",
                "dat_stor_url|\"dat_stor_url\":\"/data\"",
                "dat_stor_url|\"dat_stor_url\":\"http://\"",
                "args|\"args\":\"-x 'open\"",
                "args|\"args\":\"ends with \\\\\"",
                "args|\"args\":\"a\\u0000b\"",
                "args|\"args\":\"a\\ud800\"",
                "executable|\"executable\":\"a\\u0000b\""
            })
    void aTaskThatNoPilotCouldRunIsRejectedBeforeItMakesJobs(String field, String instead) throws Exception {
        ObjectNode task = (ObjectNode) Json.mapper().readTree("""
                {"uid":"t","executable":"wc","device_type":"CPU","mode":"Map","dat_in_uid":"i","dat_out_uid":"o",
                 "dat_stor_url":"file:///s","dat_out_url":"o"}""");
        task.setAll((ObjectNode) Json.mapper().readTree("{" + instead + "}"));
        arrive(Kind.TASK, new String(Json.write(task), StandardCharsets.UTF_8));

        assertThat(passed()).isEmpty();
        assertThat(rejected()).extracting(Rejected::field).containsExactly(field);
    }

    @Test
    void aMergeTaskThatMakesMoreThanAThousandJobsOfItsTargetsIsRejected() throws Exception {
        String target = "{\"name\":\"f\",\"storage_url\":\"file:///s\"}";
        for (int perJob : List.of(1, 2)) {
            arrive(Kind.TASK, """
                    {"uid":"t","executable":"wc","device_type":"CPU","mode":"Merge","dat_in_uid":"i","dat_out_uid":"o","files_per_job":%d,
                     "dat_stor_url":"file:///s","dat_out_url":"o","targets":[%s]}""".formatted(perJob, String.join(",", Collections.nCopies(1_001, target))));
        }

        assertThat(passed()).hasSize(1);
        assertThat(rejected())
                .singleElement()
                .satisfies(one -> assertThat(one.field()).isEqualTo("files_per_job"))
                .satisfies(one -> assertThat(one.reason()).contains("makes 1001 jobs of 1001 targets"));
    }

    @Test
    void aRouteThatWeirDidNotMakeIsRejected() throws Exception {
        for (String route : List.of("9/1/t", "x", "")) {
            arrive(
                    Kind.REPORT,
                    "{\"type\":\"status\",\"pilot_id\":\"p\",\"pool\":\"cpu\",\"job_uid\":\"j\",\"attempt\":1,"
                            + "\"status\":\"running\",\"route\":\"" + route + "\"}");
        }

        assertThat(rejected()).hasSize(3).allMatch(r -> "route".equals(r.field()));
    }

    @Test
    void randomBytesAreAllRejectedAndNoneStopsTheJob() throws Exception {
        Random random = new Random(11);
        for (int i = 0; i < 5_000; i++) {
            byte[] body = new byte[random.nextInt(64)];
            random.nextBytes(body);
            Kind kind = List.of(Kind.TASK, Kind.COMMAND, Kind.REPORT, Kind.PAGE_REQUEST)
                    .get(random.nextInt(4));
            harness.processElement(Inbound.arrived(kind, "q", i, body), 0);
        }

        assertThat(passed()).isEmpty();
        assertThat(rejected()).hasSize(5_000);
    }

    private void arrive(Kind kind, String body) throws Exception {
        harness.processElement(Inbound.arrived(kind, "q", 1, body.getBytes(StandardCharsets.UTF_8)), 0);
    }

    private List<Inbound> passed() {
        return harness.extractOutputValues();
    }

    @Test
    void theSenderOfAnInvalidTaskOrCommandIsToldIfItsIdCanBeRead() throws Exception {
        arrive(Kind.TASK, "{\"uid\":\"t-17\",\"executable\":7}");
        arrive(Kind.COMMAND, "{\"id\":\"c-1\",\"type\":\"explode\"}");
        arrive(Kind.TASK, "{\"uid\":[\"t-18\"]}");
        arrive(Kind.TASK, "{\"uid\":\"t-19\"");
        arrive(Kind.TASK, "{\"uid\":\"" + "u".repeat(5_000) + "\"}");
        arrive(Kind.REPORT, "{\"id\":\"c-2\",\"uid\":\"t-20\"}");

        List<Outcome> outcomes = harness.getSideOutput(Outcomes.TAG).stream()
                .map(record -> Json.read(record.getValue().body(), Outcome.class))
                .toList();
        assertThat(outcomes).extracting(Outcome::id).containsExactly("t-17", "c-1");
        assertThat(outcomes).extracting(Outcome::about).containsExactly(Outcome.About.TASK, Outcome.About.COMMAND);
        assertThat(outcomes).allSatisfy(outcome -> {
            assertThat(outcome.outcome()).isEqualTo(Outcome.Kind.REFUSED);
            assertThat(outcome.reason()).isNotBlank();
        });
        assertThat(rejected()).hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://user:se cret@host/data", "https://user:secret@host/../data"})
    void thePasswordInTheUrlOfARefusedTaskIsInNoAnswer(String url) throws Exception {
        arrive(Kind.TASK, """
                {"uid":"t","executable":"wc","device_type":"CPU","mode":"Map","dat_in_uid":"i","dat_out_uid":"o",
                 "dat_stor_url":"%s","dat_out_url":"o"}""".formatted(url));

        assertThat(rejected())
                .singleElement()
                .satisfies(
                        one -> assertThat(one.reason()).contains("dat_stor_url").doesNotContain("cret"));
        assertThat(harness.getSideOutput(Outcomes.TAG))
                .singleElement()
                .satisfies(one -> assertThat(new String(one.getValue().body(), StandardCharsets.UTF_8))
                        .contains("dat_stor_url")
                        .doesNotContain("cret"));
    }

    private List<Rejected> rejected() {
        return harness.getSideOutput(Rejections.TAG).stream()
                .map(record -> Json.read(record.getValue().body(), Rejected.class))
                .toList();
    }
}
