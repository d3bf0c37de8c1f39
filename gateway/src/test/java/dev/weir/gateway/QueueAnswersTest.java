package dev.weir.gateway;

import static dev.weir.gateway.QueueOverRest.texts;
import static dev.weir.gateway.QueueOverRest.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.gateway.access.Role;
import dev.weir.protocol.queue.QueueEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Answers of keys, keys that run again, and ranks, over REST with the core behind a real broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueAnswersTest {

    private static final int MANY = 60;
    private static final Map<String, Object> HOUR = Map.of("fresh_s", 3600);

    private TestGateway gateway;
    private TestQueues queues;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        gateway = TestGateway.start(directory);
        queues = new TestQueues(gateway.broker);
    }

    @AfterAll
    void stop() throws Exception {
        queues.close();
        gateway.close();
    }

    private static void assertAnswer(Answer answer, String outcome, String result) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.text("outcome")).isEqualTo(outcome);
        assertThat(answer.json().path("result").asText()).isEqualTo(result);
    }

    private static String header(Answer answer, String name) {
        return answer.headers().firstValue(name).orElse("none");
    }

    private double waiting() throws Exception {
        return gateway.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("weir_gateway_answers_waiting "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    @Test
    void aMissingAnswerIsMadeOnceForAllWhoWait() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.post("/items", "{\"key\": \"before\", \"priority\": 2}");
        queues.received();
        List<CompletableFuture<Answer>> asked = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            asked.add(PopClient.ask(queue, "{\"key\": \"a\", \"payload\": {\"ip\": 1}, \"wait_s\": 60}"));
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> waiting() >= MANY);
        JsonNode item = queue.popped();
        assertThat(item.get("key").asText()).as("it goes before others").isEqualTo("a");
        assertThat(item.get("payload").toString()).isEqualTo("{\"ip\":1}");
        assertThat(queue.finish(item, "found", HOUR).status()).isEqualTo(200);

        for (CompletableFuture<Answer> one : asked) {
            assertAnswer(one.get(60, TimeUnit.SECONDS), "fresh", "found");
        }
        assertThat(queue.view().get("pushed").asInt()).isEqualTo(2);
        long questions = queues.received().stream()
                .flatMap(one -> one.request().entries().stream())
                .filter(entry -> entry instanceof QueueEntry.Answer)
                .count();
        assertThat(questions).as("asked of the queues").isBetween(1L, MANY / 2L);
    }

    @Test
    void aFreshAnswerIsGivenWithItsAgeToWhoAsksAndToWhoLooks() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"fresh_s\": 3600, \"stale_s\": 60}");
        queue.push("a");
        queue.finish(queue.popped(), "one", Map.of());
        Answer asked = queue.ask("{\"key\": \"a\"}");
        assertAnswer(asked, "fresh", "one");
        assertThat(asked.json().get("age_ms").asLong()).isBetween(0L, 30_000L);
        assertThat(asked.json().get("fresh_ms").asLong()).isBetween(3_570_000L, 3_600_000L);
        assertThat(asked.json().get("stale_ms").asLong()).isEqualTo(60_000);
        assertThat(Long.parseLong(header(asked, "Age"))).isBetween(0L, 30L);
        assertThat(header(asked, "Cache-Control")).matches("private, max-age=(3600|3599)");
        assertAnswer(queue.answer("a", "&max_age_s=60"), "fresh", "one");
        assertThat(queue.view().get("waiting").asInt()).as("no new work").isZero();
        assertThat(queue.view().get("hits").asInt()).isPositive();
    }

    @Test
    void aRemovalAndANewerResultThroughThisGatewayCountAtOnce() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.push("a");
        queue.finish(queue.popped(), "one", HOUR);
        assertAnswer(queue.answer("a", ""), "fresh", "one");
        queue.post("/items", "{\"key\": \"a\", \"if_present\": \"replace\"}");
        JsonNode item = queue.popped();
        assertAnswer(queue.answer("a", ""), "fresh", "one");
        String more = write(Map.of(
                "items",
                List.of(Map.of(
                        "token", item.get("token").asText(), "end", "finished", "result", "two", "fresh_s", 3600))));
        assertThat(queue.post("/done", more).status()).isEqualTo(200);
        assertAnswer(queue.answer("a", ""), "fresh", "two");
        assertThat(queue.item("DELETE", "a", "").status()).isEqualTo(200);
        assertThat(queue.answer("a", "").status()).isEqualTo(404);

        queue.push("b");
        queue.finish(queue.popped(), "b", HOUR);
        assertAnswer(queue.answer("b", ""), "fresh", "b");
        assertThat(queue.send(Role.OPERATOR, "DELETE", "", null).status()).isEqualTo(200);
        assertThat(queue.answer("b", "").status()).isEqualTo(404);
    }

    @Test
    void whereThereIsNoAnswerYetTheRequestIsToBeRepeated() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        Answer unknown = queue.answer("a", "&wait_s=1");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(queue.view().get("waiting").asInt())
                .as("looking makes no work")
                .isZero();
        Answer pending = queue.ask("{\"key\": \"a\", \"wait_s\": 0.2}");
        assertThat(pending.status()).isEqualTo(202);
        assertThat(pending.body()).isEqualTo("{\"key\":\"a\",\"outcome\":\"pending\"}");
        assertThat(header(pending, "Retry-After")).isEqualTo("2");
        assertThat(queue.answer("a", "").status()).isEqualTo(202);
        assertThat(queue.view().get("waiting").asInt()).isEqualTo(1);
    }

    @Test
    void aFailedLookupIsToldWithItsReasonUnlessAnOlderAnswerWillDo() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"attempts\": 1, \"stale_s\": 3600}");
        queue.push("old");
        queue.finish(queue.popped(), "before", Map.of());
        Answer old = queue.ask("{\"key\": \"old\"}");
        assertAnswer(old, "old", "before");
        assertThat(header(old, "Cache-Control")).isEqualTo("private, max-age=0");
        assertThat(queue.ask("{\"key\": \"old\", \"stale_s\": 0}").status()).isEqualTo(202);
        fail(queue);
        assertAnswer(queue.ask("{\"key\": \"old\", \"wait_s\": 30}"), "old", "before");
        Answer strict = queue.ask("{\"key\": \"old\", \"stale_s\": 0, \"wait_s\": 30}");
        assertThat(strict.status()).isEqualTo(502);
        assertThat(strict.text("detail")).isEqualTo("no route");

        CompletableFuture<Answer> waiting = PopClient.ask(queue, "{\"key\": \"new\", \"wait_s\": 30}");
        await().until(() -> queue.view().get("waiting").asInt() == 1);
        fail(queue);
        assertThat(waiting.get(60, TimeUnit.SECONDS).status()).isEqualTo(502);
        assertThat(queue.answer("new", "").text("detail")).isEqualTo("no route");
    }

    private static void fail(QueueOverRest queue) throws Exception {
        String token = queue.popped().get("token").asText();
        assertThat(queue.post("/done", write(Map.of("token", token, "end", "failed", "error", "no route")))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aFullQueueAndOneThatIsNotThereAreTold() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"max_items\": 1, \"reserve\": 0}");
        queue.push("a");
        Answer full = queue.ask("{\"key\": \"b\", \"wait_s\": 1}");
        assertThat(full.status()).isEqualTo(429);
        assertThat(header(full, "Retry-After")).isEqualTo("5");
        String token = gateway.byRole.get(Role.OPERATOR);
        assertThat(gateway.send("POST", "/answer/none", token, "{\"key\": \"b\"}")
                        .status())
                .isEqualTo(404);
        assertThat(gateway.get("/answer/none?key=b").status()).isEqualTo(404);
    }

    @Test
    void aHundredRequestsOfATokenWaitAndTheNextIsRefused() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        List<CompletableFuture<Answer>> asked = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            asked.add(PopClient.ask(queue, "{\"key\": \"a\", \"wait_s\": 60}"));
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> waiting() >= 100);
        Answer refused = queue.ask("{\"key\": \"b\"}");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(header(refused, "Retry-After")).isEqualTo("1");
        assertThat(refused.text("detail")).contains("100 requests of this token");
        assertThat(queue.answer("a", "").status()).as("another token's").isEqualTo(202);
        queue.finish(queue.popped(), "x", HOUR);
        for (CompletableFuture<Answer> one : asked) {
            assertAnswer(one.get(60, TimeUnit.SECONDS), "fresh", "x");
        }
        await().until(() -> queue.ask("{\"key\": \"b\"}").status() == 202);
    }

    @Test
    void aKeyThatRunsAgainRestsAndAPushMeetsItsFreshAnswer() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"fresh_s\": 60}");
        Answer pushed = queue.post("/items", """
                {"items": [{"key": "a", "again": {"cron": "0 3 * * *", "zone": "Europe/Paris", "jitter_s": 60}}, {"key": "b"}]}""");
        assertThat(texts(pushed.json().get("outcomes"), "outcome")).containsExactly("created", "created");
        queue.finish(queue.popped(), "one", Map.of("digest", "d1", "next", "2100-01-01T00:00:00Z"));
        queue.finish(queue.popped(), "two", Map.of("fresh_s", 0, "stale_s", 0));

        JsonNode shown = queue.item("GET", "a", "").json();
        assertThat(shown.get("state").asText()).isEqualTo("resting");
        assertThat(shown.get("not_before").asText()).isEqualTo("2100-01-01T00:00:00Z");
        assertThat(shown.at("/again/cron").asText()).isEqualTo("0 3 * * *");
        assertThat(shown.at("/again/zone").asText()).isEqualTo("Europe/Paris");
        assertThat(shown.at("/answer/result").asText()).isEqualTo("one");
        assertThat(texts(queue.get("/peek?state=resting").json().get("data"), "key"))
                .containsExactly("a");
        assertThat(queue.view().get("resting").asInt()).isEqualTo(1);
        Answer fresh = queue.push("a");
        assertThat(fresh.status()).isEqualTo(200);
        assertThat(fresh.text("outcome")).isEqualTo("fresh");
        assertThat(queue.post("/items", "{\"key\": \"a\", \"if_present\": \"replace\", \"again\": {}}")
                        .status())
                .isEqualTo(201);
        assertThat(queue.item("GET", "a", "").json().path("again").path("cron").asText())
                .isEmpty();
    }

    @Test
    void factsMakePriorities() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"rank\": {\"weights\": {\"level\": 10, \"findings\": 1}}}");
        queue.post("/items", """
                {"items": [{"key": "a", "priority": 100}, {"key": "b", "priority": 100, "facts": {"level": 2}}, {"key": "c", "priority": 100}]}""");
        assertThat(texts(queue.get("/peek").json().get("data"), "key")).containsExactly("b", "a", "c");
        Answer scored = queue.put("/score", "{\"key\": \"c\", \"facts\": {\"level\": 5}}");
        assertThat(scored.body()).isEqualTo("{\"outcome\":\"ok\"}");
        assertThat(queue.item("GET", "c", "").json().get("priority").asInt()).isEqualTo(50);
        Answer several = queue.put("/score", """
                {"items": [{"key": "none", "facts": {"level": 5}}, {"key": "a", "facts": {"findings": 70}}, {"owner": "default", "facts": {"level": 1}}]}""");
        assertThat(texts(several.json().get("outcomes"), "outcome")).containsExactly("unknown", "ok", "ok");
        await().untilAsserted(() -> assertThat(texts(queue.get("/peek").json().get("data"), "priority"))
                .containsExactly("20", "50", "80"));
        assertThat(queue.put("/score", "{\"key\": \"none\", \"facts\": {\"level\": 5}}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void questionsAndFactsAreNotInTheAuditLogUnlessTheyAreRefused() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.ask("{\"key\": \"a\"}");
        queue.put("/score", "{\"key\": \"a\", \"facts\": {\"x\": 1}}");
        queue.ask("{}");
        String audit = Files.readString(gateway.options.audit());
        assertThat(audit.lines().filter(line -> line.contains(queue.name)))
                .noneMatch(line -> line.contains("/score"))
                .filteredOn(line -> line.contains("/answer/"))
                .singleElement()
                .asString()
                .contains("\"denied\"", "422");
    }
}
