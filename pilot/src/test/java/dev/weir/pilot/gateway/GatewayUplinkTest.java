package dev.weir.pilot.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.pilot.uplink.Delivery;
import dev.weir.pilot.uplink.Outbox;
import dev.weir.pilot.uplink.Uplink;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pilot before gateways that refuse, fail and say strange things. */
class GatewayUplinkTest {

    private static final String NOTHING = "{\"notices\":[]}";

    @TempDir
    Path temp;

    private final List<String> reported = new CopyOnWriteArrayList<>();
    private final List<Notice> heard = new CopyOnWriteArrayList<>();
    /** Answers to requests for jobs, each {@code status body}; afterwards there is nothing. */
    private final Queue<String> pops = new ConcurrentLinkedQueue<>();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private Outbox outbox;
    private Uplink uplink;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/base/pop", exchange -> {
            String body = read(exchange);
            String answer = body.contains("\"cpu\"") ? pops.poll() : null;
            answer(exchange, answer == null ? "200 " + NOTHING : answer);
        });
        server.createContext("/base/report", exchange -> {
            String body = read(exchange);
            if (body.contains("\"bad\"")) {
                answer(exchange, "422 {\"detail\":\"reports[0].job_uid is bad\"}");
            } else if (body.contains("\"of-another\"")) {
                answer(exchange, "403 {\"detail\":\"the token may not report for p0\"}");
            } else {
                reported.add(body);
                answer(exchange, "200 " + NOTHING);
            }
        });
        server.start();
        outbox = new Outbox(temp.resolve("outbox"));
        uplink = settings(server.getAddress().getPort()).uplink("p1", heard::add);
    }

    @AfterEach
    void stop() {
        uplink.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private static GatewaySettings settings(int port) {
        return new GatewaySettings(
                URI.create("http://127.0.0.1:" + port + "/base"),
                "weir_token",
                null,
                List.of("cpu"),
                Duration.ofSeconds(1),
                Duration.ofMillis(10),
                Duration.ofMillis(50),
                Duration.ofMinutes(1),
                null);
    }

    private static String read(HttpExchange exchange) throws IOException {
        assertThat(exchange.getRequestHeaders().getFirst("Authorization")).isEqualTo("Bearer weir_token");
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, String answer) throws IOException {
        byte[] body = answer.substring(4).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, 3)), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static Status status(String job) {
        return new Status("p1", "cpu", Instant.EPOCH, job, 1, "0/0/t", Status.Phase.STARTING);
    }

    private List<String> kept() throws IOException {
        try (var files = Files.list(temp.resolve("outbox"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void aReportThatIsRefusedForGoodIsSetAsideAndStopsNoOther() throws Exception {
        for (String job : List.of("j1", "bad", "j2")) {
            outbox.keep(status(job), () -> {});
        }
        uplink.start(outbox);

        assertThat(outbox.awaitConfirmed(Duration.ofSeconds(20), uplink::isConnected))
                .isTrue();
        assertThat(reported).hasSize(2);
        assertThat(reported.get(0)).contains("\"j1\"");
        assertThat(reported.get(1)).contains("\"j2\"");
        // The file goes a moment after the report.
        await().untilAsserted(
                        () -> assertThat(kept()).singleElement().asString().endsWith(".bad"));
    }

    @Test
    void aReportThatTheTokenMayNotSendIsHeldBackAndStopsNoOther() throws Exception {
        for (String job : List.of("of-another", "j1", "j2")) {
            outbox.keep(status(job), () -> {});
        }
        uplink.start(outbox);

        assertThat(outbox.awaitConfirmed(Duration.ofSeconds(20), () -> false)).isTrue();
        assertThat(reported).hasSize(2);
        assertThat(uplink.gaveUp()).isNull();
        assertThat(outbox.unconfirmed()).isEqualTo(1);
        await().untilAsserted(
                        () -> assertThat(kept()).singleElement().asString().endsWith(".json"));
    }

    @Test
    void requestsThatAnotherPilotOfTheSameIdReplacesAreNotRepeatedWithoutAPause() throws Exception {
        for (int i = 0; i < 5; i++) {
            pops.add("409 {\"title\":\"Replaced\",\"detail\":\"another request of this pilot took its place\"}");
        }
        uplink.start(outbox);
        long begun = System.nanoTime();

        assertThat(uplink.take(pops::isEmpty)).isNull();

        // The first is followed by none, three of the others by 10, 20 and 40 ms.
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(70));
    }

    /** A pause would be longer than what the test waits. */
    @Test
    void aPilotThatAsksForAJobWhileItListensIsNotTakenForASecondOne() throws Exception {
        BlockingQueue<HttpExchange> listening = new LinkedBlockingQueue<>();
        server.createContext("/desk/pop", exchange -> {
            if (!read(exchange).contains("\"cpu\"")) {
                listening.add(exchange);
                return;
            }
            answer(listening.remove(), "409 {\"title\":\"Replaced\",\"detail\":\"another request took its place\"}");
            answer(exchange, "200 {\"job\":{\"uid\":\"j\"},\"pool\":\"cpu\",\"notices\":[]}");
        });
        GatewaySettings at = settings(server.getAddress().getPort());
        GatewaySettings slow = new GatewaySettings(
                at.url().resolve("/desk"),
                at.token(),
                null,
                at.pools(),
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                at.reconnectFor(),
                null);
        try (Uplink pilot = slow.uplink("p1", heard::add)) {
            pilot.start(outbox);
            for (int jobs = 0; jobs < 2; jobs++) {
                await().until(() -> !listening.isEmpty());
                assertThat(pilot.take(() -> false)).isNotNull();
            }
            await().untilAsserted(() -> assertThat(listening).hasSize(1));
        }
    }

    @Test
    void aRequestThatCannotBeSentFailsAsOneThatIsNotAnswered() {
        GatewaySettings at = settings(server.getAddress().getPort());

        assertThat(new GatewayCalls(at, "p1", Duration.ZERO).report(List.of())).failsWithin(Duration.ofSeconds(20));
    }

    @Test
    void whatIsNotOfAGatewayIsWaitedOut() throws Exception {
        pops.add("502 <html>Bad Gateway</html>");
        pops.add("200 <html>Please log in</html>");
        pops.add("200 {}");
        pops.add("302 ");
        pops.add("503 {\"detail\":\"Broker away\"}");
        pops.add("200 {\"job\":{\"uid\":\"j\"},\"pool\":\"cpu\",\"redelivered\":true,\"notices\":[{\"type\":\"sing\"},"
                + "{\"type\":\"drain\",\"lease_s\":60}]}");
        uplink.start(outbox);
        Delivery delivery = uplink.take(() -> false);

        assertThat(delivery.body()).asString().isEqualTo("{\"uid\":\"j\"}");
        assertThat(delivery.pool()).isEqualTo("cpu");
        assertThat(heard).extracting(Notice::type).containsExactly(Notice.Kind.DRAIN);
        assertThat(uplink.gaveUp()).isNull();
    }

    @Test
    void anAnswerThatStopsInItsMiddleIsGivenUp() throws Exception {
        server.createContext("/cut/report", exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write("{\"notices\"".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        });
        GatewaySettings at = settings(server.getAddress().getPort());
        GatewaySettings cut = new GatewaySettings(
                at.url().resolve("/cut"),
                at.token(),
                null,
                at.pools(),
                at.longPoll(),
                at.retryLeast(),
                at.retryMost(),
                at.reconnectFor(),
                null);

        assertThatThrownBy(() -> new GatewayCalls(cut, "p1", Duration.ofSeconds(1))
                        .report(List.of())
                        .get(20, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(IOException.class)
                .hasStackTraceContaining("has not answered within");
    }

    @Test
    void aTokenThatIsRefusedAtFirstEndsIt() throws Exception {
        pops.add("401 {\"detail\":\"the token is unknown\"}");
        uplink.start(outbox);
        assertThat(uplink.take(() -> uplink.gaveUp() != null)).isNull();
        assertThat(uplink.gaveUp()).contains("refuses the token").contains("the token is unknown");
    }

    @Test
    void aTokenThatIsRefusedLaterIsReadAgain() throws Exception {
        Path file = Files.writeString(temp.resolve("token"), "renewed\n");
        List<String> tokens = new CopyOnWriteArrayList<>();
        server.createContext("/renew/pop", exchange -> {
            tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
            answer(exchange, tokens.size() == 2 ? "401 {\"detail\":\"expired\"}" : "200 " + NOTHING);
        });
        GatewaySettings at = settings(server.getAddress().getPort());
        GatewaySettings renewed = new GatewaySettings(
                at.url().resolve("/renew"),
                "first",
                file,
                at.pools(),
                at.longPoll(),
                at.retryLeast(),
                at.retryMost(),
                Duration.ofMinutes(1),
                null);
        try (Uplink patient = renewed.uplink("p1", heard::add)) {
            patient.start(outbox);
            assertThat(patient.take(() -> tokens.size() > 3)).isNull();
            assertThat(tokens.subList(0, 3)).containsExactly("Bearer first", "Bearer first", "Bearer renewed");
            assertThat(patient.gaveUp()).isNull();
        }
    }

    @Test
    void aGatewayThatStaysAwayEndsIt() throws Exception {
        server.stop(0);
        GatewaySettings at = settings(server.getAddress().getPort());
        try (Uplink impatient = new GatewaySettings(
                        at.url(),
                        at.token(),
                        null,
                        at.pools(),
                        at.longPoll(),
                        at.retryLeast(),
                        at.retryMost(),
                        Duration.ZERO,
                        null)
                .uplink("p1", heard::add)) {
            impatient.start(outbox);
            await().until(() -> impatient.take(() -> impatient.gaveUp() != null) == null);
            assertThat(impatient.gaveUp()).contains("no connection to http://127.0.0.1");
        }
    }

    @Test
    void anAddressThatIsNoneIsRefused() {
        for (String url : List.of("amqp://h", "http:///x", "https://u:secret@h", "h:8090", "http://h?x=1")) {
            assertThatThrownBy(() ->
                            GatewaySettings.of(URI.create(url), "t", null, List.of("cpu"), Duration.ofDays(1), null))
                    .as(url)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("secret");
        }
        assertThat(GatewaySettings.of(
                        URI.create("https://h"), "secret", null, List.of("cpu"), Duration.ofDays(1), null))
                .asString()
                .doesNotContain("secret");
    }
}
