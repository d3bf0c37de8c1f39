package dev.weir.cli.client;

import static dev.weir.cli.http.TestAnswers.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.weir.pilot.run.ItemLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker with a gateway of the test's own. */
class WorkerTest {

    private static final String GONE = "{\"status\": 409, \"detail\": \"the lease has ended\"}";

    private static final Duration GRACE = Duration.ofSeconds(1);

    @TempDir
    Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<String> items = new ConcurrentLinkedQueue<>();
    private final Queue<JsonNode> ends = new ConcurrentLinkedQueue<>();
    /** For how many seconds leases were extended, in all. */
    private final AtomicInteger extended = new AtomicInteger();

    /** How many extensions the gateway hears and never answers. */
    private final AtomicInteger unanswered = new AtomicInteger();

    private final AtomicInteger failuresToCome = new AtomicInteger();
    private volatile int failure = 503;
    private volatile boolean leasesAreGone;
    /** Whether the lease has ended when an end of it is heard. */
    private volatile boolean endsAreLate;
    /** The only token that is let in. */
    private volatile String good = "t";
    /** Of a result, as the gateway answers what it does not take; 0 for none. */
    private volatile int refusal;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(threads);
        server.createContext("/queue/scans/pop", http -> {
            String item = items.poll();
            answer(http, 200, "{\"items\": [" + (item == null ? "" : item) + "]}");
        });
        server.createContext("/queue/scans/extend", http -> {
            if (unanswered.getAndDecrement() > 0) {
                return;
            }
            JsonNode extend = GatewayClient.JSON.readTree(http.getRequestBody().readAllBytes());
            extended.addAndGet(extend.path("lease_s").asInt());
            answer(http, leasesAreGone ? 409 : 200, leasesAreGone ? GONE : "{}");
        });
        server.createContext("/queue/scans/done", http -> {
            JsonNode end = GatewayClient.JSON.readTree(http.getRequestBody().readAllBytes());
            if (!http.getRequestHeaders().getFirst("authorization").equals("Bearer " + good)) {
                answer(http, 401, "{\"status\": 401, \"detail\": \"the token has expired\"}");
            } else if (failuresToCome.getAndDecrement() > 0) {
                answer(http, failure, "{\"detail\": \"not now\"}");
            } else if (refusal > 0 && end.has("result")) {
                answer(http, refusal, "{\"field\": \"result\", \"detail\": \"result may be nested 100 deep\"}");
            } else {
                ends.add(end);
                boolean isLate = leasesAreGone || endsAreLate;
                answer(http, isLate ? 409 : 200, isLate ? GONE : "{}");
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void item(String key, String payload) {
        items.add(
                "{\"key\": \"%s\", \"kind\": \"default\", \"owner\": \"o\", \"payload\": %s, \"attempt\": 1, \"token\": \"t-%s\", \"lease_s\": 3}"
                        .formatted(key, payload, key));
    }

    private Worker worker(String script, int slots, long maxItems) throws IOException {
        return worker(List.of("sh", "-c", script), slots, maxItems);
    }

    private Worker worker(List<String> command, int slots, long maxItems) throws IOException {
        return worker(new GatewayClient(access("t")), command, slots, maxItems);
    }

    private Access access(String token) {
        return new Access(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"), token);
    }

    private Worker worker(GatewayClient gateway, List<String> command, int slots, long maxItems) {
        return worker(gateway, command, slots, maxItems, Duration.ZERO);
    }

    private Worker worker(GatewayClient gateway, List<String> command, int slots, long maxItems, Duration maxIdle) {
        return new Worker(
                new QueueCalls(gateway, "scans", List.of()),
                new Worker.Settings(
                        command,
                        new ItemLimits(Duration.ofMinutes(1), 0, GRACE),
                        directory,
                        slots,
                        maxItems,
                        maxIdle,
                        Duration.ofMinutes(1),
                        GRACE.minusMillis(100)));
    }

    private CompletableFuture<Worker.Summary> running(Worker worker) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return worker.run();
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                threads);
    }

    @Test
    void resultsAndFailuresReachTheGateway() throws Exception {
        item("json", "{\"n\": 1}");
        item("text", "\"x\"");
        item("bad", "1");

        Worker.Summary summary = worker(
                        "case $KEY in bad) echo why >&2; exit 9;; text) echo plain words of slot $WEIR_SLOT;; *) cat;; esac",
                        1,
                        3)
                .run();

        assertThat(summary).isEqualTo(new Worker.Summary(2, 1, 0, 0));
        assertThat(ends.stream().map(JsonNode::toString))
                .containsExactly(
                        "{\"token\":\"t-json\",\"end\":\"finished\",\"result\":{\"n\":1}}",
                        "{\"token\":\"t-text\",\"end\":\"finished\",\"result\":\"plain words of slot 0\"}",
                        "{\"token\":\"t-bad\",\"end\":\"failed\",\"error\":\"exit code 9: why\"}");
    }

    @Test
    void whatIsNotOneValueIsATextAndNoPartOfItIsDropped() throws Exception {
        for (String script : List.of("printf '1 2'", "printf '{\"a\": 1, \"a\": 2}'")) {
            item("a", "1");
            worker(script, 1, 1).run();
        }

        assertThat(ends).extracting(end -> end.path("result")).allMatch(JsonNode::isTextual);
    }

    @Test
    void aResultThatTheGatewayDoesNotTakeIsAFailureOfItsItemAndTheWorkerGoesOn() throws Exception {
        for (int status : new int[] {400, 413, 422}) {
            refusal = status;
            item("deep", "1");
            item("none", "1");

            assertThat(worker("[ $KEY = none ] || echo '[1]'", 1, 2).run()).isEqualTo(new Worker.Summary(1, 1, 0, 0));
            assertThat(ends.poll().toString())
                    .isEqualTo(
                            "{\"token\":\"t-deep\",\"end\":\"failed\",\"error\":\"the result was refused: result may be nested 100 deep\"}");
            assertThat(ends.poll().toString()).isEqualTo("{\"token\":\"t-none\",\"end\":\"finished\"}");
        }
    }

    @Test
    void aResultOutlivesAGatewayThatIsAwayForAWhile() throws Exception {
        failuresToCome.set(2);
        item("a", "1");

        assertThat(worker("cat", 1, 1).run()).isEqualTo(new Worker.Summary(1, 0, 0, 0));
        assertThat(ends).hasSize(1);
    }

    @Test
    void anEndThatIsRefusedAsLateMayHaveBeenHeardBeforeIfItWasSentBefore() throws Exception {
        endsAreLate = true;
        item("a", "1");
        assertThat(worker("cat", 1, 1).run()).isEqualTo(new Worker.Summary(0, 0, 0, 1));

        for (int unanswered : new int[] {503, 504}) {
            failure = unanswered;
            failuresToCome.set(1);
            item("a", "1");
            try (LogLines log = new LogLines(WorkerSlot.class)) {
                assertThat(worker("cat", 1, 1).run()).isEqualTo(new Worker.Summary(1, 0, 0, 0));
                assertThat(log.seen()).last().asString().contains("perhaps by the first try");
            }
        }

        failure = 429;
        failuresToCome.set(1);
        item("a", "1");
        assertThat(worker("cat", 1, 1).run())
                .as("the first try was not heard")
                .isEqualTo(new Worker.Summary(0, 0, 0, 1));
    }

    @Test
    void anEndThatReachedNoGatewayWasNotHeardBefore() throws IOException {
        GatewayClient gateway = new GatewayClient(access("t"));
        server.stop(0);

        assertThatThrownBy(() -> gateway.post("queue/scans/done", "{}"))
                .isInstanceOfSatisfying(
                        IOException.class,
                        failure -> assertThat(GatewayClient.mayBeDone(failure)).isFalse());
    }

    @Test
    void aTokenThatIsRenewedWhileAProgramRunsLosesNoResult() throws Exception {
        Path file = directory.resolve("access.json");
        Path begun = directory.resolve("begun");
        Path renewed = directory.resolve("renewed");
        access("t").keep(file);
        item("a", "1");
        String script = "touch %s; until [ -e %s ]; do sleep 0.02; done; cat".formatted(begun, renewed);
        CompletableFuture<Worker.Summary> summary = running(
                worker(new GatewayClient(() -> Access.find(Map.of(), file)), List.of("sh", "-c", script), 1, 1));
        await().until(() -> Files.exists(begun));

        good = "new";
        access("new").keep(file);
        Files.createFile(renewed);

        assertThat(summary.get(30, TimeUnit.SECONDS)).isEqualTo(new Worker.Summary(1, 0, 0, 0));
    }

    @Test
    void aTokenThatWasGoodAndIsRefusedMayBeRenewedYet() throws Exception {
        failure = 401;
        failuresToCome.set(2);
        item("a", "1");

        assertThat(worker("cat", 1, 1).run()).isEqualTo(new Worker.Summary(1, 0, 0, 0));
    }

    @Test
    void theLeaseIsKeptForItsOwnTimeWhileTheProgramRunsAndAProgramWhoseLeaseIsLostIsEnded() throws Exception {
        item("a", "1");
        CompletableFuture<Worker.Summary> summary = running(worker("sleep 300", 1, 1));
        await().until(() -> extended.get() >= 2 * 3);

        leasesAreGone = true;

        assertThat(summary.get(30, TimeUnit.SECONDS)).isEqualTo(new Worker.Summary(0, 0, 0, 1));
    }

    @Test
    void anExtensionThatIsNeverAnsweredDoesNotKeepTheNextFromItsTime() throws Exception {
        unanswered.set(1);
        item("a", "1");
        CompletableFuture<Worker.Summary> summary = running(worker("sleep 300", 1, 1));

        await().until(() -> extended.get() >= 3);

        leasesAreGone = true;
        assertThat(summary.get(30, TimeUnit.SECONDS)).isEqualTo(new Worker.Summary(0, 0, 0, 1));
    }

    @Test
    void aSlotWithoutAnItemStaysWhileAnotherHasOneAndAllEndWhenNoneHas() throws Exception {
        Duration maxIdle = Duration.ofMillis(500);
        Path last = directory.resolve("last");
        Path begun = directory.resolve("begun");
        String script = "[ $KEY = last ] && touch %1$s; touch %2$s; until [ -e %1$s ]; do sleep 0.02; done"
                .formatted(last, begun);
        item("long", "1");
        CompletableFuture<Worker.Summary> summary =
                running(worker(new GatewayClient(access("t")), List.of("sh", "-c", script), 2, 0, maxIdle));
        await().until(() -> Files.exists(begun));
        long since = System.nanoTime();
        await().until(() -> System.nanoTime() - since > 2 * maxIdle.toNanos());

        item("last", "1");

        assertThat(summary.get(30, TimeUnit.SECONDS)).isEqualTo(new Worker.Summary(2, 0, 0, 0));
    }

    @Test
    void anOutageOfTheGatewayDoesNotCountAsIdle() throws Exception {
        Duration maxIdle = Duration.ofSeconds(1);
        Worker worker = worker(new GatewayClient(access("t")), List.of("true"), 1, 1, maxIdle);
        long since = System.nanoTime();
        AtomicInteger pops = new AtomicInteger();
        server.removeContext("/queue/scans/pop");
        server.createContext("/queue/scans/pop", http -> {
            boolean isAway = System.nanoTime() - since <= maxIdle.toNanos();
            // The first one that is answered finds nothing yet.
            boolean isEmpty = !isAway && pops.getAndIncrement() == 0;
            answer(http, isAway ? 503 : 200, "{\"items\": [" + (isEmpty ? "" : items.peek()) + "]}");
        });
        item("a", "1");

        assertThat(worker.run()).isEqualTo(new Worker.Summary(1, 0, 0, 0));
    }

    @Test
    void aSlotThatMayNotBeginTakesNothingFromThoseThatMay() throws Exception {
        Worker worker = worker("true", 2, 1);
        assertThat(worker.mayBegin()).isTrue();
        assertThat(worker.mayBegin()).isFalse();

        worker.didNotBegin();

        assertThat(worker.mayBegin()).isTrue();
    }

    @Test
    void aWorkerThatEndsHandsItsItemsBack() throws Exception {
        item("a", "1");
        item("b", "1");
        Path begun = directory.resolve("begun");
        Worker worker = worker("echo x >>" + begun + "; sleep 300", 3, 0);
        CompletableFuture<Worker.Summary> summary = running(worker);
        await().until(() -> begun.toFile().length() >= 4);

        worker.stop();

        assertThat(summary.get(30, TimeUnit.SECONDS)).isEqualTo(new Worker.Summary(0, 0, 2, 0));
        assertThat(ends).allMatch(end -> end.path("end").asText().equals("released"));
    }

    @Test
    void theEndOfAProgramThatTookLongToEndIsTriedAgainToo() throws Exception {
        item("a", "1");
        Path begun = directory.resolve("begun");
        Worker worker = worker("trap '' TERM; touch " + begun + "; sleep 300", 1, 0);
        CompletableFuture<Worker.Summary> summary = running(worker);
        await().until(() -> Files.exists(begun));
        failuresToCome.set(1);

        worker.stop();

        assertThat(summary.get(30, TimeUnit.SECONDS)).isEqualTo(new Worker.Summary(0, 0, 1, 0));
    }

    @Test
    void aWorkerThatCannotRunItsProgramHandsTheItemBackAndEndsWithTheReason() {
        item("a", "1");
        item("b", "1");

        assertThatThrownBy(() -> worker(List.of("/nowhere/program"), 1, 2).run())
                .hasMessageContaining("/nowhere/program");

        assertThat(ends).extracting(JsonNode::toString).containsExactly("{\"token\":\"t-a\",\"end\":\"released\"}");
        assertThat(items).as("not taken").hasSize(1);
    }

    @Test
    void aRefusalThatWillNotPassEndsTheWorkerWithTheReason() throws Exception {
        server.removeContext("/queue/scans/pop");
        server.createContext(
                "/queue/scans/pop",
                http -> answer(http, 404, "{\"status\": 404, \"detail\": \"there is no queue scans\"}"));

        Worker worker = worker("cat", 2, 0);

        assertThatThrownBy(worker::run).hasMessage("there is no queue scans");
    }
}
