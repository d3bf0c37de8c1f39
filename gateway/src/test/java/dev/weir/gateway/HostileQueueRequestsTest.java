package dev.weir.gateway;

import static dev.weir.gateway.QueueOverRest.write;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.queue.QueueLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nobody's nonsense reaches the queues, nor holds up the requests of others that travel in the same message. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileQueueRequestsTest {

    private static final long SEED = 20_261_125;
    private static final int NESTED = 100;

    private TestGateway gateway;
    private TestQueues queues;
    private QueueOverRest queue;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        gateway = TestGateway.start(directory);
        queues = new TestQueues(gateway.broker);
        queue = new QueueOverRest(gateway);
    }

    @AfterAll
    void stop() throws Exception {
        queues.close();
        gateway.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/items|{}|422|key",
                "/items|{\"key\": \"\"}|422|key",
                "/items|{\"key\": \" \"}|422|key",
                "/items|{\"key\": 7}|422|key",
                "/items|{\"key\": \"a\\u0000b\"}|422|key",
                "/items|{\"key\": \"a\", \"priority\": 0}|422|priority",
                "/items|{\"key\": \"a\", \"priority\": 1.5}|422|priority",
                "/items|{\"key\": \"a\", \"kind\": \"a b\"}|422|kind",
                "/items|{\"key\": \"a\", \"owner\": \"../x\"}|422|owner",
                "/items|{\"key\": \"a\", \"if_present\": \"drop\"}|422|if_present",
                "/items|{\"key\": \"a\", \"not_before\": \"soon\"}|422|not_before",
                "/items|{\"key\": \"a\", \"expires_at\": \"2001-01-01T00:00:00Z\"}|422|expires_at",
                "/items|{\"items\": []}|422|key",
                "/items|{\"items\": [null]}|422|items",
                "/items|{\"items\": [{\"key\": \"a\"}, {}]}|422|items[1].key",
                "/items|{\"items\": [{\"items\": [{\"key\": \"a\"}]}]}|422|items[0].items",
                "/items|{\"key\": \"a\", \"items\": [{\"key\": \"b\"}]}|422|items",
                "/items|{\"kind\": \"a\", \"items\": [{\"key\": \"b\"}]}|422|items",
                "/items|{\"priority\": 1, \"items\": [{\"key\": \"b\"}]}|422|items",
                "/items|[{\"key\": \"a\"}]|400|",
                "/items|null|400|",
                "/items|{\"key\": \"a\", \"key\": \"b\"}|400|",
                "/items|{\"key\": \"a\\ud800\"}|422|key",
                "/items|{\"key\": \"a\", \"payload\": \"\\ud800\"}|400|",
                "/items|{\"key\": \"a\", \"again\": {\"every\": 60}}|422|again.every",
                "/items|{\"key\": \"a\", \"again\": {\"every_s\": 0}}|422|again.every_s",
                "/items|{\"key\": \"a\", \"again\": {\"every_s\": \"x\"}}|422|again.every_s",
                "/items|{\"key\": \"a\", \"again\": {\"every_s\": 1, \"after_s\": 1}}|422|again",
                "/items|{\"key\": \"a\", \"again\": {\"cron\": \"61 * * * *\"}}|422|again.cron",
                "/items|{\"key\": \"a\", \"again\": {\"cron\": \"0 0 31 2 *\"}}|422|again.cron",
                "/items|{\"key\": \"a\", \"again\": {\"cron\": \"0 3 * * *\", \"zone\": \"Mars\"}}|422|again.zone",
                "/items|{\"items\": [{\"key\": \"a\", \"again\": {\"jitter_s\": 1}}]}|422|items[0].again.jitter_s",
                "/items|{\"key\": \"a\", \"again\": 60}|422|again",
                "/items|{\"key\": \"a\", \"facts\": {\"x\": \"1\"}}|422|facts.x",
                "/items|{\"key\": \"a\", \"facts\": {\"x\": null}}|422|facts",
                "/items|{\"items\": [{\"key\": \"a\", \"facts\": {\"a b\": 1}}]}|422|items[0].facts",
                "/items|{\"key\": \"a\", \"prioritty\": 1}|422|prioritty",
                "/items|{\"items\": [{\"key\": \"a\"}, {\"key\": \"b\", \"paylod\": 1}]}|422|items[1].paylod",
                "/items|{\"key\": \"a\", \"wait_s\": 1}|422|wait_s",
                "/pop|{\"kind\": \"a\"}|422|kind",
                "/pop|{\"most\": 257}|422|most",
                "/pop|{\"wait_s\": 61}|422|wait_s",
                "/pop|{\"wait_s\": -1}|422|wait_s",
                "/pop|{\"kinds\": [\"a b\"]}|422|kinds",
                "/done|{}|422|token",
                "/done|{\"token\": \"x\"}|422|end",
                "/done|{\"token\": \"x\", \"end\": \"finished\", \"fresh\": 1}|422|fresh",
                "/done|{\"token\": \"x\", \"end\": \"finished\", \"push\": [{\"kye\": \"a\"}]}|422|push[0].kye",
                "/done|{\"token\": \"x\", \"end\": \"failed\", \"result\": 1}|422|result",
                "/done|{\"token\": \"x\", \"end\": \"finished\", \"error\": \"e\"}|422|error",
                "/done|{\"items\": [{\"token\": \"x\", \"end\": \"lost\"}]}|422|items[0].end",
                "/done|{\"end\": \"failed\", \"items\": [{\"token\": \"x\", \"end\": \"failed\"}]}|422|items",
                "/done|{\"push\": [{\"key\": \"b\"}], \"items\": [{\"token\": \"x\", \"end\": \"failed\"}]}|422|items",
                "/done|{\"token\": \"x\", \"end\": \"finished\", \"fresh_s\": -1}|422|fresh_s",
                "/done|{\"token\": \"x\", \"end\": \"failed\", \"stale_s\": 1}|422|stale_s",
                "/done|{\"items\": [{\"token\": \"x\", \"end\": \"released\", \"digest\": \"d\"}]}|422|items[0].digest",
                "/done|{\"token\": \"x\", \"end\": \"finished\", \"next\": \"soon\"}|422|next",
                "/done|{\"token\": \"x\", \"end\": \"released\", \"unseen\": true}|422|unseen",
                "/extend|{\"token\": \"x\", \"lease_s\": 0}|422|lease_s",
                "/extend|{\"lease_s\": 60, \"items\": [{\"token\": \"x\"}]}|422|items",
                "/hold|{\"token\": \"x\", \"group\": \"g\"}|422|hold_s",
                "/hold|{\"token\": \"x\", \"group\": \"g\", \"hold_s\": 604801}|422|hold_s",
                "/redrive|{\"most\": 0}|422|most",
                "/redrive|{\"mots\": 1}|422|mots",
            })
    void whatIsNotValidIsRefusedWithItsField(String path, String body, int status, String field) throws Exception {
        Answer answer = queue.post(path, body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.json().path("field").asText(null)).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"lease\": 7}|lease",
                "{\"lease_s\": 0}|lease_s",
                "{\"max_items\": 10000001}|max_items",
                "{\"lease_s\": 9, \"max_lease_s\": 8}|max_lease_s",
                "{\"max_resting\": -1}|max_resting",
                "{\"grace_s\": 31536001}|grace_s",
                "{\"fresh_s\": 1.5}|fresh_s",
                "{\"stale_s\": -1}|stale_s",
                "{\"recheck_s\": 86401}|recheck_s",
                "{\"refresh\": \"often\"}|refresh",
                "{\"rank\": {\"weigths\": {}}}|rank.weigths",
                "{\"rank\": {\"weights\": {\"x\": \"much\"}}}|rank.weights.x",
                "{\"rank\": {\"ranker\": \"a b\"}}|rank.ranker"
            })
    void aSettingThatIsMisspeltOrOutOfRangeIsNotTaken(String settings, String field) throws Exception {
        Answer answer = queue.put("", settings);
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text("field")).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|422|key",
                "{\"key\": \"a\", \"priority\": 0}|422|priority",
                "{\"key\": \"a\", \"max_age\": 5}|422|max_age",
                "{\"key\": \"a\", \"max_age_s\": -1}|422|max_age_s",
                "{\"key\": \"a\", \"stale_s\": 31536001}|422|stale_s",
                "{\"key\": \"a\", \"wait_s\": 61}|422|wait_s",
                "{\"key\": \"a\", \"wait_s\": \"1\"}|422|wait_s",
                "{\"items\": [{\"key\": \"a\"}]}|422|items",
                "{\"key\": \"a\", \"payload\": \"\\ud800\"}|400|",
                "[]|400|"
            })
    void aQuestionThatIsNotValidIsRefusedWithItsField(String body, int status, String field) throws Exception {
        Answer answer = queue.ask(body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.json().path("field").asText(null)).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource({
        "key=, 400",
        "key=a&max_age_s=x, 400",
        "key=a&wait_s=61, 400",
        "key=a&stale_s=-1, 400",
        "key=a&start=1, 400"
    })
    void aLookForAnAnswerHasTheParametersOfTheContract(String query, int status) throws Exception {
        assertThat(gateway.get("/answer/" + queue.name + "?" + query).status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"facts\": {\"x\": 1}}|key",
                "{\"key\": \"a\", \"owner\": \"b\", \"facts\": {\"x\": 1}}|key",
                "{\"key\": \"a\"}|facts",
                "{\"owner\": \"../x\", \"facts\": {\"x\": 1}}|owner",
                "{\"items\": [{\"key\": \"a\", \"facts\": {}}]}|items[0].facts",
                "{\"facts\": {\"x\": 1}, \"items\": [{\"key\": \"a\", \"facts\": {\"y\": 1}}]}|items"
            })
    void factsThatAreNotValidAreRefusedWithTheirField(String body, String field) throws Exception {
        Answer answer = queue.put("/score", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(422);
        assertThat(answer.text("field")).isEqualTo(field);
    }

    @Test
    void payloadsAndResultsOf64KiBComeThroughAndLargerOnesDoNot() throws Exception {
        String most = "é".repeat(QueueLimits.MAX_PAYLOAD_BYTES / 2 - 1);
        QueueOverRest own = new QueueOverRest(gateway);
        assertThat(own.post("/items", write(Map.of("key", "a", "payload", most)))
                        .status())
                .isEqualTo(201);
        Answer large = own.post("/items", write(Map.of("key", "b", "payload", most + "x")));
        assertThat(large.status()).isEqualTo(413);
        assertThat(large.text("field")).isEqualTo("payload");
        Answer second = own.post("/items", write(Map.of("items", List.of(Map.of("key", "b", "payload", most + "x")))));
        assertThat(second.text("field")).isEqualTo("items[0].payload");

        JsonNode item = own.popped();
        assertThat(item.get("payload").asText()).isEqualTo(most);
        String token = item.get("token").asText();
        assertThat(own.post("/done", write(Map.of("token", token, "end", "finished", "result", most + "x")))
                        .status())
                .isEqualTo(413);
        assertThat(own.post("/done", write(Map.of("token", token, "end", "finished", "result", most)))
                        .status())
                .isEqualTo(200);
        assertThat(own.post("/items", "{\"key\": \"" + "a".repeat(1 << 20) + "\"}")
                        .status())
                .isEqualTo(413);
    }

    @Test
    void numbersComeThroughWithAllTheirDigits() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        String numbers = "[1.10,12345678901234567890123456789,0.1000000000000000055511151231257827,1E+400]";
        queue.post("/items", "{\"key\": \"a\", \"payload\": " + numbers + "}");

        assertThat(queue.item("GET", "a", "").body()).contains("\"payload\":" + numbers);
        String token = queue.popped().get("token").asText();
        String result = "\"end\": \"finished\", \"fresh_s\": 60, \"result\": " + numbers;
        queue.post("/done", "{\"token\": \"" + token + "\", " + result + "}");
        assertThat(queue.answer("a", "").body()).contains("\"result\":" + numbers);
    }

    @Test
    void thirtyLargeItemsInOneMillisecondAreSentInSeveralMessages() throws Exception {
        QueueOverRest own = new QueueOverRest(gateway);
        String large = "x".repeat(60_000);
        List<CompletableFuture<Answer>> pushes = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            pushes.add(PopClient.send(own, "/items", write(Map.of("key", "k" + i, "payload", large))));
        }
        for (CompletableFuture<Answer> push : pushes) {
            assertThat(push.get(60, TimeUnit.SECONDS).status()).isEqualTo(201);
        }
        // Of so large ones a pop gives fewer than it may.
        assertThat(own.post("/pop", "{\"most\": 256}").json().get("items")).hasSizeBetween(2, 29);
    }

    @Test
    void deepPayloadsSpoilNoMessage() throws Exception {
        QueueOverRest own = new QueueOverRest(gateway);
        String deepest = "[".repeat(NESTED) + "]".repeat(NESTED);
        assertThat(own.post("/items", "{\"key\": \"a\", \"payload\": " + deepest + "}")
                        .status())
                .isEqualTo(201);
        for (int more : new int[] {1, 400, 498, 600, 100_000}) {
            String deeper = "[".repeat(NESTED + more) + "]".repeat(NESTED + more);
            Answer answer = own.post("/items", "{\"key\": \"b\", \"payload\": " + deeper + "}");
            assertThat(answer.status()).as("" + more).isIn(400, 422);
        }
        assertThat(own.popped().get("payload").toString()).isEqualTo(deepest);
    }

    @Test
    void anyKeyComesThroughAsItWas() throws Exception {
        QueueOverRest own = new QueueOverRest(gateway);
        Random random = new Random(SEED);
        List<String> keys = new ArrayList<>(List.of(
                "\u0001\u001f\u007f",
                "\"\\\n\r\t",
                "../../etc",
                "%00%2e",
                "a\u2028b",
                "😀",
                "</script>",
                "{\"key\": 1}"));
        for (int i = 0; i < 50; i++) {
            keys.add(random.ints(1 + random.nextInt(40), 1, 0xd800)
                    .filter(c -> c > ' ')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .append('k')
                    .toString());
        }
        Collections.shuffle(keys, random);
        for (String key : keys) {
            assertThat(own.post("/items", write(Map.of("key", key))).status())
                    .as(key)
                    .isEqualTo(201);
            Answer shown = own.item("GET", key, "");
            assertThat(shown.text("key")).as(shown.body()).isEqualTo(key);
        }
        assertThat(own.post("/items", write(Map.of("key", "k".repeat(1_025)))).status())
                .isEqualTo(422);
        for (String key : List.of("", "k".repeat(1_025))) {
            assertThat(own.item("GET", key, "").status()).isEqualTo(400);
            assertThat(own.item("DELETE", key, "").status()).isEqualTo(400);
        }
        assertThat(queue.get("/item?key=a&wait_s=61").status()).isEqualTo(400);
        assertThat(queue.get("/item?key=a&key=b").status()).isEqualTo(400);
    }

    @Test
    void aNameThatNoQueueCanHaveIsOfNone() throws Exception {
        for (String name : List.of("a%20b", "%2e%2e", "x".repeat(129), "%00")) {
            for (String path : List.of("", "/peek")) {
                int status = gateway.get("/queue/" + name + path).status();
                assertThat(status).as(name + path).isIn(400, 404);
            }
        }
        Answer made = gateway.put("/queue/a%20b", "{}");
        assertThat(made.status()).isEqualTo(422);
        assertThat(made.text("field")).isEqualTo("queue");
    }
}
