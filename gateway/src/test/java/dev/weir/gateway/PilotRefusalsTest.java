package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.protocol.Names;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests of pilots that are refused, with the field at fault, and send nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PilotRefusalsTest {

    private Path directory;
    private TestGateway gateway;
    private String token;

    @BeforeAll
    void start(@TempDir Path given) throws Exception {
        directory = given;
        gateway = TestGateway.start(given);
        Scope scope = new Scope(null, List.of("cpu", "none"), List.of("node7-*"), null);
        token = gateway.token("narrow", Role.PILOT, Instant.now().plusSeconds(600), scope);
        await().until(() -> pop("node7-1", "[\"cpu\"]").status() == 200);
    }

    @AfterAll
    void stop() throws Exception {
        gateway.close();
    }

    private Answer pop(String pilot, String pools) throws Exception {
        String body = "{\"pilot_id\": \"%s\", \"queues\": %s}".formatted(pilot, pools);
        return gateway.send("POST", "/pop", token, body);
    }

    private Answer report(String pilot, String... reports) throws Exception {
        String body = "{\"pilot_id\": \"" + pilot + "\", \"reports\": [" + String.join(",", reports) + "]}";
        return gateway.send("POST", "/report", token, body);
    }

    private static String status(String pilot, String job) {
        return """
                {"type": "status", "pilot_id": "%s", "pool": "cpu", "job_uid": "%s", "attempt": 1, "route": "0/0/t",
                 "status": "starting"}""".formatted(pilot, job);
    }

    private static String heartbeat(String pools) {
        return "{\"type\": \"heartbeat\", \"pilot_id\": \"node7-1\", \"pool\": \"cpu\", \"pools\": [\"" + pools
                + "\"]}";
    }

    private void assertNothingWasSent() throws Exception {
        assertThat(gateway.broker.drain(gateway.broker.name(Names.REPORTS))).isEmpty();
    }

    @Test
    void aTokenIsForThePilotsAndPoolsOfItsScope() throws Exception {
        assertRefused(pop("node8-1", "[]"), "pilot_id");
        assertRefused(pop("node7-1", "[\"cpu\", \"gpu\"]"), "queues[1]");
        assertRefused(report("node8-1", status("node7-1", "j")), "pilot_id");
        assertRefused(report("node7-1", status("node7-1", "j"), status("node8-1", "j")), "reports[1].pilot_id");
        assertRefused(report("node7-1", status("node7-1", "j").replace("cpu", "gpu")), "reports[0].pool");
        assertRefused(report("node7-1", heartbeat("gpu")), "reports[0].pools[0]");
        assertNothingWasSent();
        String audit = Files.readString(directory.resolve("audit"));
        assertThat(audit).contains("\"denied\"").contains("POST /pop").contains("POST /report");
    }

    private static void assertRefused(Answer answer, String field) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(403);
        assertThat(answer.text("field")).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "pop    | {\"queues\": []} | pilot_id",
                "pop    | {\"pilot_id\": \"all\", \"queues\": []} | pilot_id",
                "pop    | {\"pilot_id\": \"node7-1\", \"queues\": \"cpu\"} | queues",
                "pop    | {\"pilot_id\": \"node7-1\", \"queues\": [\"a/b\"]} | queues",
                "pop    | {\"pilot_id\": \"node7-1\", \"queues\": [\"cpu\", \"cpu\"]} | queues",
                "pop    | {\"pilot_id\": \"node7-1\", \"queues\": [], \"wait_s\": 61} | wait_s",
                "pop    | {\"pilot_id\": \"node7-1\", \"queues\": [], \"wait_s\": \"NaN\"} | wait_s",
                "pop    | {\"pilot_id\": \"node7-1\", \"queues\": [\"none\"]} | queues",
                "report | {\"pilot_id\": \"node7-1\"} | reports",
                "report | {\"pilot_id\": \"node7-1\", \"reports\": []} | reports",
                "report | {\"pilot_id\": \"node7-1\", \"reports\": [{\"type\": \"x\"}]} | reports[0]",
                "report | {\"pilot_id\": \"node7-1\", \"reports\": [{\"type\": \"beat\", \"route\": \"0/0/weir\"}]} | reports[0].type",
                "report | {\"pilot_id\": \"node7-1\", \"reports\": [{\"type\": \"heartbeat\"}]} | reports[0].pilot_id",
            })
    void whatIsNotValidIsRefusedAndNamed(String operation, String body, String field) throws Exception {
        Answer answer = gateway.send("POST", "/" + operation, token, body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(422);
        assertThat(answer.text("field")).isEqualTo(field);
    }

    @Test
    void aPilotThatNamesNoPoolsWaitsForNoticesOnly() throws Exception {
        Answer answer = gateway.send("POST", "/pop", token, "{\"pilot_id\": \"node7-1\"}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"notices\":[]}");
    }

    @Test
    void oneReportThatIsNotValidStopsTheOthersOfItsRequest() throws Exception {
        String noRoute = status("node7-1", "j").replace("0/0/t", "nowhere");
        Answer answer = report("node7-1", status("node7-1", "j"), noRoute);

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text("field")).isEqualTo("reports[1].route");
        assertNothingWasSent();
    }
}
