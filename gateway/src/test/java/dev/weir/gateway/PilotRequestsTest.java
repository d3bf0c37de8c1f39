package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.gateway.access.Role;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Notice;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Pilots take jobs and report over HTTP, with the guarantees that they have over AMQP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PilotRequestsTest {

    private static final Duration START_WITHIN = Duration.ofSeconds(3);

    /** More than the server has threads. */
    private static final int MANY = 250;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private TestGateway gateway;
    private String token;
    private Connection connection;
    private Channel channel;
    /** Pilots and the jobs that they took. */
    private final Map<String, String> taken = new ConcurrentHashMap<>();

    @BeforeAll
    void start(@TempDir Path given) throws Exception {
        gateway = TestGateway.start(given, options -> options.withStartWithin(START_WITHIN));
        token = gateway.byRole.get(Role.PILOT);
        connection = gateway.broker.connect();
        channel = connection.createChannel();
        channel.confirmSelect();
    }

    @AfterAll
    void stop() throws Exception {
        connection.abort();
        gateway.close();
    }

    @AfterEach
    void empty() throws Exception {
        for (Map.Entry<String, String> one : taken.entrySet()) {
            report(gateway.url(), one.getKey(), status(one.getKey(), one.getValue()));
        }
        taken.clear();
        await().until(() -> metric("weir_gateway_jobs_unreported") == 0);
        for (String queue : List.of(queue("cpu"), queue("gpu"), gateway.broker.name(Names.REPORTS))) {
            channel.queuePurge(queue);
        }
    }

    private String queue(String pool) {
        return gateway.broker.name(Names.jobs(pool));
    }

    private static String job(String uid) {
        return """
                {"uid": "%s", "executable": "x", "args": "", "rank": 1.0, "device_type": "CPU", "mode": "Map", "task_uid": "t",
                 "file_in_url": "file:///a", "file_out_url": "file:///b", "file_log_url": "file:///c", "attempt": 1,
                 "route": "0/0/t", "lease_s": 60, "timeout_s": 60, "of_a_later_version": true}""".formatted(uid);
    }

    private void give(String pool, String body) throws Exception {
        channel.basicPublish("", queue(pool), null, body.getBytes(StandardCharsets.UTF_8));
        channel.waitForConfirmsOrDie(60_000);
    }

    private Answer pop(URI at, String pilot, String pools, double wait) throws Exception {
        return later(at, pilot, pools, wait).get(60, TimeUnit.SECONDS);
    }

    private Answer pop(String pilot, double wait) throws Exception {
        return pop(gateway.url(), pilot, "[\"cpu\"]", wait);
    }

    private CompletableFuture<Answer> later(String pilot, String pools) {
        return later(gateway.url(), pilot, pools, 60);
    }

    private CompletableFuture<Answer> later(URI at, String pilot, String pools, double wait) {
        String body = "{\"pilot_id\": \"%s\", \"queues\": %s, \"wait_s\": %s}".formatted(pilot, pools, wait);
        HttpRequest request = HttpRequest.newBuilder(at.resolve("/pop"))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofString(body))
                .build();
        return CLIENT.sendAsync(request, BodyHandlers.ofString()).thenApply(response -> {
            String type = response.headers().firstValue("Content-Type").orElse(null);
            Contract.check("POST", "/pop", response.statusCode(), type, response.body());
            Answer answer = new Answer(response.statusCode(), response.headers(), response.body());
            if (answer.json().has("job")) {
                taken.put(pilot, answer.json().get("job").get("uid").asText());
            }
            return answer;
        });
    }

    private static String status(String pilot, String job) {
        return """
                {"type": "status", "pilot_id": "%s", "pool": "cpu", "job_uid": "%s", "attempt": 1, "route": "0/0/t",
                 "status": "starting"}""".formatted(pilot, job);
    }

    private Answer report(URI at, String pilot, String... reports) throws Exception {
        String body = "{\"pilot_id\": \"" + pilot + "\", \"reports\": [" + String.join(",", reports) + "]}";
        return TestGateway.send(at, "POST", "/report", token, body);
    }

    /** The answer, after its job was reported. */
    private CompletableFuture<Answer> laterReported(String pilot, Answer answer) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                assertThat(report(gateway.url(), pilot, status(pilot, uid(answer)))
                                .status())
                        .isEqualTo(200);
                return answer;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private List<String> reportsAtTheBroker() throws Exception {
        List<String> found = new ArrayList<>();
        for (byte[] body : gateway.broker.drain(gateway.broker.name(Names.REPORTS))) {
            JsonNode report = Json.mapper().readTree(body);
            found.add(report.get("pilot_id").asText() + " "
                    + report.path("job_uid").asText());
        }
        return found;
    }

    private static String uid(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().path("job").path("uid").asText();
    }

    private double metric(String name) throws Exception {
        return gateway.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .sum();
    }

    @Test
    void aJobThatWaitsComesAtOnceAsItWasSent() throws Exception {
        give("gpu", job("j-gpu"));
        give("cpu", job("j-cpu"));

        Answer first = pop(gateway.url(), "node7-1", "[\"gpu\", \"cpu\"]", 0);
        assertThat(uid(first)).isEqualTo("j-gpu");
        assertThat(first.text("pool")).isEqualTo("gpu");
        assertThat(first.json().get("redelivered").asBoolean()).isFalse();
        assertThat(first.json().get("job")).isEqualTo(Json.mapper().readTree(job("j-gpu")));
        assertThat(uid(pop("node7-2", 0))).isEqualTo("j-cpu");
        assertThat(pop("node7-3", 0).json().toString()).isEqualTo("{\"notices\":[]}");
    }

    @Test
    void manyPilotsWaitWithoutAThreadEachAndEachJobGoesToOneOfThem() throws Exception {
        List<CompletableFuture<Answer>> pops = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            String pilot = "node7-many-" + i;
            pops.add(later(pilot, "[\"gpu\", \"cpu\"]").thenCompose(answer -> laterReported(pilot, answer)));
        }
        await().until(() -> metric("weir_gateway_pilots_waiting") == MANY);
        for (int i = 0; i < MANY; i++) {
            give(i % 2 == 0 ? "cpu" : "gpu", job("j" + i));
        }

        Set<String> uids = new HashSet<>();
        int late = 0;
        for (CompletableFuture<Answer> pop : pops) {
            Answer answer = pop.get(60, TimeUnit.SECONDS);
            // On a machine so busy that a report took too long, its job went to a second pilot, and another job waits
            // still.
            late += answer.json().get("redelivered").asBoolean() ? 1 : 0;
            uids.add(uid(answer));
        }
        assertThat(uids).hasSizeGreaterThanOrEqualTo(MANY - late);
        assertThat(reportsAtTheBroker()).hasSize(MANY);
        await().until(() -> metric("weir_gateway_jobs_unreported") == 0);
        assertThat(channel.messageCount(queue("cpu")) + channel.messageCount(queue("gpu")))
                .isEqualTo(MANY - uids.size());
    }

    @Test
    void aJobThatWasTakenAndNeverReportedComesBackAndOneThatWasDoesNot() throws Exception {
        give("cpu", job("lost"));
        assertThat(uid(pop("node7-1", 0))).isEqualTo("lost");

        Answer again = pop("node7-2", 30);
        assertThat(uid(again)).isEqualTo("lost");
        assertThat(again.json().get("redelivered").asBoolean()).isTrue();
        assertThat(report(gateway.url(), "node7-2", status("node7-2", "lost")).status())
                .isEqualTo(200);

        assertThat(uid(pop("node7-3", START_WITHIN.toSeconds() + 1))).isEmpty();
    }

    @Test
    void theReportOfAnotherPilotOrJobDoesNotKeepIt() throws Exception {
        give("cpu", job("mine"));
        assertThat(uid(pop("node7-1", 0))).isEqualTo("mine");
        assertThat(report(gateway.url(), "node7-1", status("node7-2", "mine"), status("node7-1", "other"))
                        .status())
                .isEqualTo(200);

        assertThat(uid(pop("node7-3", 30))).isEqualTo("mine");
    }

    @Test
    void aPilotThatAsksAgainDidNotGetTheAnswer() throws Exception {
        give("cpu", job("again"));
        assertThat(uid(pop("node7-1", 0))).isEqualTo("again");
        assertThat(uid(pop(gateway.url(), "node7-1", "[]", 0)))
                .as("it listens only")
                .isEmpty();

        assertThat(uid(pop("node7-1", 30))).isEqualTo("again");
    }

    @Test
    void anotherRequestOfTheSamePilotTakesThePlaceOfTheFirstWhichSwallowsNoJob() throws Exception {
        CompletableFuture<Answer> first = later("node7-1", "[\"cpu\"]");
        await().until(() -> metric("weir_gateway_pilots_waiting") == 1);
        CompletableFuture<Answer> second = later("node7-1", "[\"cpu\"]");
        assertThat(first.get(60, TimeUnit.SECONDS).status())
                .as(first.get().body())
                .isEqualTo(409);
        give("cpu", job("one"));

        assertThat(uid(second.get(60, TimeUnit.SECONDS))).isEqualTo("one");
    }

    @Test
    void aGatewayThatStopsGivesItsJobsBackAtOnceAndEndsWhatWaits() throws Exception {
        give("cpu", job("held"));
        CompletableFuture<Answer> waiting;
        try (Gateway another = gateway.another()) {
            await().until(() -> TestGateway.send(another.url(), "GET", "/health", null, null)
                            .status()
                    == 200);
            assertThat(uid(pop(another.url(), "node7-1", "[\"cpu\"]", 0))).isEqualTo("held");
            waiting = later(another.url(), "node7-2", "[\"cpu\"]", 60).exceptionally(cut -> null);
            await().until(() -> channel.consumerCount(queue("cpu")) == 1);
        }
        assertThat(waiting.get(60, TimeUnit.SECONDS)).matches(answer -> answer == null || answer.status() == 503);

        Answer again = pop("node7-3", 30);
        assertThat(uid(again)).isEqualTo("held");
        // The first pilot goes on all the same: Weir sees two starts of one attempt, and decides.
        assertThat(report(gateway.url(), "node7-1", status("node7-1", "held")).status())
                .isEqualTo(200);
        assertThat(report(gateway.url(), "node7-3", status("node7-3", "held")).status())
                .isEqualTo(200);
        assertThat(reportsAtTheBroker()).containsExactly("node7-1 held", "node7-3 held");
    }

    @Test
    void aMessageThatIsNoJobStopsNobody() throws Exception {
        give("cpu", "no job");
        give("cpu", "{\"uid\": \"half\"}");
        give("cpu", job("whole"));

        assertThat(uid(pop("node7-1", 0))).isEqualTo("whole");
    }

    @Test
    void noticesComeWithTheNextAnswerOrEndAWait() throws Exception {
        assertThat(uid(pop("node7-1", 0))).isEmpty();
        Notice kill = new Notice(Notice.Kind.KILL, "j", 1, "too long");
        tell("node7-1", kill);
        tell("node8-1", kill);
        List<JsonNode> heard = new ArrayList<>();
        await().until(() -> {
            report(gateway.url(), "node7-1", heartbeat("cpu"))
                    .json()
                    .get("notices")
                    .forEach(heard::add);
            return !heard.isEmpty();
        });
        assertThat(heard).containsExactly(Json.mapper().valueToTree(kill));

        CompletableFuture<Answer> waiting = later("node7-1", "[\"cpu\"]");
        await().until(() -> metric("weir_gateway_pilots_waiting") == 1);
        tell(Names.NOTICE_ALL, Notice.drain(60, "all"));
        assertThat(waiting.get(60, TimeUnit.SECONDS).json().toString())
                .contains("\"drain\"")
                .doesNotContain("\"job\"");
        CompletableFuture<Answer> listening = later("node7-1", "[]");
        await().until(() -> metric("weir_gateway_pilots_waiting") == 1);
        tell("node7-1", Notice.resume("go on"));
        assertThat(listening.get(60, TimeUnit.SECONDS).json().toString()).contains("\"resume\"");
        assertThat(pop("node7-1", 0).json().toString()).isEqualTo("{\"notices\":[]}");
        for (String other : List.of("node7-2", "node7-3")) {
            pop(gateway.url(), other, "[]", 0);
        }
    }

    private void tell(String key, Notice notice) throws Exception {
        channel.basicPublish(gateway.broker.name(Names.NOTICES), key, null, Json.write(notice));
    }

    private static String heartbeat(String pools) {
        return "{\"type\": \"heartbeat\", \"pilot_id\": \"node7-1\", \"pool\": \"cpu\", \"pools\": [\"" + pools
                + "\"]}";
    }

    @Test
    void reportsThatNoQueueTakesAreRefusedUntilOneDoes() throws Exception {
        String exchange = gateway.broker.name(Names.SEND_REPORTS);
        String queue = gateway.broker.name(Names.REPORTS);
        channel.queueUnbind(queue, exchange, Names.REPORTS_KEY);
        try {
            give("cpu", job("kept"));
            assertThat(uid(pop("node7-1", 0))).isEqualTo("kept");
            Answer refused = report(gateway.url(), "node7-1", status("node7-1", "kept"));
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        } finally {
            channel.queueBind(queue, exchange, Names.REPORTS_KEY);
        }
        assertThat(uid(pop("node7-2", 30)))
                .as("a report that did not arrive keeps no job")
                .isEqualTo("kept");
    }

    @Test
    void theBrokerKeepsWhatIsSaidAboutJobsAndNotForLongThatAPilotLives() throws Exception {
        String beat = "{\"type\": \"heartbeat\", \"pilot_id\": \"node7-1\", \"pool\": \"cpu\", \"state\": \"%s\"}";
        assertThat(report(
                                gateway.url(),
                                "node7-1",
                                beat.formatted("idle"),
                                beat.formatted("draining"),
                                status("node7-1", "told"))
                        .status())
                .isEqualTo(200);

        List<String> expirations = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            expirations.add(channel.basicGet(gateway.broker.name(Names.REPORTS), true)
                    .getProps()
                    .getExpiration());
        }
        assertThat(expirations).containsExactly("600000", null, null);
    }
}
