package dev.weir.cli.client;

import static dev.weir.cli.http.TestAnswers.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.cli.Weir;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A feed between a source and a gateway of the test's own, which has one thread. */
class FeedTest {

    @TempDir
    Path directory;

    private final List<String> queue = new ArrayList<>();
    private final List<Integer> asked = new ArrayList<>();
    private final List<String> waits = new ArrayList<>();
    private int mark;
    private int pushes;
    private int sourceHas = 1_000;
    /** Whether the source always gives the same. */
    private boolean cycles;

    private int sourceStatus = 200;
    private int failuresToCome;
    private int failure = 503;
    /** After the first answer of the source. */
    private int sourceRefusalsToCome;

    /** A key that the token may not push; null for none. */
    private String forbidden;
    /** Whether the token may push nothing into this queue. */
    private boolean queueIsForbidden;

    private int room = Integer.MAX_VALUE;
    /** A key for which there is never room; null for none. */
    private String full;

    private HttpServer server;
    private URI address;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        server.createContext("/source", this::give);
        server.createContext("/queue/q", this::show);
        server.createContext("/queue/q/items", this::push);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Who waits hears that the queue is low at once: workers have taken all. */
    private void show(HttpExchange http) throws IOException {
        if (http.getRequestURI().getQuery() != null) {
            waits.add(http.getRequestURI().getQuery());
            queue.clear();
        }
        answer(http, 200, "{\"waiting\": " + queue.size() + ", \"later\": 0, \"settings\": {\"low\": " + mark + "}}");
    }

    private void give(HttpExchange http) throws IOException {
        int most = Integer.parseInt(http.getRequestURI().getQuery().replace("n=", ""));
        asked.add(most);
        if (asked.size() > 1 && sourceRefusalsToCome-- > 0) {
            answer(http, 401, "");
            return;
        }
        ArrayNode items = GatewayClient.JSON.createArrayNode();
        for (int i = 0; i < most && sourceHas > 0; i++) {
            items.add("key-" + sourceHas--);
        }
        sourceHas = cycles ? 13 : sourceHas;
        answer(http, sourceStatus, items.toString());
    }

    private void push(HttpExchange http) throws IOException {
        pushes++;
        JsonNode items = GatewayClient.JSON
                .readTree(http.getRequestBody().readAllBytes())
                .path("items");
        if (failuresToCome-- > 0) {
            answer(http, failure, "{\"detail\": \"not now\"}");
            return;
        }
        int denied = items.findValuesAsText("key").indexOf(forbidden);
        if (queueIsForbidden || denied >= 0) {
            String field = queueIsForbidden ? "queue" : "items[" + denied + "].priority";
            answer(http, 403, "{\"field\": \"" + field + "\", \"detail\": \"not in the scope of the token\"}");
            return;
        }
        if (items.findValuesAsText("key").contains("key-13")) {
            // A list with an item that is not valid is refused as a whole.
            answer(http, 422, "{\"detail\": \"key must not be 13\"}");
            return;
        }
        ArrayNode outcomes = GatewayClient.JSON.createArrayNode();
        for (JsonNode item : items) {
            String key = item.path("key").asText();
            boolean isFull = key.equals(full) || room-- <= 0;
            room = isFull ? 1 : room;
            outcomes.addObject()
                    .put("outcome", isFull ? "full" : queue.contains(key) ? "waiting" : "created")
                    .put("reason", "owner o has its most items, 5");
            if (!isFull && !queue.contains(key)) {
                queue.add(key);
            }
        }
        answer(
                http,
                200,
                GatewayClient.JSON.createObjectNode().set("outcomes", outcomes).toString());
    }

    private Feed feed(Integer low, int high) throws IOException {
        return new Feed(
                new GatewayClient(new Access(address, "t")),
                "q",
                new FeedSource(address.resolve("source"), null),
                new Feed.Settings(low, high, Duration.ofMillis(1), Duration.ofMillis(50), Duration.ofSeconds(30)));
    }

    @Test
    void aQueueThatIsLowIsFilledToTheUpperMark() throws Exception {
        sourceHas = 600;

        assertThat(feed(10, 2_000).run()).isEqualTo(new Feed.Summary(599, 0, 1, 0));

        assertThat(queue).hasSize(599).doesNotHaveDuplicates();
        assertThat(asked).startsWith(256, 256).allMatch(most -> most <= 256);
    }

    @Test
    void aQueueWithAMarkIsFilledAgainAsSoonAsItIsLow() throws Exception {
        mark = 20;
        sourceHas = 100;

        assertThat(feed(null, 50).run().pushed()).isEqualTo(99);

        assertThat(waits).as("once it was full, and not low").contains("wait_s=0.001");
    }

    @Test
    void aSourceThatGivesOnlyWhatTheQueueKnowsOrRefusesIsAskedAtItsPaceAndEndsTheFeed() throws Exception {
        sourceHas = 13;
        queue.addAll(List.of("key-12", "key-11"));
        cycles = true;

        Feed.Summary summary = feed(30, 50).run();

        assertThat(summary.pushed()).isEqualTo(10);
        assertThat(asked).as("a millisecond apart, for 50 ms").hasSizeBetween(2, 100);
    }

    @Test
    void nothingThatTheSourceGaveIsLostWhileTheGatewayIsAwayOrTheQueueFull() throws Exception {
        failuresToCome = 2;
        sourceHas = 12;
        room = 5;

        assertThat(feed(10, 100).run().pushed()).isEqualTo(12);
        assertThat(queue).hasSize(12);
    }

    @Test
    @Timeout(30)
    void aFeedThatLeavesItemsWithoutRoomFailsAndOneMayNotAskTooOften() throws Exception {
        sourceHas = 2;
        full = "key-1";

        assertThat(command("--every", "100ms", "--max-idle", "1s")).isEqualTo(1);
        assertThat(queue).hasSize(1);
        assertThat(command("--every", "99ms")).isEqualTo(2);
    }

    private int command(String... options) throws IOException {
        Path access = directory.resolve("access.json");
        Files.deleteIfExists(access);
        new Access(address, "t").keep(access);
        List<String> line = new ArrayList<>(List.of(
                "feed", "--queue", "q", "--source", address.resolve("source").toString()));
        line.addAll(List.of("--access", access.toString()));
        line.addAll(List.of(options));
        PrintWriter nobody = new PrintWriter(Writer.nullWriter());
        return Weir.commandLine().setOut(nobody).setErr(nobody).execute(line.toArray(String[]::new));
    }

    @Test
    @Timeout(30)
    void anItemWithoutRoomIsToldOfOnceAMinuteAndEndsTheFeedAfterTheIdleTime() throws Exception {
        sourceHas = 12;
        full = "key-7";

        try (LogLines log = new LogLines(Feed.class)) {
            assertThat(feed(20, 100).run()).isEqualTo(new Feed.Summary(11, 0, 0, 1));

            assertThat(log.seen())
                    .containsExactly(
                            "No room for item \"key-7\", and the feed waits for it: owner o has its most items, 5");
        }
        assertThat(queue).hasSize(11);
        assertThat(asked).as("nothing more while an item waits for room").hasSize(1);
    }

    @Test
    void aTokenThatWasGoodAndIsRefusedByGatewayOrSourceMayBeRenewedYet() throws Exception {
        failure = 401;
        failuresToCome = 2;
        sourceRefusalsToCome = 2;
        sourceHas = 12;

        assertThat(feed(20, 100).run().pushed()).isEqualTo(12);
    }

    @Test
    void anItemThatTheTokenMayNotPushIsRefusedAndTheOthersArePushed() throws Exception {
        sourceHas = 12;
        forbidden = "key-7";

        assertThat(feed(10, 100).run()).isEqualTo(new Feed.Summary(11, 0, 1, 0));

        assertThat(queue).hasSize(11).doesNotContain(forbidden);
    }

    @Test
    void aListWithAnItemThatIsRefusedIsPushedInHalvesAndNotOneByOne() throws Exception {
        sourceHas = 256;

        assertThat(feed(10, 1_000).run()).isEqualTo(new Feed.Summary(255, 0, 1, 0));

        assertThat(queue).hasSize(255);
        assertThat(pushes).as("eight times in halves").isEqualTo(17);
    }

    @Test
    void aQueueIntoWhichTheTokenMayPushNothingEndsTheFeed() throws Exception {
        queueIsForbidden = true;

        Feed feed = feed(10, 100);

        assertThatThrownBy(feed::run).hasMessageContaining("not in the scope of the token");
    }

    @Test
    void aSourceThatRefusesEndsTheFeedWithItsAnswer() throws Exception {
        sourceStatus = 403;

        Feed feed = feed(10, 100);

        assertThatThrownBy(feed::run).hasMessageContaining("answers 403");
    }

    @Test
    @Timeout(30)
    void aTokenFileThatCannotBeReadEndsTheFeedAtOnceAndIsWaitedForLater() throws Exception {
        Path token = directory.resolve("token");
        assertThatThrownBy(() -> new FeedSource(address.resolve("source"), token))
                .isInstanceOf(FeedSource.Wrong.class)
                .hasMessageContaining("cannot read a token from " + token)
                .hasMessageContaining("--source-token-file");
        assertThat(command("--source-token-file", token.toString())).isEqualTo(1);
        assertThat(asked).isEmpty();

        FeedSource source = new FeedSource(address.resolve("source"), Files.writeString(token, "t\n"));
        Files.delete(token);
        assertThatThrownBy(() -> source.next(1)).isNotInstanceOf(FeedSource.Wrong.class);
        Files.writeString(token, "t\n");
        assertThat(source.next(1)).hasSize(1);

        Files.writeString(token, "sec\u00a0ret\n");
        assertThatThrownBy(() -> source.next(1))
                .hasMessageContaining("the first line of " + token + " is no token")
                .hasMessageNotContaining("ret");
    }

    @Test
    void anAddressWithAPasswordIsRefusedWithoutBeingShown() {
        StringWriter err = new StringWriter();

        assertThat(Weir.commandLine()
                        .setErr(new PrintWriter(err, true))
                        .execute("feed", "--queue", "q", "--source", "http://anna:secret@127.0.0.1/hosts"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--source-token-file").doesNotContain("secret");
    }

    @Test
    void aSourceAtWhichNobodyListensIsNamedWithTheReason() throws IOException {
        FeedSource nobody = new FeedSource(URI.create("http://127.0.0.1:1/hosts"), null);

        assertThatThrownBy(() -> nobody.next(1))
                .hasMessageContaining("no source answers at http://127.0.0.1:1/hosts")
                .hasMessageContaining("ConnectException");
    }
}
