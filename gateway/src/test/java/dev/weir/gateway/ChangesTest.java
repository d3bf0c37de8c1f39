package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.gateway.access.Role;
import dev.weir.protocol.Command;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.scheduler.api.Event;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes reach the scheduling core, and its outcome reaches the caller. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChangesTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private Path directory;
    private TestGateway gateway;
    private CoreOnTheBroker core;

    @BeforeAll
    void start(@TempDir Path given) throws Exception {
        directory = given;
        gateway = TestGateway.start(given);
        core = new CoreOnTheBroker(gateway);
    }

    @AfterAll
    void stop() throws Exception {
        core.close();
        gateway.close();
    }

    private static String task(String uid) {
        return """
                {"uid": "%1$s", "executable": "reco.sh", "device_type": "CPU", "mode": "Map", "dat_in_uid": "in-%1$s",
                 "dat_out_uid": "out-%1$s", "dat_stor_url": "file:///data", "dat_out_url": "out"}""".formatted(uid);
    }

    /** The uid of a task that the core has. */
    private String taken() throws Exception {
        String uid = "t" + NUMBER.incrementAndGet();
        assertThat(send("POST", "/task?wait=30", task(uid)).status()).isEqualTo(200);
        return uid;
    }

    private Answer send(String method, String path, String body, String... headers) throws Exception {
        return gateway.send(method, path, gateway.byRole.get(Role.OPERATOR), body, headers);
    }

    private void assertOutcome(Answer answer, int status, String reason, String field) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.text("id")).isNotEmpty();
        assertThat(answer.text("detail")).contains(reason);
        assertThat(answer.text("field")).isEqualTo(field);
    }

    @Test
    void aTaskIsTakenOnceAndAnotherOneOfItsUidIsRefused() throws Exception {
        String uid = taken();

        assertThat(gateway.get("/task/" + uid).text("state")).isEqualTo("accepted");
        assertOutcome(send("POST", "/task?wait=30", task(uid)), 409, "was sent before", "");
        String other = task(uid).replace("reco.sh", "other.sh");
        assertOutcome(send("POST", "/task?wait=30", other), 422, "other contents", "uid");
    }

    @Test
    void everyChangeOfATaskActs() throws Exception {
        String uid = taken();
        assertThat(gateway.put("/task/" + uid + "/rank?wait=30", "{\"rank\": 8}")
                        .text("outcome"))
                .isEqualTo("applied");
        assertThat(gateway.get("/task/" + uid).json().get("base_rank").asInt()).isEqualTo(8);
        assertThat(gateway.put("/task/" + uid + "/paused?wait=30", null).status())
                .isEqualTo(200);
        assertThat(gateway.get("/task/" + uid + "/why").text("why")).isEqualTo("paused");
        assertThat(gateway.put("/task/" + uid + "/resumed?wait=30", "{}").status())
                .isEqualTo(200);
        assertThat(gateway.put("/task/" + uid + "/retry_failed?wait=30", null).status())
                .isEqualTo(200);
        assertOutcome(
                gateway.put("/task/" + uid + "/priority?wait=30", "{\"position\": 0, \"priority\": 1}"),
                422,
                "does not order its files by priority",
                "task_uid");
        assertThat(gateway.put("/task/" + uid + "/canceled?wait=30", null).status())
                .isEqualTo(200);
        assertThat(gateway.get("/task/" + uid).json().get("canceled").asBoolean())
                .isTrue();
        String second = taken();
        assertThat(gateway.put("/task/" + second + "/closed?wait=30", null).status())
                .isEqualTo(200);
    }

    @Test
    void poolsPilotsAndLimitsAreSteered() throws Exception {
        for (String change : List.of(
                "/pool/gpu/paused",
                "/pool/gpu/drained",
                "/pool/gpu/resumed",
                "/pilot/node7-1/drained",
                "/pilot/node7-1/excluded",
                "/pilot/node7-1/included")) {
            assertThat(gateway.put(change + "?wait=30", null).status())
                    .as(change)
                    .isEqualTo(200);
        }
        String limit = "{\"group\": \"tape/7 library\", \"max_in_flight\": 3}";
        assertThat(gateway.put("/limit?wait=30", limit).status()).isEqualTo(200);
        await().untilAsserted(() -> {
            core.apply(new Event.Tick());
            assertThat(gateway.get("/limit?search=tape/7")
                            .json()
                            .at("/data/0/max_in_flight")
                            .asInt())
                    .isEqualTo(3);
        });
        assertThat(gateway.put("/limit?wait=30", "{\"group\": \"g\", \"lift\": true}")
                        .status())
                .isEqualTo(200);
        String lost = "{\"group\": \"net:10.1.2.0/24\", \"max_in_flight\": 3}";
        assertOutcome(gateway.put("/limit?wait=30", lost), 422, "no rule makes such groups", "group");
        assertOutcome(gateway.put("/pool/tape/paused?wait=30", null), 422, "there is no pool 'tape'", "pool");
    }

    @Test
    void withoutWaitTheAnswerIsTheIdAndACommandForAnUnknownTaskStaysUndecided() throws Exception {
        Answer sent = gateway.put("/task/" + taken() + "/rank", "{\"rank\": 2}");
        assertThat(sent.status()).isEqualTo(202);
        assertThat(sent.text("id")).isNotEmpty();

        Answer early = gateway.put("/task/not-yet/rank?wait=0.2", "{\"rank\": 2}");
        assertThat(early.status()).isEqualTo(202);
    }

    @Test
    void anIdempotencyKeyActsOnceThroughWhicheverGateway() throws Exception {
        String uid = taken();
        String path = "/task/" + uid + "/rank?wait=30";
        String[] key = {"Idempotency-Key", "k" + NUMBER.incrementAndGet()};
        assertThat(send("PUT", path, "{\"rank\": 3}", key).status()).isEqualTo(200);
        assertThat(send("PUT", path, "{\"rank\": 4}").status()).isEqualTo(200);

        assertOutcome(send("PUT", path, "{\"rank\": 3}", key), 409, "taken before", "");
        try (Gateway other = gateway.another()) {
            URI url = other.url();
            String token = gateway.byRole.get(Role.OPERATOR);
            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            TestGateway.send(url, "GET", "/health", null, null).status() == 200);
            assertOutcome(TestGateway.send(url, "PUT", path, token, "{\"rank\": 3}", key), 409, "taken before", "");
        }
        assertThat(gateway.get("/task/" + uid).json().get("base_rank").asInt()).isEqualTo(4);
        // Two owners may choose the same key.
        Answer ofOther = gateway.send("PUT", path, gateway.byRole.get(Role.WFMS), "{\"rank\": 5}", key);
        assertThat(ofOther.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "/task/t/rank | {} | 422 | rank",
                "/task/t/rank | {\"rank\": 1001} | 422 | rank",
                "/task/t/rank | {\"rank\": \"1\"} | 422 | rank",
                "/task/t/rank | {\"rank\": 1, \"by\": \"god\"} | 422 | by",
                "/task/t/rank | {\"rank\": 1, \"task_uid\": \"u\"} | 422 | task_uid",
                "/task/t/rank | {\"rank\": 1, \"Rank\": 1} | 422 | Rank",
                "/task/t/rank | {\"rank\": 1 | 400 | ~~",
                "/task/t/rank | [] | 400 | ~~",
                "/task/t/rank | null | 422 | rank",
                "/task/t/rank?wait=61 | {\"rank\": 1} | 400 | wait",
                "/task/t/rank?wait=NaN | {\"rank\": 1} | 400 | wait",
                "/task/t/rank?force=1 | {\"rank\": 1} | 400 | force",
                "/task/t/canceled | {\"why\": \"x\"} | 422 | why",
                "/task/a%20b/canceled | {} | 404 | ~~",
                "/limit | {\"group\": \"g\"} | 400 | ~~",
                "/limit | {\"group\": \"g\", \"max_starts\": 3} | 422 | window_s",
            })
    void whatIsNotValidIsRefusedByTheGatewayWithItsField(String path, String body, int status, String field)
            throws Exception {
        Answer answer = gateway.put(path, body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.text("field")).isEqualTo(field);
        assertThat(answer.json().has("id")).isFalse();
    }

    @Test
    void aTaskThatIsNotValidIsRefusedByTheGatewayWithItsField() throws Exception {
        Answer answer = send("POST", "/task", task("t0").replace("CPU", "ABC"));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text("field")).isEqualTo("device_type");
        Answer key = send("PUT", "/pool/cpu/resumed", null, "Idempotency-Key", "a b");
        assertThat(key.status()).isEqualTo(400);
        assertThat(key.text("field")).isEqualTo("Idempotency-Key");
    }

    @Test
    void everyChangeStandsInTheAuditLogWithWhoAndWhatAndItsOutcome() throws Exception {
        String uid = taken();
        String id =
                gateway.put("/task/" + uid + "/rank?wait=30", "{\"rank\": 6}").text("id");
        gateway.send("PUT", "/pool/cpu/paused", gateway.byRole.get(Role.VIEWER), null);
        await().untilAsserted(() -> assertThat(audit("id", id))
                .extracting(line -> line.get("step").asText())
                .containsExactlyInAnyOrder("asked", "outcome", "answered"));

        JsonNode asked = audit("id", id).get(0);
        assertThat(asked.get("who").asText()).isEqualTo("operator");
        assertThat(asked.get("what").asText()).isEqualTo("PUT /task/" + uid + "/rank");
        assertThat(asked.get("from").asText()).contains("127.0.0.1");
        assertThat(asked.get("body").get("rank").asInt()).isEqualTo(6);
        await().untilAsserted(() -> assertThat(audit("step", "denied")).anySatisfy(line -> {
            assertThat(line.get("who").asText()).isEqualTo("viewer");
            assertThat(line.get("status").asInt()).isEqualTo(403);
        }));
        String whole = Files.readString(directory.resolve("audit"));
        gateway.byRole.values().forEach(token -> assertThat(whole).doesNotContain(token));
    }

    private List<JsonNode> audit(String field, String value) throws Exception {
        try (var lines = Files.lines(directory.resolve("audit"))) {
            return lines.map(line -> Json.read(line.getBytes(java.nio.charset.StandardCharsets.UTF_8), JsonNode.class))
                    .filter(line -> line.path(field).asText().equals(value))
                    .toList();
        }
    }

    @Test
    void aTaskThatIsDeletedIsCancelledAndOneThatHasEndedIsLeftAlone() throws Exception {
        String uid = taken();
        assertThat(send("DELETE", "/task/" + uid + "?wait=30", null).status()).isEqualTo(200);
        assertThat(gateway.get("/task/" + uid).json().get("canceled").asBoolean())
                .isTrue();
        new MirrorRows(gateway.database).task("over", "cpu", "closed").closed().write();

        assertThat(send("DELETE", "/task/over", null).status()).isEqualTo(204);
        assertThat(send("DELETE", "/task/none", null).status()).isEqualTo(404);
    }

    @Test
    void whatNoQueueTakesIsNotSent(@TempDir Path other) throws Exception {
        try (TestGateway lonely = TestGateway.start(other)) {
            try (var connection = lonely.broker.connect()) {
                connection.createChannel().queueDelete(lonely.broker.name(Names.COMMANDS));
            }
            Answer answer = lonely.put("/pool/cpu/paused", null);

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text("detail")).contains("no queue takes the message");
            assertThat(lonely.send("POST", "/task", lonely.byRole.get(Role.WFMS), task("t"))
                            .status())
                    .isEqualTo(202);
        }
    }

    @Test
    void aMessageOnTheQueueIsACommandThatNamesItsOwner(@TempDir Path other) throws Exception {
        try (TestGateway lonely = TestGateway.start(other)) {
            Answer answer = lonely.send(
                    "PUT", "/task/t/rank", lonely.byRole.get(Role.WFMS), "{\"rank\": 3}", "Idempotency-Key", "once");
            List<byte[]> sent = lonely.broker.drain(lonely.broker.name(Names.COMMANDS));

            assertThat(answer.text("id")).isEqualTo("wfms:once");
            assertThat(sent).hasSize(1);
            Command.Rank command = (Command.Rank) Json.read(sent.get(0), Command.class);
            assertThat(command.by()).isEqualTo("wfms");
            assertThat(command.id()).isEqualTo("wfms:once");
            assertThat(command.rank()).isEqualTo(3);
        }
    }
}
