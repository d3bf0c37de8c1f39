package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Rejected;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What operators do with rejected messages. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RejectedTest {

    private static final String ONE = "{\"uid\": \"t1\", \"executable\": \"https://u:s3cret@store/x\"}";
    private static final String TWO = "{\"type\": \"nonsense\"}";

    private Path directory;
    private TestGateway gateway;
    private Connection connection;
    private Channel channel;

    @BeforeAll
    void start(@TempDir Path given) throws Exception {
        directory = given;
        gateway = TestGateway.start(given);
        connection = gateway.broker.connect();
        channel = connection.createChannel();
    }

    @AfterAll
    void stop() throws Exception {
        connection.abort();
        gateway.close();
    }

    @BeforeEach
    void empty() throws Exception {
        for (String queue : List.of(Names.TASKS, Names.COMMANDS, Names.REPORTS)) {
            channel.queuePurge(gateway.broker.name(queue));
        }
        // What a list showed goes back without a word, and may do so after a purge.
        await().until(() -> {
            channel.queuePurge(gateway.broker.name(Names.REJECTED));
            return left() == 0;
        });
    }

    private void reject(String queue, byte[] body) throws Exception {
        Rejected rejected =
                Rejected.of("dat_in_uid is required", "dat_in_uid", gateway.broker.name(queue), Instant.now(), body);
        publish(Json.write(rejected));
    }

    private void reject(String queue, String body) throws Exception {
        reject(queue, body.getBytes(StandardCharsets.UTF_8));
    }

    private void publish(byte[] entry) throws Exception {
        long before = left();
        channel.basicPublish("", gateway.broker.name(Names.REJECTED), null, entry);
        await().until(() -> left() == before + 1);
    }

    /** Counted by the gateway, as it alone knows what it has put back. */
    private long left() throws Exception {
        return list("").get("messages").asLong();
    }

    private JsonNode list(String query) throws Exception {
        return as(Role.OPERATOR, "GET", "/rejected" + query, null).json();
    }

    private Answer as(Role role, String method, String path, String body) throws Exception {
        return gateway.send(method, path, gateway.byRole.get(role), body);
    }

    private String sent(String queue) throws Exception {
        GetResponse got = channel.basicGet(gateway.broker.name(queue), true);
        return got == null ? null : new String(got.getBody(), StandardCharsets.UTF_8);
    }

    @Test
    void theOverviewSaysHowManyThereAre() throws Exception {
        reject(Names.TASKS, ONE);
        reject(Names.COMMANDS, TWO);

        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            JsonNode problems = as(Role.VIEWER, "GET", "/overview", null).json().get("problems");
            assertThat(problems.findValuesAsText("text")).containsExactly("2 messages were rejected");
            assertThat(problems.findValuesAsText("why")).containsExactly("rejected");
        });
    }

    @Test
    void theyAreListedTheOldestFirstAndStayInTheirPlaces() throws Exception {
        reject(Names.TASKS, ONE);
        reject(Names.COMMANDS, TWO);
        publish("garbage".getBytes(StandardCharsets.UTF_8));

        for (int i = 0; i < 2; i++) {
            JsonNode list = list("");
            assertThat(list.get("messages").asInt()).isEqualTo(3);
            assertThat(list.at("/data/0/field").asText()).isEqualTo("dat_in_uid");
            assertThat(list.at("/data/0/begin").asText()).contains("t1").doesNotContain("s3cret");
            assertThat(list.at("/data/1/begin").asText()).isEqualTo(TWO);
            assertThat(list.at("/data/2/reason").asText()).contains("cannot be read");
            JsonNode first = list("?limit=1");
            assertThat(first.get("data").size()).isEqualTo(1);
            assertThat(first.get("messages").asInt()).isEqualTo(3);
            assertThat(as(
                                    Role.OPERATOR,
                                    "GET",
                                    "/rejected/" + list.at("/data/1/id").asText(),
                                    null)
                            .body())
                    .isEqualTo(TWO);
        }
    }

    @Test
    void oneIsSentAgainAsItIsOrCorrectedAndTheOthersStay() throws Exception {
        reject(Names.TASKS, ONE);
        reject(Names.COMMANDS, TWO);
        reject(Names.REPORTS, "{}");
        String second = list("").at("/data/1/id").asText();

        Answer answer = as(Role.OPERATOR, "POST", "/rejected/" + second + "/resend", null);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("queue")).isEqualTo(gateway.broker.name(Names.COMMANDS));
        assertThat(sent(Names.COMMANDS)).isEqualTo(TWO);
        JsonNode left = list("");
        assertThat(left.at("/data/0/begin").asText()).contains("t1");
        assertThat(left.at("/data/1/begin").asText()).isEqualTo("{}");
        assertThat(left.get("messages").asInt()).isEqualTo(2);
        assertThat(as(Role.OPERATOR, "POST", "/rejected/" + second + "/resend", null)
                        .status())
                .isEqualTo(404);

        String first = left.at("/data/0/id").asText();
        assertThat(as(Role.OPERATOR, "POST", "/rejected/" + first + "/resend", "{\"uid\": \"t2\"}")
                        .status())
                .isEqualTo(200);
        assertThat(sent(Names.TASKS)).isEqualTo("{\"uid\": \"t2\"}");
        String audit = Files.readString(directory.resolve("audit"));
        assertThat(audit).contains("\"asked\"", second, "\"corrected\":true");
    }

    @Test
    void aBodyThatIsNullReplacesNothing() throws Exception {
        reject(Names.COMMANDS, TWO);
        String id = list("").at("/data/0/id").asText();

        assertThat(as(Role.OPERATOR, "POST", "/rejected/" + id + "/resend", " null")
                        .status())
                .isEqualTo(200);

        assertThat(sent(Names.COMMANDS)).isEqualTo(TWO);
    }

    @Test
    void oneThatCannotBeSentStaysAndTheAnswerSaysWhy() throws Exception {
        reject(Names.PAGES, "{}");
        reject(Names.TASKS, new byte[64 << 10]);
        reject(Names.REPORTS, "{\"type\": \"x\"}");
        JsonNode list = list("");
        channel.queueUnbind(
                gateway.broker.name(Names.REPORTS), gateway.broker.name(Names.SEND_REPORTS), Names.REPORTS_KEY);
        try {
            assertThat(resent(list, 0)).isEqualTo("422 the message came on queue ");
            assertThat(resent(list, 1)).isEqualTo("422 only the first 64 KiB of t");
            assertThat(resent(list, 2)).isEqualTo("503 no queue takes the message");
        } finally {
            channel.queueBind(
                    gateway.broker.name(Names.REPORTS), gateway.broker.name(Names.SEND_REPORTS), Names.REPORTS_KEY);
        }
        assertThat(list("")).isEqualTo(list);
        assertThat(resent(list, 2)).isEqualTo("200 ");
        assertThat(sent(Names.REPORTS)).isEqualTo("{\"type\": \"x\"}");
    }

    private String resent(JsonNode list, int index) throws Exception {
        String id = list.at("/data/" + index + "/id").asText();
        Answer answer = as(Role.OPERATOR, "POST", "/rejected/" + id + "/resend", null);
        String detail = answer.json().path("detail").asText();
        return answer.status() + " " + detail.substring(0, Math.min(26, detail.length()));
    }

    @Test
    void oneIsDroppedWithItsBeginInTheAuditLogAndTheOthersStay() throws Exception {
        reject(Names.TASKS, ONE);
        reject(Names.COMMANDS, TWO);
        reject(Names.REPORTS, "{}");
        String second = list("").at("/data/1/id").asText();

        assertThat(as(Role.OPERATOR, "DELETE", "/rejected/" + second, null).status())
                .isEqualTo(200);

        JsonNode left = list("");
        assertThat(left.get("data")).hasSize(2);
        assertThat(left.at("/data/0/begin").asText()).contains("t1");
        assertThat(left.at("/data/1/begin").asText()).isEqualTo("{}");
        assertThat(sent(Names.COMMANDS)).isNull();
        assertThat(as(Role.OPERATOR, "DELETE", "/rejected/" + second, null).status())
                .isEqualTo(404);
        List<JsonNode> audit = Files.readAllLines(directory.resolve("audit")).stream()
                .map(line -> Json.read(line.getBytes(StandardCharsets.UTF_8), JsonNode.class))
                .filter(line -> line.path("what").asText().equals("DELETE /rejected/" + second))
                .toList();
        assertThat(audit)
                .extracting(line ->
                        line.get("step").asText() + " " + line.path("status").asText())
                .containsExactly("asked ", "answered 200", "denied 404");
        assertThat(audit.get(0).at("/body/begin").asText()).isEqualTo(TWO);
        assertThat(audit.get(0).at("/body/reason").asText()).isEqualTo("dat_in_uid is required");
    }

    @Test
    void onlyOperatorsSeeThemAndATokenWithAScopeSendsAndDropsNone() throws Exception {
        reject(Names.TASKS, ONE);
        String path = "/rejected/" + list("").at("/data/0/id").asText() + "/resend";
        for (Role role : List.of(Role.VIEWER, Role.WFMS, Role.PILOT)) {
            assertThat(as(role, "GET", "/rejected", null).status()).isEqualTo(403);
            assertThat(as(role, "POST", path, null).status()).isEqualTo(403);
        }
        Scope scope = new Scope(List.of("t*"), null, null, null);
        String narrow = gateway.token("narrow", Role.OPERATOR, Instant.now().plusSeconds(600), scope);
        await().until(() -> gateway.send("GET", "/whoami", narrow, null).status() == 200);

        assertThat(gateway.send("POST", path, narrow, null).status()).isEqualTo(403);
        assertThat(gateway.send("DELETE", path.replace("/resend", ""), narrow, null)
                        .status())
                .isEqualTo(403);
        assertThat(left()).isEqualTo(1);
    }
}
