package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.gateway.logs.LogRoots;
import dev.weir.gateway.logs.LogTail;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs are read where the operator allows it, and nowhere else: their addresses are words of pilots. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class LogsTest {

    private static final String ASKED = "said by job";

    private Path root;
    private TestGateway gateway;
    private HttpServer storage;
    private String web;
    private MirrorRows rows;
    private int jobs;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        root = Files.createDirectory(directory.resolve("storage"));
        Files.writeString(Files.createDirectory(root.resolve("run")).resolve("a b%.log"), ASKED);
        Files.writeString(root.resolve("plain.log"), ASKED);
        Files.writeString(directory.resolve("secret"), "SECRET");
        Files.writeString(Files.createDirectory(directory.resolve("storage2")).resolve("secret"), "SECRET");
        Files.createSymbolicLink(root.resolve("out.log"), directory.resolve("secret"));
        Files.createSymbolicLink(root.resolve("up"), directory);
        Files.createSymbolicLink(root.resolve("in.log"), root.resolve("plain.log"));
        storage = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        storage.createContext("/", LogsTest::answer);
        storage.start();
        web = "http://127.0.0.1:" + storage.getAddress().getPort();
        gateway = TestGateway.start(directory, options -> options.withLogRoots(root.toString(), web + "/logs"));
        rows = new MirrorRows(gateway.database);
    }

    @AfterAll
    void stop() throws Exception {
        gateway.close();
        storage.stop(0);
    }

    /** A storage: its names say what it does. */
    private static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = path.contains("large")
                ? "0123456789".repeat(30_000).getBytes(StandardCharsets.US_ASCII)
                : ASKED.getBytes(StandardCharsets.US_ASCII);
        int status = 200;
        if (path.contains("moved")) {
            exchange.getResponseHeaders().set("Location", "/other/secret.log");
            status = 302;
        } else if (path.contains("status")) {
            status = Integer.parseInt(path.replaceAll("\\D", ""));
        } else if (path.contains("endless")) {
            endless(exchange);
            return;
        } else if (path.contains("gone")) {
            status = 404;
        } else if (path.contains("part")) {
            int from = Math.max(0, body.length - LogTail.MOST_BYTES);
            exchange.getResponseHeaders()
                    .set("Content-Range", "bytes " + from + "-" + (body.length - 1) + "/" + body.length);
            body = Arrays.copyOfRange(body, from, body.length);
            status = exchange.getRequestHeaders().getFirst("Range").equals("bytes=-262144") ? 206 : 400;
        }
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** More than is read of a server that gives no part. */
    private static void endless(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        try (exchange) {
            for (int i = 0; i < 65; i++) {
                exchange.getResponseBody().write(new byte[1 << 20]);
            }
        }
    }

    private Answer logAt(String url) throws Exception {
        rows.job("t", ++jobs, "Failed", "exit", "no", 1, url);
        return gateway.get("/job/t." + jobs + "/log");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/plain.log", "/run/a b%.log", "/run/a%20b%25.log", "/in.log"})
    void aLogBelowADirectoryOfTheSettingIsShown(String name) throws Exception {
        Answer answer = logAt("file://" + root + name);

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.text("text")).isEqualTo(ASKED);
        assertThat(answer.json().get("size").asInt()).isEqualTo(ASKED.length());
        assertThat(logAt("file://localhost" + root + name).text("text")).isEqualTo(ASKED);
    }

    @Test
    void ofALongLogTheEndIsShownFromAWholeCharacterOn() throws Exception {
        Files.writeString(root.resolve("long.log"), "\u20ac".repeat(200_000) + "x");
        Answer answer = logAt("file://" + root + "/long.log");

        assertThat(answer.json().get("size").asLong()).isEqualTo(600_001);
        assertThat(answer.json().get("from").asLong())
                .isBetween(600_001L - LogTail.MOST_BYTES, 600_004L - LogTail.MOST_BYTES);
        assertThat(answer.text("text")).matches("\u20ac+x");
        Files.write(root.resolve("bytes.log"), new byte[] {'a', (byte) 0xff, 0, '<', 'b', '>'});
        assertThat(logAt("file://" + root + "/bytes.log").text("text")).isEqualTo("a\ufffd\0<b>");
        Files.write(root.resolve("empty.log"), new byte[0]);
        assertThat(logAt("file://" + root + "/empty.log").text("text")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file://ROOT/../secret",
                "file://ROOT/%2e%2e/secret",
                "file://ROOT/run/..%2f../secret",
                "file://ROOT/out.log",
                "file://ROOT/up/secret",
                "file://ROOT2/secret",
                "file:///etc/passwd",
                "file://elsewhere/ROOT/plain.log",
                "file://ROOT",
                "file://ROOT/run",
                "ROOT/plain.log",
                "s3://bucket/ROOT/plain.log",
                "WEB/other/secret.log",
                "WEB/logs/../other/secret.log",
                "WEB/logs/%2e%2e/other/secret.log",
                "WEB/logs/..;/other/secret.log",
                "WEB/logs/..;a=b/other/secret.log",
                "WEB/logs/%2e%2e%3b/other/secret.log",
                "WEB/logsecret.log",
                "http://127.0.0.1@evil.example/logs/a.log"
            })
    void aLogElsewhereIsNotReadAndTheAnswerSaysWhatToSet(String url) throws Exception {
        Answer answer = logAt(url.replace("ROOT", root.toString()).replace("WEB", web));

        assertThat(answer.status()).as(answer.body()).isEqualTo(404);
        assertThat(answer.text("detail")).contains("weir.gateway.log-roots");
        assertThat(answer.body()).doesNotContain("SECRET", "said");
    }

    @Test
    void withoutTheSettingNoLogIsRead() {
        assertThatThrownBy(() -> new LogRoots(List.of()).read("file://" + root + "/plain.log"))
                .hasMessageContaining("weir.gateway.log-roots");
        assertThatThrownBy(() -> new LogRoots(List.of("data/logs")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("absolute directories");
    }

    @ParameterizedTest
    @CsvSource({"a.log, 11, 0", "part.log, 11, 0", "large.log, 300000, 37856", "large-part.log, 300000, 37856"})
    void aLogOnAWebServerIsShownWhetherOrNotTheServerGivesParts(String name, long size, long from) throws Exception {
        Answer answer = logAt(web + "/logs/" + name);

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().get("size").asLong()).isEqualTo(size);
        assertThat(answer.json().get("from").asLong()).isEqualTo(from);
        assertThat(answer.text("text")).hasSize((int) (size - from)).endsWith(from == 0 ? ASKED : "456789");
    }

    @Test
    void aLogThatIsGoneOrNeverWasIsSaidToBe() throws Exception {
        assertThat(logAt("file://" + root + "/none.log").text("detail")).contains("there is no file at", "none.log");
        assertThat(logAt(web + "/logs/gone.log").text("detail")).contains("there is no file at");
        assertThat(logAt(null).text("detail")).contains("none of its attempts has ended with one");
        assertThat(gateway.get("/job/unknown/log").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "moved.log, answers 302",
        "status-401.log, answers 401",
        "status-403.log, answers 403",
        "status-405.log, answers 405",
        "endless.log, more than 67108864 bytes"
    })
    void aLogThatAWebServerWillNeverGiveIsNotAskedForAgain(String name, String reason) throws Exception {
        Answer answer = logAt(web + "/logs/" + name);

        assertThat(answer.status()).as(answer.body()).isEqualTo(404);
        assertThat(answer.text("title")).isEqualTo("Log not shown");
        assertThat(answer.text("detail")).contains(web + "/logs/" + name, reason);
        assertThat(answer.body()).doesNotContain("said");
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 503})
    void aFailureThatMayPassIsToldWithItsReason(int status) throws Exception {
        Answer answer = logAt(web + "/logs/status-" + status + ".log");

        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(answer.text("detail")).contains("the storage answers " + status, "Ask again");
        assertThat(answer.headers().firstValue("Retry-After")).contains("5");
    }

    @Test
    void aStorageThatIsAwayIsToldWithoutPasswords() throws Exception {
        int port;
        try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = unused.getLocalPort();
        }
        String address = "http://u:s3cret@127.0.0.1:" + port + "/logs";
        assertThatThrownBy(() -> new LogRoots(List.of(address)).read(address + "/a.log"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ConnectException")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void aFileThatCanNeverBeReadIsNotAskedForAgain() throws Exception {
        Path loop = root.resolve("loop.log");
        Files.createSymbolicLink(loop, loop);
        for (String path : List.of("/plain.log/below.log", "/loop.log", "/" + "x".repeat(300))) {
            Answer answer = logAt("file://" + root + path);

            assertThat(answer.status()).as(answer.body()).isEqualTo(404);
            assertThat(answer.text("title")).isEqualTo("Log not shown");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://", "https:///spd", "http://:80/x", "https://store/a/..;/b", "https://store/../b"})
    void aRootWithoutAHostOrWithAStepUpwardsIsRefused(String root) {
        assertThatThrownBy(() -> new LogRoots(List.of(root)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("weir.gateway.log-roots must name addresses with a host")
                .hasMessageContaining(root);
    }

    @Test
    void eachAttemptOfAJobThatIsOverHasItsLog() throws Exception {
        rows.task("stored", "cpu", "active").counts(1, 0, 0, 1, 0).write();
        gateway.database.run("UPDATE task_dat SET dat_stor_url = 'file://" + root + "' WHERE uid = 'stored'");
        Files.writeString(root.resolve("first.log"), "the first");
        Files.writeString(root.resolve("second.log"), "the second");
        rows.job("stored", 1, "Finished", null, null, 0, "file://" + root + "/plain.log");
        log(1, "first.log");
        log(2, "file://" + root + "/second.log");

        assertThat(gateway.get("/job/stored.1/log?attempt=1").text("text")).isEqualTo("the first");
        assertThat(gateway.get("/job/stored.1/log?attempt=2").text("text")).isEqualTo("the second");
        assertThat(gateway.get("/job/stored.1/log").text("text")).isEqualTo(ASKED);
        assertThat(gateway.get("/job/stored.1/log?attempt=3").text("detail")).contains("no log of attempt 3");
        assertThat(gateway.get("/job/stored.1/log?attempt=0").text("field")).isEqualTo("attempt");
    }

    @Test
    void aFailedAttemptHasItsLogWhileTheNextOneRuns() throws Exception {
        rows.task("tried", "cpu", "active").counts(1, 0, 0, 0, 0).write();
        Files.writeString(root.resolve("failed.log"), "it failed");
        rows.job("tried", 1, "Running", null, null, null, null);
        rows.attempt("tried", 1, 1, "exit", "no calibration", "file://" + root + "/failed.log");

        assertThat(gateway.get("/job/tried.1/log?attempt=1").text("text")).isEqualTo("it failed");
        assertThat(gateway.get("/job/tried.1/log?attempt=2").status()).isEqualTo(404);
    }

    private void log(int attempt, String path) throws SQLException {
        gateway.database.run(String.format("""
                INSERT INTO file_dat (id, task_uid, job_uid, attempt, kind, status, path, storage_id, version, deleted)
                VALUES ('stored.1/%1$d/log', 'stored', 'stored.1', %1$d, 'log', 'Finished', '%2$s', 'an id', 1, false)""", attempt, path));
    }
}
