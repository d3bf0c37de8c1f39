package dev.weir.gateway;

import static dev.weir.gateway.QueueOverRest.texts;
import static dev.weir.gateway.QueueOverRest.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What tokens of workers, feeders and rankers may do with queues, and that it is no more. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueAccessTest {

    private TestGateway gateway;
    private TestQueues queues;
    private QueueOverRest mine;
    private QueueOverRest other;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        gateway = TestGateway.start(directory);
        queues = new TestQueues(gateway.broker);
        mine = new QueueOverRest(gateway);
        other = new QueueOverRest(gateway);
    }

    @AfterAll
    void stop() throws Exception {
        queues.close();
        gateway.close();
    }

    private String token(String name, Role role, List<String> scopeQueues, List<String> kinds, Integer best)
            throws Exception {
        Scope scope = new Scope(null, null, null, null, scopeQueues, kinds, best);
        String token = gateway.token(name, role, Instant.now().plusSeconds(600), scope);
        await().until(() -> gateway.send("GET", "/whoami", token, null).status() == 200);
        return token;
    }

    private String tokenOfGroups(String name, Role role, List<String> groups) throws Exception {
        Scope scope = new Scope(null, null, null, groups);
        String token = gateway.token(name, role, Instant.now().plusSeconds(600), scope);
        await().until(() -> gateway.send("GET", "/whoami", token, null).status() == 200);
        return token;
    }

    private Answer post(String token, QueueOverRest queue, String path, String body) throws Exception {
        return gateway.send("POST", "/queue/" + queue.name + path, token, body);
    }

    private void assertRefused(String field, Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(403);
        assertThat(answer.text("field")).isEqualTo(field);
        assertThat(answer.text("detail")).contains("scope");
    }

    @Test
    void aWorkerTakesAndSeesOnlyWhatIsInItsQueues() throws Exception {
        String worker = token("w-queues", Role.WORKER, List.of(mine.name), null, null);
        assertThat(post(worker, mine, "/pop", "{}").status()).isEqualTo(200);
        for (String path : List.of("/pop", "/done", "/extend", "/hold")) {
            assertRefused("queue", post(worker, other, path, "{}"));
        }
        assertThat(gateway.send("GET", "/queue/" + mine.name, worker, null).status())
                .isEqualTo(200);
        assertRefused("queue", gateway.send("GET", "/queue/" + other.name, worker, null));
        assertThat(texts(gateway.send("GET", "/queue", worker, null).json().get("data"), "queue"))
                .containsExactly(mine.name);
        assertThat(gateway.send("GET", "/queue/" + mine.name + "/peek", worker, null)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aWorkerPushesWhatFollowsFromItsWorkIntoItsQueuesAndKindsOnly() throws Exception {
        String worker = token("w-follow-ups", Role.WORKER, List.of(mine.name), List.of("dns"), null);
        assertThat(mine.post("/items", "{\"key\": \"followed\", \"kind\": \"dns\"}")
                        .status())
                .isEqualTo(201);
        String lease =
                post(worker, mine, "/pop", "{}").json().at("/items/0/token").asText();
        String done = "{\"token\": \"" + lease + "\", \"end\": \"finished\", \"push\": [{\"key\": \"k\", %s}]}";

        assertRefused(
                "push[0].queue",
                post(worker, mine, "/done", done.formatted("\"kind\": \"dns\", \"queue\": \"" + other.name + "\"")));
        assertRefused("push[0].kind", post(worker, mine, "/done", done.formatted("\"kind\": \"tcp\"")));
        assertRefused(
                "push[0].priority", post(worker, mine, "/done", done.formatted("\"kind\": \"dns\", \"priority\": 1")));
        assertThat(post(worker, mine, "/done", done.formatted("\"kind\": \"dns\""))
                        .status())
                .isEqualTo(200);
        assertThat(mine.item("DELETE", "k", "").status()).isEqualTo(200);
    }

    @Test
    void aWorkerWithKindsTakesTheseAndNoOthers() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.post("/items", """
                {"items": [{"key": "a", "kind": "dns"}, {"key": "b", "kind": "scan-tcp"}, {"key": "c", "kind": "scan-udp"}]}""");
        String exact = token("w-exact", Role.WORKER, null, List.of("scan-udp", "none"), null);
        String wide = token("w-wide", Role.WORKER, null, List.of("scan-*"), null);
        String none = token("w-none", Role.WORKER, null, List.of(), null);

        assertRefused("kinds[1]", post(exact, queue, "/pop", "{\"kinds\": [\"none\", \"dns\"]}"));
        assertThat(texts(post(exact, queue, "/pop", "{\"most\": 9}").json().get("items"), "key"))
                .containsExactly("c");
        assertRefused("kinds", post(wide, queue, "/pop", "{}"));
        assertRefused("kinds", post(none, queue, "/pop", "{\"kinds\": []}"));
        assertRefused("kinds[0]", post(wide, queue, "/pop", "{\"kinds\": [\"dns\"]}"));
        assertThat(texts(
                        post(wide, queue, "/pop", "{\"kinds\": [\"scan-tcp\"]}")
                                .json()
                                .get("items"),
                        "key"))
                .containsExactly("b");
        assertThat(post(wide, queue, "/pop", "{\"kinds\": [null]}").status()).isEqualTo(422);
        assertThat(gateway.send("GET", "/queue/" + queue.name, exact, null).status())
                .as("its counts are of all kinds")
                .isEqualTo(403);
        assertThat(gateway.send("GET", "/queue", exact, null).json().get("data"))
                .isEmpty();
    }

    @Test
    void aWorkerEndsItsLeasesOnTheQueueOfTheTokenOnly() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.push("a");
        String narrow = token("w-narrow", Role.WORKER, List.of(other.name), null, null);
        String own = token("w-own", Role.WORKER, List.of(queue.name), null, null);
        JsonNode item = post(own, queue, "/pop", "{}").json().at("/items/0");
        String done = write(Map.of("token", item.get("token").asText(), "end", "finished"));

        assertThat(post(narrow, other, "/done", done).status())
                .as("its scope has the queue of the path, and the lease is of another")
                .isEqualTo(409);
        assertThat(queue.view().get("leased").asInt()).isEqualTo(1);
        assertThat(post(own, queue, "/done", done).status()).isEqualTo(200);
    }

    @Test
    void aFeederPushesWhatItsScopeAllows() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        String feeder = token("f", Role.FEEDER, List.of(queue.name), List.of("scan*"), null);
        String better = token("f-better", Role.FEEDER, null, null, 1);
        String worse = token("o-worse", Role.OPERATOR, null, null, 10);

        assertThat(post(feeder, queue, "/items", "{\"key\": \"a\", \"kind\": \"scan\", \"priority\": 2}")
                        .status())
                .isEqualTo(201);
        assertRefused(
                "priority", post(feeder, queue, "/items", "{\"key\": \"b\", \"kind\": \"scan\", \"priority\": 1}"));
        assertRefused("kind", post(feeder, queue, "/items", "{\"key\": \"b\"}"));
        assertRefused("items[1].kind", post(feeder, queue, "/items", """
                {"items": [{"key": "b", "kind": "scan"}, {"key": "c", "kind": "dns"}]}"""));
        assertRefused("queue", post(feeder, other, "/items", "{\"key\": \"b\", \"kind\": \"scan\"}"));
        assertThat(post(better, queue, "/items", "{\"key\": \"best\", \"priority\": 1}")
                        .status())
                .isEqualTo(201);
        assertRefused("priority", post(worse, queue, "/items", "{\"key\": \"b\"}"));
        assertThat(queue.post("/items", "{\"key\": \"first\", \"priority\": 1}").status())
                .as("an operator's")
                .isEqualTo(201);
        assertThat(queue.view().get("waiting").asInt())
                .as("of the list nothing")
                .isEqualTo(3);
        assertThat(post(feeder, queue, "/pop", "{}").status()).isEqualTo(403);
    }

    @Test
    void whereTheScopeHasGroupsItemsAreOfTheseAndNoOthersAreHeld() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        String feeder = tokenOfGroups("f-groups", Role.FEEDER, List.of("net:*"));
        String worker = tokenOfGroups("w-groups", Role.WORKER, List.of("net:*"));
        String item = "{\"key\": \"a\", \"groups\": [\"net:1\", \"%s\"]}";

        assertRefused("groups[1]", post(feeder, queue, "/items", item.formatted("host:1")));
        assertThat(post(feeder, queue, "/items", item.formatted("net:2")).status())
                .isEqualTo(201);
        String lease =
                post(worker, queue, "/pop", "{}").json().at("/items/0/token").asText();
        String hold = "{\"token\": \"" + lease + "\", \"group\": \"%s\", \"hold_s\": 1}";
        assertRefused("group", post(worker, queue, "/hold", hold.formatted("host:1")));
        assertThat(post(worker, queue, "/hold", hold.formatted("net:1")).status())
                .isEqualTo(200);
    }

    @Test
    void aFeederWithKindsSeesTheseAndRemovesNothing() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.post(
                "/items", "{\"items\": [{\"key\": \"a\", \"kind\": \"dns\"}, {\"key\": \"b\", \"kind\": \"scan\"}]}");
        String feeder = token("f-kinds", Role.FEEDER, null, List.of("scan"), null);
        String free = token("f-free", Role.FEEDER, List.of(queue.name), null, null);
        String path = "/queue/" + queue.name;

        assertThat(texts(
                        gateway.send("GET", path + "/peek", feeder, null).json().get("data"), "key"))
                .containsExactly("b");
        assertThat(gateway.send("GET", path + "/item?key=b", feeder, null).status())
                .isEqualTo(200);
        assertThat(gateway.send("GET", path + "/item?key=a", feeder, null).status())
                .isEqualTo(403);
        assertThat(gateway.send("DELETE", path + "/item?key=b", feeder, null).status())
                .isEqualTo(403);
        assertThat(gateway.send("DELETE", path + "/item?key=a", free, null).status())
                .isEqualTo(200);
        assertThat(gateway.send("DELETE", "/queue/" + other.name + "/item?key=a", free, null)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aFeederWithKindsSeesTheseHoweverManyItemsOfOtherKindsGoFirst() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        for (int i = 0; i < 12; i++) {
            queue.post("/items", "{\"key\": \"a" + i + "\", \"kind\": \"dns\"}");
        }
        queue.post("/items", "{\"key\": \"b\", \"kind\": \"scan-tcp\", \"priority\": 9}");
        String path = "/queue/" + queue.name + "/peek?n=10";
        List<String> manyKinds =
                IntStream.range(0, 40).mapToObj(i -> "scan-" + i).toList();

        String feeder = token("f-begun", Role.FEEDER, null, List.of("scan-*", "no kind"), null);
        assertThat(texts(gateway.send("GET", path, feeder, null).json().get("data"), "key"))
                .containsExactly("b");
        for (List<String> others : List.of(List.<String>of(), List.of("no kind"), manyKinds)) {
            String blind = token("f-blind" + others.size(), Role.FEEDER, null, others, null);
            assertThat(gateway.send("GET", path, blind, null).json().get("data"))
                    .isEmpty();
        }
    }

    @Test
    void aFeederAsksForAnswersInItsQueuesAndIsAskedForWithoutRegardToItsBestPriority() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        String feeder = token("a-feeder", Role.FEEDER, List.of(queue.name), null, 5);
        String path = "/answer/" + queue.name;

        assertRefused("priority", gateway.send("POST", path, feeder, "{\"key\": \"a\", \"priority\": 4}"));
        String body = "{\"key\": \"a\", \"priority\": 5, \"wait_s\": 0.1}";
        assertRefused("queue", gateway.send("POST", "/answer/" + other.name, feeder, body));
        assertThat(gateway.send("POST", path, feeder, body).status()).isEqualTo(202);
        queue.finish(queue.popped(), "x", Map.of("fresh_s", 60));
        assertThat(gateway.send("POST", path, feeder, body).status()).isEqualTo(200);
        assertThat(gateway.send("GET", path + "?key=a", feeder, null).status()).isEqualTo(200);
        assertRefused("queue", gateway.send("GET", "/answer/" + other.name + "?key=a", feeder, null));
    }

    @Test
    void aFeederWithKindsAsksForNoAnswersSinceTheseAreOfAnyKind() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        String feeder = token("k-feeder", Role.FEEDER, List.of(queue.name), List.of("whois"), null);
        String path = "/answer/" + queue.name;
        queue.post("/items", "{\"key\": \"a\", \"kind\": \"secret\"}");
        queue.finish(queue.popped(), "x", Map.of("fresh_s", 60));

        for (Answer answer : List.of(
                gateway.send("POST", path, feeder, "{\"key\": \"a\", \"kind\": \"whois\"}"),
                gateway.send("GET", path + "?key=a", feeder, null))) {
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.text("detail")).contains("kinds in its scope");
        }
    }

    @Test
    void anOperatorWithKindsDoesNothingToItemsOfAllKinds() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.push("a");
        String operator = token("k-operator", Role.OPERATOR, null, List.of("scan"), null);
        String path = "/queue/" + queue.name;

        for (Answer answer : List.of(
                gateway.send("PUT", path + "/purged", operator, null),
                gateway.send("DELETE", path, operator, null),
                gateway.send("POST", path + "/redrive", operator, "{}"),
                gateway.send("DELETE", path + "/item?key=a", operator, null),
                gateway.send("POST", "/answer/" + queue.name, operator, "{\"key\": \"a\", \"kind\": \"scan\"}"))) {
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.text("detail")).contains("kinds in its scope");
        }
        assertThat(queue.view().get("waiting").asInt()).isEqualTo(1);
        assertThat(gateway.send("PUT", path + "/paused", operator, null).status())
                .isEqualTo(200);
        assertThat(gateway.send("GET", "/answer/" + queue.name + "?key=a", operator, null)
                        .status())
                .isEqualTo(202);
    }

    @Test
    void aRankerBringsFactsToTheQueuesOfItsScopeAndDoesNothingElse() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.push("a");
        String ranker = token("r", Role.RANKER, List.of(queue.name), null, null);
        String narrow = token("r-kinds", Role.RANKER, List.of(queue.name), List.of("scan"), null);
        String facts = "{\"key\": \"a\", \"facts\": {\"level\": 1}}";
        String path = "/queue/" + queue.name;

        assertThat(gateway.send("PUT", path + "/score", ranker, facts).status()).isEqualTo(200);
        assertRefused("queue", gateway.send("PUT", "/queue/" + other.name + "/score", ranker, facts));
        assertThat(gateway.send("PUT", path + "/score", narrow, facts).status()).isEqualTo(403);
        assertThat(gateway.send("GET", path, ranker, null).status()).isEqualTo(200);
        assertRefused("queue", gateway.send("GET", "/queue/" + other.name, ranker, null));
        assertThat(gateway.send("GET", path + "/peek", ranker, null).status()).isEqualTo(403);
        assertThat(post(ranker, queue, "/items", "{\"key\": \"b\"}").status()).isEqualTo(403);
    }

    @Test
    void aTokenToldOfItselfShowsItsQueues() throws Exception {
        String worker = token("w-shown", Role.WORKER, List.of("scans*"), List.of("dns"), 7);
        JsonNode me = gateway.send("GET", "/whoami", worker, null).json();

        assertThat(me.get("role").asText()).isEqualTo("worker");
        assertThat(me.get("scope").toString())
                .isEqualTo("{\"queues\":[\"scans*\"],\"kinds\":[\"dns\"],\"best_priority\":7}");
    }
}
