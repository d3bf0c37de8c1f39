package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.options.TlsFiles;
import dev.weir.protocol.Authorities;
import dev.weir.protocol.Names;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.testing.TestAuthority;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Requests that wait for the queues, and those that wait in vain. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueWaitsTest {

    /** More than the server has threads. */
    private static final int MANY = 250;

    private static final int MOST_LARGE_BODIES = 32;
    private static final int MOST_UNANSWERED = 10_000;
    private static final int MOST_ITEMS = 256;

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

    private double unanswered() throws Exception {
        return gateway.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("weir_gateway_queue_unanswered "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    @Test
    void manyPopsWaitWithoutAThreadEachAndEachItemGoesToOneOfThem() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        List<CompletableFuture<Answer>> pops = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            pops.add(PopClient.pop(queue, 60));
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> unanswered() >= MANY);
        String items = IntStream.range(0, MANY)
                .mapToObj(i -> "{\"key\": \"k" + i + "\"}")
                .collect(Collectors.joining(",", "{\"items\": [", "]}"));
        assertThat(queue.post("/items", items).status()).isEqualTo(200);

        List<String> keys = new ArrayList<>();
        for (CompletableFuture<Answer> pop : pops) {
            keys.add(pop.get(60, TimeUnit.SECONDS).json().at("/items/0/key").asText());
        }
        assertThat(keys).doesNotHaveDuplicates().doesNotContain("");
        assertThat(queue.view().get("leased").asInt()).isEqualTo(MANY);
    }

    @Test
    void popsOfUnknownLengthThatWaitLeaveRoomForOtherBodiesOfUnknownLength() throws Exception {
        QueueOverRest busy = new QueueOverRest(gateway);
        busy.push("a");
        String token = busy.popped().get("token").asText();
        QueueOverRest empty = new QueueOverRest(gateway);
        List<CompletableFuture<Answer>> pops = new ArrayList<>();
        for (int i = 0; i <= MOST_LARGE_BODIES; i++) {
            int place = i;
            pops.add(PopClient.chunked(empty, "/pop", "{\"wait_s\": 60}"));
            await().atMost(Duration.ofSeconds(30)).until(() -> unanswered() > place);
        }

        Answer done = PopClient.chunked(busy, "/done", "{\"token\": \"" + token + "\", \"end\": \"finished\"}")
                .get(60, TimeUnit.SECONDS);

        assertThat(done.status()).isEqualTo(200);
        assertThat(pops).noneMatch(CompletableFuture::isDone);
        String items = IntStream.range(0, pops.size())
                .mapToObj(i -> "{\"key\": \"k" + i + "\"}")
                .collect(Collectors.joining(",", "{\"items\": [", "]}"));
        assertThat(empty.post("/items", items).status()).isEqualTo(200);
        for (CompletableFuture<Answer> pop : pops) {
            assertThat(pop.get(60, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
    }

    @Test
    void aPopThatWaitsLongerThanTheQueuesLetItIsAskedAgainAndGetsWhatComesThen() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queues.received();
        CompletableFuture<Answer> pop = PopClient.pop(queue, 30);
        List<QueueEntry.Pop> asked = new ArrayList<>();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            queues.received()
                    .forEach(one -> one.request().entries().forEach(entry -> {
                        if (entry instanceof QueueEntry.Pop wanted) {
                            asked.add(wanted);
                        }
                    }));
            return asked.size() >= 2;
        });
        assertThat(asked).allSatisfy(one -> assertThat(one.waitMs()).isEqualTo(5_000));
        queue.push("late");

        assertThat(pop.get(60, TimeUnit.SECONDS).json().at("/items/0/key").asText())
                .isEqualTo("late");
        assertThat(PopClient.pop(queue, 0.3).get(60, TimeUnit.SECONDS).json().toString())
                .isEqualTo("{\"items\":[]}");
    }

    @Test
    void whoWaitsUntilAQueueIsLowHearsItAtOnceAndOtherwiseWhenTheTimeIsOver() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"low\": 2}");
        assertThat(queue.get("?wait_s=60").json().get("waiting").asInt())
                .as("it is low already")
                .isZero();
        queue.post("/items", "{\"items\": [{\"key\": \"a\"}, {\"key\": \"b\"}, {\"key\": \"c\"}]}");
        assertThat(queue.get("?wait_s=0.1").json().get("waiting").asInt()).isEqualTo(3);

        queues.received();
        CompletableFuture<Answer> waiting = PopClient.get(queue, "?wait_s=60");
        await().until(() ->
                queues.received().stream().anyMatch(one -> one.queue().equals(Names.ASKS)));
        queue.popped();
        queue.popped();

        assertThat(waiting.get(30, TimeUnit.SECONDS).json().get("waiting").asInt())
                .isEqualTo(1);
    }

    /** Sends a pop that waits, until the queues have it. */
    private void sendPop(QueueOverRest queue, Socket socket) throws Exception {
        queues.received();
        String body = "{\"wait_s\": 60}";
        socket.getOutputStream()
                .write(("POST /queue/" + queue.name + "/pop HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                                + gateway.byRole.get(Role.WORKER)
                                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                + body)
                        .getBytes(StandardCharsets.ISO_8859_1));
        await().until(() ->
                queues.received().stream().anyMatch(one -> one.queue().equals(Names.ASKS)));
    }

    private void popAndGo(QueueOverRest queue, URI at, SocketFactory sockets) throws Exception {
        try (Socket socket = sockets.createSocket(at.getHost(), at.getPort())) {
            sendPop(queue, socket);
        }
    }

    private void assertIsThereForTheNext(QueueOverRest queue) throws Exception {
        Answer next = PopClient.pop(queue, 30).get(60, TimeUnit.SECONDS);
        assertThat(next.json().at("/items/0/key").asText()).isEqualTo("a");
        assertThat(next.json().at("/items/0/attempt").asInt())
                .as("no attempt was used")
                .isEqualTo(1);
        assertThat(queue.view().get("popped").asInt()).isEqualTo(2);
    }

    @Test
    void whatCameForAClientThatHasGoneIsThereForTheNext() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"lease_s\": 3600}");
        popAndGo(queue, gateway.url(), SocketFactory.getDefault());
        queue.push("a");

        assertIsThereForTheNext(queue);
    }

    @Test
    void whatCameForAClientThatHasGoneWasHandedBackByNoWorker() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"lease_s\": 3600, \"releases\": 1}");
        popAndGo(queue, gateway.url(), SocketFactory.getDefault());
        queue.push("a");

        assertIsThereForTheNext(queue);
    }

    @Test
    void aClientThatGoesIsNoticedOverHttpsToo(@TempDir Path directory) throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"lease_s\": 3600}");
        TestAuthority authority = new TestAuthority();
        TlsFiles files = new TlsFiles(directory.resolve("chain.pem"), directory.resolve("key.pem"));
        authority.writeServer(files.certificate(), files.key());
        authority.writeCertificate(directory.resolve("ca.pem"));
        SSLContext trusting = Authorities.only(directory.resolve("ca.pem"));
        try (Gateway secured = gateway.another(files)) {
            // It asks the broker as soon as it is connected.
            await().until(() -> HttpClient.newBuilder()
                            .sslContext(trusting)
                            .build()
                            .send(
                                    HttpRequest.newBuilder(secured.url().resolve("/health"))
                                            .build(),
                                    BodyHandlers.ofString())
                            .statusCode()
                    == 200);
            popAndGo(queue, secured.url(), trusting.getSocketFactory());
            queue.push("a");

            assertIsThereForTheNext(queue);
        }
    }

    @Test
    void aClientThatSendsItsNextRequestTooEarlyGetsItsItemAndHearsThatTheConnectionEnds() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        try (Socket socket = new Socket(gateway.url().getHost(), gateway.url().getPort())) {
            sendPop(queue, socket);
            socket.getOutputStream()
                    .write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            queue.push("a");
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answer)
                    .startsWith("HTTP/1.1 200")
                    .contains("Connection: close")
                    .contains("\"key\":\"a\"");
        }
        assertThat(queue.view().get("leased").asInt()).isEqualTo(1);
    }

    @Test
    void aSilentCoreIsToldOfInTimeAndTenThousandWithoutAnAnswerAreTheMost(@TempDir Path directory) throws Exception {
        try (TestGateway own = TestGateway.start(directory);
                TestQueues mute = new TestQueues(own.broker)) {
            QueueOverRest queue = new QueueOverRest(own);
            mute.beSilent(true);
            String items = IntStream.range(0, MOST_ITEMS)
                    .mapToObj(i -> "{\"key\": \"k" + i + "\"}")
                    .collect(Collectors.joining(",", "{\"items\": [", "]}"));
            List<CompletableFuture<Answer>> open = new ArrayList<>();
            for (int i = 0; i < MOST_UNANSWERED / MOST_ITEMS; i++) {
                open.add(PopClient.send(queue, "/items", items));
            }
            await().until(() -> allAsked(own, open.size() * MOST_ITEMS));
            Answer refused = queue.post("/items", items);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(refused.text("detail")).contains("10000");

            for (CompletableFuture<Answer> one : open) {
                Answer answer = one.get(60, TimeUnit.SECONDS);
                assertThat(answer.status()).isEqualTo(504);
                assertThat(answer.text("detail")).contains("sent again");
            }
            mute.beSilent(false);
            await().until(() -> queue.push("a").status() == 201);
        }
    }

    private static boolean allAsked(TestGateway own, int count) throws Exception {
        return own.get("/metrics").body().contains("weir_gateway_queue_unanswered " + (double) count);
    }

    @Test
    void itemsThatComeWhenTheTimeOfTheirPopIsOverGoBack() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.push("a");
        queues.hold(true);
        Answer late = PopClient.pop(queue, 0).get(60, TimeUnit.SECONDS);
        assertThat(late.status()).isEqualTo(504);
        queues.hold(false);

        await().atMost(Duration.ofSeconds(20))
                .until(() -> queue.view().get("popped").asInt() == 1
                        && queue.view().get("waiting").asInt() == 1);
    }

    @Test
    void withoutTheExchangesOfTheQueuesEverythingElseWorks(@TempDir Path directory) throws Exception {
        try (TestGateway without = TestGateway.start(directory)) {
            String token = without.byRole.get(Role.OPERATOR);
            for (String path : List.of("/queue", "/queue/scans")) {
                Answer answer = without.send("GET", path, token, null);
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.text("detail")).contains(without.broker.name(Names.SEND_QUEUES));
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            }
            assertThat(without.get("/task").status()).isEqualTo(200);
            assertThat(without.send("PUT", "/pool/cpu/paused", token, null).status())
                    .isEqualTo(202);
            assertThat(without.send("GET", "/health", null, null).status()).isEqualTo(200);

            try (TestQueues started = new TestQueues(without.broker)) {
                await().until(() -> without.send("GET", "/queue", token, null).status() == 200);
                assertThat(started.received()).isNotEmpty();
            }
        }
    }

    @Test
    void whatWaitsWhenTheWayToTheQueuesIsLostIsToldSoAndTheNextFindsAnother(@TempDir Path directory) throws Exception {
        try (TestGateway own = TestGateway.start(directory);
                TestQueues first = new TestQueues(own.broker)) {
            QueueOverRest queue = new QueueOverRest(own);
            first.received();
            CompletableFuture<Answer> waiting = PopClient.pop(queue, 60);
            await().until(() ->
                    first.received().stream().anyMatch(one -> one.queue().equals(Names.ASKS)));
            try (Connection connection = own.broker.connect()) {
                connection.createChannel().exchangeDelete(own.broker.name(Names.SEND_QUEUES));
            }

            assertThat(queue.get("").status()).isEqualTo(503);
            Answer lost = waiting.get(60, TimeUnit.SECONDS);
            assertThat(lost.status()).isEqualTo(503);
            assertThat(lost.text("detail")).contains("Send it again");
            await().until(() -> queue.get("").text("detail").contains("no exchange"));

            try (TestQueues second = new TestQueues(own.broker)) {
                // The two share the messages, and only the first knows the queue.
                first.close();
                await().until(() -> queue.get("").status() == 404);
                assertThat(second.received()).isNotEmpty();
            }
        }
    }

    @Test
    void whatWaitsWhenTheGatewayStopsIsToldSoAndWhatComesForItIsThereForTheNext() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"lease_s\": 3600, \"releases\": 1}");
        queue.push("a");
        Gateway another = gateway.another();
        await().until(() ->
                TestGateway.send(another.url(), "GET", "/health", null, null).status() == 200);
        queues.hold(true);
        queues.received();
        CompletableFuture<Answer> waiting =
                PopClient.pop(queue, another.url(), 60).exceptionally(cut -> null);
        await().until(() ->
                queues.received().stream().anyMatch(one -> one.queue().equals(Names.ASKS)));
        CompletableFuture<Void> stop = CompletableFuture.runAsync(another::close);
        assertThat(waiting.get(60, TimeUnit.SECONDS)).matches(answer -> answer == null || answer.status() == 503);
        queues.hold(false);
        stop.get(60, TimeUnit.SECONDS);

        assertIsThereForTheNext(queue);
    }
}
