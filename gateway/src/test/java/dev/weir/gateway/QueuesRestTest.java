package dev.weir.gateway;

import static dev.weir.gateway.QueueOverRest.texts;
import static dev.weir.gateway.QueueOverRest.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.gateway.access.Role;
import dev.weir.protocol.Names;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Queues over REST, with the core behind a real broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueuesRestTest {

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

    @Test
    void anItemIsPushedPoppedKeptAndFinished() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        Answer created = queue.post("/items", """
                {"key": "a", "kind": "scan", "owner": "org7", "payload": {"host": "é", "deep": [1, null]}, "groups": ["net:a"]}""");
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.json().toString()).isEqualTo("{\"key\":\"a\",\"outcome\":\"created\"}");
        assertThat(queue.view().get("waiting").asInt()).isEqualTo(1);

        JsonNode item = queue.popped();
        assertThat(item.get("key").asText()).isEqualTo("a");
        assertThat(item.get("payload").toString()).isEqualTo("{\"host\":\"é\",\"deep\":[1,null]}");
        assertThat(item.get("attempt").asInt()).isEqualTo(1);
        String lease = write(Map.of("token", item.get("token").asText(), "lease_s", 300));
        assertThat(queue.post("/extend", lease).json().get("lease_s").asInt()).isBetween(299, 300);

        String hold = write(Map.of("token", item.get("token").asText(), "group", "net:a", "hold_s", 60));
        assertThat(queue.post("/hold", hold).status()).isEqualTo(200);
        assertThat(queue.post("/items", "{\"key\": \"held\", \"groups\": [\"net:a\"]}")
                        .status())
                .isEqualTo(201);
        assertThat(queue.pop().json().toString()).isEqualTo("{\"items\":[]}");
        assertThat(queue.item("DELETE", "held", "").status()).isEqualTo(200);
        assertThat(queue.post("/hold", hold.replace("net:a", "net:b")).status()).isEqualTo(422);

        assertThat(queue.end(item, "finished").json().toString()).isEqualTo("{\"outcome\":\"ok\"}");
        assertThat(queue.end(item, "finished").status()).as("it is over").isEqualTo(409);
        assertThat(queue.post("/extend", lease).status()).isEqualTo(409);
        assertThat(queue.view().get("finished").asInt()).isEqualTo(1);
        assertThat(queue.pop().json().toString()).isEqualTo("{\"items\":[]}");
        assertThat(queue.item("GET", "a", "").status()).isEqualTo(404);
    }

    @Test
    void aKeyIsInItsQueueOnceAndAPushSaysWhatItMet() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        assertThat(queue.push("a").status()).isEqualTo(201);
        Answer again = queue.push("a");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text("outcome")).isEqualTo("waiting");
        assertThat(queue.post("/items", "{\"key\": \"a\", \"priority\": 1}").text("outcome"))
                .isEqualTo("raised");
        assertThat(queue.post("/items", "{\"key\": \"a\", \"if_present\": \"replace\"}")
                        .text("outcome"))
                .isEqualTo("replaced");
        queue.popped();
        assertThat(queue.post("/items", "{\"key\": \"a\", \"if_present\": \"keep\"}")
                        .text("outcome"))
                .isEqualTo("leased");
        assertThat(queue.push("a").text("outcome")).isEqualTo("again");
    }

    @Test
    void aFullQueueRefusesOneWith429AndTellsOfSeveral() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"max_items\": 2, \"reserve\": 0}");
        Answer several = queue.post("/items", "{\"items\": [{\"key\": \"a\"}, {\"key\": \"b\"}, {\"key\": \"c\"}]}");
        assertThat(several.status()).isEqualTo(200);
        assertThat(texts(several.json().get("outcomes"), "key")).containsExactly("a", "b", "c");
        assertThat(texts(several.json().get("outcomes"), "outcome")).containsExactly("created", "created", "full");
        assertThat(several.json().at("/outcomes/2/reason").asText()).contains("2 items");

        Answer full = queue.push("d");
        assertThat(full.status()).isEqualTo(429);
        assertThat(full.headers().firstValue("Retry-After")).contains("5");
        assertThat(queue.push("a").status()).isEqualTo(200);
    }

    @Test
    void severalItemsAreTakenAndEndedInOneRequest() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.post("/items", "{\"items\": [{\"key\": \"a\"}, {\"key\": \"b\"}, {\"key\": \"c\"}]}");
        JsonNode items = queue.post("/pop", "{\"most\": 256}").json().get("items");
        assertThat(texts(items, "key")).containsExactly("a", "b", "c");
        QueueOverRest other = new QueueOverRest(gateway);
        other.push("x");
        List<Map<String, String>> ends = List.of(
                Map.of("token", items.at("/0/token").asText(), "end", "finished"),
                Map.of("token", "nonsense", "end", "finished"),
                Map.of("token", other.popped().get("token").asText(), "end", "finished"),
                Map.of("token", items.at("/1/token").asText(), "end", "released"));

        Answer done = queue.post("/done", write(Map.of("items", ends)));
        assertThat(done.status()).isEqualTo(200);
        assertThat(texts(done.json().get("outcomes"), "outcome")).containsExactly("ok", "stale", "stale", "ok");
        assertThat(queue.view().get("waiting").asInt()).isEqualTo(1);
        assertThat(other.view().get("leased").asInt()).as("another queue's").isEqualTo(1);

        Answer extended = queue.post(
                "/extend",
                write(Map.of(
                        "items", List.of(Map.of("token", items.at("/2/token").asText()), Map.of("token", "x.y")))));
        assertThat(texts(extended.json().get("outcomes"), "outcome")).containsExactly("ok", "stale");
    }

    @Test
    void aLeaseIsProvenByItsTokenAlone() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        QueueOverRest other = new QueueOverRest(gateway);
        queue.push("a");
        JsonNode item = queue.popped();
        String token = item.get("token").asText();
        for (String wrong : List.of("x", ".", token + "0", token.substring(1), "%%%." + token)) {
            Answer answer = queue.post("/done", write(Map.of("token", wrong, "end", "finished")));
            assertThat(answer.status()).as(wrong).isEqualTo(409);
        }
        Answer elsewhere = other.post("/done", write(Map.of("token", token, "end", "finished")));
        assertThat(elsewhere.status()).isEqualTo(409);
        assertThat(elsewhere.text("detail")).contains(other.name);
        assertThat(other.post("/extend", write(Map.of("token", token))).status())
                .isEqualTo(409);

        assertThat(queue.end(item, "finished").status()).isEqualTo(200);
    }

    @Test
    void whatFailsTooOftenIsDeadUntilItIsRedriven() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"attempts\": 1}");
        queue.push("a");
        String failed = write(Map.of(
                "token", queue.popped().get("token").asText(), "end", "failed", "error", "no route", "retry", false));
        assertThat(queue.post("/done", failed).status()).isEqualTo(200);
        JsonNode dead = queue.item("GET", "a", "").json();
        assertThat(dead.get("state").asText()).isEqualTo("dead");
        assertThat(dead.get("error").asText()).isEqualTo("no route");

        assertThat(queue.post("/redrive", "{\"most\": 10}").json().get("count").asInt())
                .isEqualTo(1);
        assertThat(queue.popped().get("key").asText()).isEqualTo("a");
        assertThat(queue.post("/redrive", null).json().get("count").asInt()).isZero();
    }

    /** As generated clients send it. */
    @Test
    void aResultThatIsNullIsNoneOfAnItemThatHasNotFinished() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        for (String end : List.of("failed\", \"error\": \"no route", "released")) {
            queue.push(end);
            String token = queue.popped().get("token").asText();
            String body = "{\"token\": \"" + token + "\", \"end\": \"" + end + "\", \"result\": null}";
            assertThat(queue.post("/done", body).status()).as(end).isEqualTo(200);
        }
    }

    @Test
    void itemsAreLookedAtWithoutBeingTakenAndRemoved() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        for (String key : List.of("a", "b/c?d=é&", "c")) {
            queue.push(key);
        }
        assertThat(texts(queue.get("/peek?n=2").json().get("data"), "key")).containsExactly("a", "b/c?d=é&");
        assertThat(queue.get("/peek").json().get("data")).hasSize(3);
        JsonNode shown = queue.item("GET", "b/c?d=é&", "").json();
        assertThat(shown.get("position").asInt()).isEqualTo(1);
        assertThat(shown.get("why").asText()).contains("no worker");

        assertThat(queue.item("DELETE", "b/c?d=é&", "").status()).isEqualTo(200);
        assertThat(queue.item("DELETE", "b/c?d=é&", "").status()).isEqualTo(404);
        assertThat(queue.item("GET", "b/c?d=é&", "").status()).isEqualTo(404);
        assertThat(queue.get("/item").status()).isEqualTo(400);
        assertThat(queue.get("/peek?n=257").status()).isEqualTo(400);
        assertThat(queue.get("/peek?state=gone").status()).isEqualTo(400);
        queue.post("/items", "{\"key\": \"then\", \"not_before\": \"2100-01-01T00:00:00Z\"}");
        String first = queue.popped().get("token").asText();
        queue.post("/done", write(Map.of("token", first, "end", "failed", "error", "no", "retry", false)));
        assertThat(texts(queue.get("/peek?state=later").json().get("data"), "key"))
                .containsExactly("then");
        assertThat(texts(queue.get("/peek?state=dead").json().get("data"), "error"))
                .containsExactly("no");
    }

    @Test
    void theOneWhoWaitsForTheEndOfAnItemGetsItsResult() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.push("a");
        JsonNode item = queue.popped();
        assertThat(queue.item("GET", "a", "&wait_s=0.2").json().get("state").asText())
                .isEqualTo("leased");
        queues.received();
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return queue.item("GET", "a", "&wait_s=30");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        await().until(() ->
                queues.received().stream().anyMatch(one -> one.queue().equals(Names.ASKS)));
        queue.post(
                "/done",
                write(Map.of(
                        "token",
                        item.get("token").asText(),
                        "end",
                        "finished",
                        "result",
                        Map.of("open", List.of(443)))));

        JsonNode ended = waiting.get(60, TimeUnit.SECONDS).json();
        assertThat(ended.get("state").asText()).isEqualTo("finished");
        assertThat(ended.get("result").toString()).isEqualTo("{\"open\":[443]}");
    }

    @Test
    void aQueueIsMadeSetPausedPurgedAndRemoved() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"lease_s\": 7, \"low\": 5}");
        assertThat(queue.view().at("/settings/lease_s").asInt()).isEqualTo(7);
        assertThat(queue.put("", "{\"lease_s\": 8}").status()).isEqualTo(200);
        assertThat(queue.view().get("settings").has("low"))
                .as("all are replaced")
                .isFalse();
        queue.push("a");
        queue.push("b");
        assertThat(queue.put("/paused", null).status()).isEqualTo(200);
        assertThat(queue.view().get("paused").asBoolean()).isTrue();
        assertThat(queue.pop().json().get("items")).isEmpty();
        assertThat(queue.put("/resumed", "null").status()).isEqualTo(200);
        JsonNode item = queue.popped();

        Answer busy = queue.send(Role.OPERATOR, "DELETE", "", null);
        assertThat(busy.status()).isEqualTo(409);
        assertThat(busy.text("detail")).contains("workers have items of queue");
        assertThat(queue.put("/purged", null).json().get("count").asInt()).isEqualTo(1);
        assertThat(queue.end(item, "finished").status()).isEqualTo(200);
        assertThat(queue.send(Role.OPERATOR, "DELETE", "", null).status()).isEqualTo(200);

        assertThat(queue.get("").status()).isEqualTo(404);
        assertThat(queue.push("a").status()).isEqualTo(404);
        assertThat(queue.post("/items", "{\"items\": [{\"key\": \"a\"}]}").status())
                .isEqualTo(404);
        assertThat(queue.pop().status()).isEqualTo(404);
        assertThat(queue.put("/paused", null).status()).isEqualTo(404);
    }

    private JsonNode group(String name) throws Exception {
        for (JsonNode group : gateway.get("/queue-limit").json().get("data")) {
            if (group.get("group").asText().equals(name)) {
                return group;
            }
        }
        throw new AssertionError("no group " + name);
    }

    @Test
    void anOwnerHasABoundAndAGroupALimitOverAllQueues() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        QueueOverRest other = new QueueOverRest(gateway);
        assertThat(queue.put("/owner/org7", "{\"weight\": 2, \"max_items\": 1}").status())
                .isEqualTo(200);
        assertThat(queue.put("/owner/org7", "{\"weight\": 101}").text("field")).isEqualTo("weight");
        String group = "net:" + queue.name;
        assertThat(gateway.put("/queue-limit", write(Map.of("group", group, "max_in_flight", 1)))
                        .status())
                .isEqualTo(200);
        assertThat(queue.post("/items", write(Map.of("key", "a", "owner", "org7", "groups", List.of(group))))
                        .status())
                .isEqualTo(201);
        assertThat(queue.post("/items", write(Map.of("key", "b", "owner", "org7")))
                        .text("detail"))
                .contains("org7");
        other.post("/items", write(Map.of("key", "b", "groups", List.of(group))));

        JsonNode item = queue.popped();
        assertThat(other.pop().json().get("items")).isEmpty();
        assertThat(other.item("GET", "b", "").text("why")).contains(group);
        assertThat(queue.get("/owner").json().at("/data/0").toString())
                .isEqualTo("{\"owner\":\"org7\",\"weight\":2,\"max_items\":1,\"items\":1}");
        String hold = write(Map.of("token", item.get("token").asText(), "group", group, "hold_s", 600));
        assertThat(queue.post("/hold", hold).status()).isEqualTo(200);
        assertThat(group(group).get("in_flight").asInt()).isEqualTo(1);
        assertThat(group(group).get("waiting").asInt()).isEqualTo(1);
        assertThat(group(group).has("held_until")).isTrue();
        gateway.put("/queue-limit", write(Map.of("group", group, "max_in_flight", 1)));
        assertThat(group(group).has("held_until"))
                .as("setting limits ends a hold")
                .isFalse();
        queue.end(item, "finished");
        assertThat(other.popped().get("key").asText()).isEqualTo("b");

        assertThat(gateway.put("/queue-limit", write(Map.of("group", group, "lift", true)))
                        .status())
                .isEqualTo(200);
        for (String wrong : List.of(
                "{\"group\": \"x\"}",
                "{\"group\": \"x\", \"lift\": true, \"max_in_flight\": 1}",
                "{\"group\": \"x\", \"max_starts\": 1}",
                "{\"lift\": true}",
                "{\"group\": \"x\", \"max_inflight\": 1}")) {
            assertThat(gateway.put("/queue-limit", wrong).status()).as(wrong).isEqualTo(422);
        }
    }

    @Test
    void queuesAreListedWithTheirCounts() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.push("a");
        JsonNode data = gateway.get("/queue").json().get("data");

        assertThat(data)
                .filteredOn(one -> one.get("queue").asText().equals(queue.name))
                .singleElement()
                .satisfies(one -> assertThat(one.get("waiting").asInt()).isEqualTo(1));
    }

    @Test
    void onlyWhatMustNotBeLostIsPersistentAndQuestionsEnd() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queues.received();
        queue.push("a");
        queue.end(queue.popped(), "finished");

        List<TestQueues.Received> received = queues.received();
        assertThat(received).extracting(TestQueues.Received::queue).contains(Names.ITEMS, Names.ASKS, Names.DONE);
        assertThat(received).allSatisfy(one -> {
            boolean isQuestion = one.queue().equals(Names.ASKS);
            assertThat(one.properties().getDeliveryMode()).isEqualTo(isQuestion ? 1 : 2);
            assertThat(one.properties().getMessageId()).isNotBlank();
            assertThat(one.properties().getExpiration() == null).isEqualTo(!isQuestion);
        });
        assertThat(received)
                .extracting(one -> one.request().gateway())
                .containsOnly(received.get(0).request().gateway());
    }

    @Test
    void changesOfQueuesAreInTheAuditLogAndTheWorkOfWorkersIsNot() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.push("routine");
        queue.end(queue.popped(), "finished");
        queue.put("/paused", null);
        queue.send(Role.VIEWER, "PUT", "/resumed", null);

        String audit = Files.readString(gateway.options.audit());
        assertThat(audit.lines().filter(line -> line.contains("/queue/" + queue.name)))
                .noneMatch(line -> line.contains("/items") || line.contains("/pop") || line.contains("/done"))
                .anyMatch(line -> line.contains("\"asked\"") && line.contains("/paused"))
                .anyMatch(line -> line.contains("\"answered\"") && line.contains("/paused"))
                .anyMatch(line -> line.contains("\"denied\"") && line.contains("/resumed"));
    }
}
