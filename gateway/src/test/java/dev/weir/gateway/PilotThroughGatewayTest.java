package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.pilot.Pilot;
import dev.weir.pilot.PilotSettings;
import dev.weir.pilot.PilotSummary;
import dev.weir.pilot.gateway.GatewaySettings;
import dev.weir.pilot.run.RunSettings;
import dev.weir.protocol.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Whole pilots with real programs, a gateway, a broker and the scheduling core: from the task to the files of its output. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PilotThroughGatewayTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int FILES = 3;
    private static final String SHELL = "site7-shell";

    private Path root;
    private TestGateway gateway;
    private CoreOnTheBroker core;
    private String token;

    @BeforeAll
    void start(@TempDir Path given) throws Exception {
        root = given.toRealPath();
        gateway = TestGateway.start(given);
        core = new CoreOnTheBroker(gateway);
        Scope scope = new Scope(null, List.of("cpu"), List.of("site7-*"), null);
        token = gateway.token("site7", Role.PILOT, Instant.now().plusSeconds(600), scope);
        // A pilot ends at once when its token is refused at first.
        await().until(() -> listen("site7-0") == 200);
        Files.createDirectories(root.resolve("bin"));
        Files.createDirectories(root.resolve("data"));
        program("upper", "tr a-z A-Z < \"$1\" > \"$2\"");
        program("wait", "while [ ! -e " + root + "/go ]; do sleep 0.05; done; cat \"$1\" > \"$2\"");
        program("forever", "while true; do sleep 0.05; done");
    }

    @AfterAll
    void stop() throws Exception {
        core.close();
        gateway.close();
    }

    /** Takes the place of a request for a job that the pilot has left behind. */
    private int listen(String pilot) throws Exception {
        String listening = "{\"pilot_id\": \"%s\", \"queues\": []}".formatted(pilot);
        return gateway.send("POST", "/pop", token, listening).status();
    }

    private void program(String name, String script) throws IOException {
        Path file = Files.writeString(root.resolve("bin").resolve(name), "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** A task over files of its own. */
    private void send(String uid, String executable) throws Exception {
        List<String> targets = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            targets.add(file(uid + i, "file " + i, ""));
        }
        send(uid, executable, disk(), uid, targets);
    }

    private void send(String uid, String executable, String storage, String directory, List<String> targets)
            throws Exception {
        String task = """
                {"uid": "%1$s", "executable": "%2$s", "args": "{file_in} {file_out}", "device_type": "CPU", "mode": "Map",
                 "dat_in_uid": "in-%1$s", "dat_out_uid": "out-%1$s", "dat_stor_url": "%3$s", "dat_out_url": "%4$s",
                 "targets": %5$s}""".formatted(uid, executable, storage, directory, targets);
        assertThat(gateway.send("POST", "/task?wait=30", gateway.byRole.get(Role.WFMS), task)
                        .status())
                .isEqualTo(200);
    }

    /** Makes a file, and gives it as a target, with the further fields. */
    private String file(String name, String content, String fields) throws IOException {
        Files.writeString(root.resolve("data").resolve(name), content);
        return target(name, disk(), fields);
    }

    private static String target(String name, String storage, String fields) {
        return "{\"name\": \"%s\", \"storage_url\": \"%s\"%s}".formatted(name, storage, fields);
    }

    private String disk() {
        return "file://" + root.resolve("data");
    }

    /** How many jobs of the task are in this state. */
    private int count(String task, String status) throws Exception {
        return gateway.get("/task/" + task + "/job?status=" + status)
                .json()
                .get("data")
                .size();
    }

    private List<String> outputs(String task) throws IOException {
        return outputsByName(task).values().stream().sorted().toList();
    }

    private Map<String, String> outputsByName(String directory) throws IOException {
        try (var files = Files.walk(root.resolve("data").resolve(directory))) {
            return files.filter(file -> file.toString().endsWith(".out"))
                    .collect(Collectors.toMap(out -> out.toFile().getName().split("-[0-9a-f]{6}.")[0], this::content));
        }
    }

    /** Reports that the pilot keeps on disk. */
    private List<String> kept(String pilot) throws IOException {
        try (var files = Files.list(root.resolve("work").resolve(pilot).resolve("outbox"))) {
            return files.map(this::content).toList();
        }
    }

    private String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Pilot pilot(String id, URI url) throws IOException {
        GatewaySettings uplink = new GatewaySettings(
                url,
                token,
                null,
                List.of("cpu"),
                Duration.ofSeconds(10),
                Duration.ofMillis(20),
                Duration.ofMillis(200),
                Duration.ofMinutes(5),
                null);
        return new Pilot(new PilotSettings(
                id,
                Device.CPU,
                root.resolve("work"),
                List.of(root.resolve("data")),
                List.of(),
                Duration.ofMillis(300),
                Duration.ZERO,
                0,
                Duration.ofSeconds(5),
                uplink,
                RunSettings.of(List.of(root.resolve("bin")))));
    }

    private static CompletableFuture<PilotSummary> run(Pilot pilot) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return pilot.run();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                work -> new Thread(work, "test-pilot").start());
    }

    @Test
    void aTaskIsWorkedOff() throws Exception {
        try (Pilot one = pilot("site7-1", gateway.url());
                Pilot two = pilot("site7-2", gateway.url())) {
            CompletableFuture<PilotSummary> first = run(one);
            CompletableFuture<PilotSummary> second = run(two);
            send("upper", "upper");

            await().atMost(SOON).until(() -> count("upper", "Finished") == FILES);
            assertThat(outputs("upper")).containsExactly("FILE 0", "FILE 1", "FILE 2");
            one.drain("the test is over");
            two.drain("the test is over");
            long jobs = first.get(30, TimeUnit.SECONDS).finished()
                    + second.get(30, TimeUnit.SECONDS).finished();
            assertThat(jobs).isEqualTo(FILES);
        }
    }

    @Test
    void aCancelReachesThePilotWhileItsProgramRuns() throws Exception {
        try (Pilot pilot = pilot("site7-3", gateway.url())) {
            CompletableFuture<PilotSummary> ended = run(pilot);
            send("forever", "forever");
            await().atMost(SOON).until(() -> count("forever", "Running") == 1);
            assertThat(gateway.put("/task/forever/canceled?wait=30", null).status())
                    .isEqualTo(200);

            await().atMost(SOON).until(() -> count("forever", "Cancelled") == FILES);
            pilot.drain("the test is over");
            assertThat(ended.get(30, TimeUnit.SECONDS).cancelled()).isPositive();
        }
    }

    @Test
    void resultsOutliveAnOutageOfTheGateway() throws Exception {
        Gateway another = gateway.another();
        int port = another.url().getPort();
        try (Pilot pilot = pilot("site7-4", another.url())) {
            CompletableFuture<PilotSummary> ended = run(pilot);
            send("wait", "wait");
            await().atMost(SOON).until(() -> count("wait", "Running") == 1);
            another.close();
            Files.createFile(root.resolve("go"));
            await().atMost(SOON)
                    .until(() -> kept("site7-4").stream().anyMatch(report -> report.contains("\"finished\"")));

            another = gateway.another(port);
            await().atMost(SOON).until(() -> count("wait", "Finished") == FILES);
            assertThat(outputs("wait")).containsExactly("file 0", "file 1", "file 2");
            pilot.drain("the test is over");
            assertThat(ended.get(30, TimeUnit.SECONDS).unconfirmed()).isZero();
        } finally {
            another.close();
        }
    }

    /** As a site without Java would start it. */
    private Process shell(URI url) throws IOException {
        Path script = Path.of("..").resolve("docs").resolve("pilot.sh").toRealPath();
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString())
                .redirectErrorStream(true)
                .redirectOutput(root.resolve(SHELL).toFile());
        builder.environment()
                .putAll(Map.of(
                        "PATH",
                        "/usr/bin:/bin",
                        "GATEWAY",
                        url.toString(),
                        "TOKEN_FILE",
                        Files.writeString(root.resolve("token"), token + "\n").toString(),
                        "PILOT",
                        SHELL,
                        "POOL",
                        "cpu",
                        "PROGRAMS",
                        root.resolve("bin").toString()));
        return builder.start();
    }

    private void awaitAlive(Process shell, Callable<Boolean> end) {
        await().atMost(SOON)
                .conditionEvaluationListener(ignored -> assertThat(shell.isAlive())
                        .as(content(root.resolve(SHELL)))
                        .isTrue())
                .until(end);
    }

    private void end(Process shell) throws Exception {
        shell.descendants().forEach(ProcessHandle::destroyForcibly);
        shell.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        assertThat(listen(SHELL)).isEqualTo(200);
    }

    /** What the gateway finally refuses is told of, and does not stop the pilot. */
    @Test
    void thePilotInShellWorksOffATaskAlthoughReportsAreRefused() throws Exception {
        RefusingFront front = new RefusingFront(gateway.url(), "\"running\"", List.of(400, 413, 422));
        Process shell = shell(front.url());
        try (front) {
            send("shell", "upper");
            awaitAlive(shell, () -> count("shell", "Finished") == FILES);
            assertThat(outputs("shell")).containsExactly("FILE 0", "FILE 1", "FILE 2");
            assertThat(front.left()).isZero();
            assertThat(content(root.resolve(SHELL)))
                    .contains(
                            "report is answered with 400: {\"detail\": \"a report is not valid\"}",
                            "report is answered with 413",
                            "report is answered with 422");
        } finally {
            end(shell);
        }
    }

    /** Beside each file lies the one that is read when its name is taken for a pattern, a fragment, a query or an escape. */
    @Test
    void thePilotInShellTakesNamesOfFilesLiterally() throws Exception {
        for (String other : List.of("a", "pA.raw", "run1.raw", "run2.raw", "q", "with")) {
            file(other, "wrong", "");
        }
        List<String> targets = List.of(
                file("a#1.raw", "hash", ", \"size\": 4"),
                file("p%41.raw", "percent", ", \"checksum\": \"MD5:354f047ba64552895b016bbdd60ab174\""),
                file("run[1-2].raw", "brackets", ", \"checksum\": \"adler32:0ea10350\""),
                file("q?x=1.raw", "query", ""),
                file("with blank.raw", "blank", ""),
                file("{b,ü}$(c)%.raw", "braces", ""),
                target("de%63oded.raw", disk(), ""));
        file("decoded.raw", "decoded", "");
        Process shell = shell(gateway.url());
        try {
            send("names", "upper", disk(), "names #1?%41 [1-2]", targets);
            awaitAlive(shell, () -> count("names", "Finished") == targets.size());
            assertThat(outputsByName("names #1?%41 [1-2]"))
                    .containsOnly(
                            Map.entry("a#1.0.1.site7-shell", "HASH"),
                            Map.entry("p%41.1.1.site7-shell", "PERCENT"),
                            Map.entry("run[1-2].2.1.site7-shell", "BRACKETS"),
                            Map.entry("q?x=1.3.1.site7-shell", "QUERY"),
                            Map.entry("with blank.4.1.site7-shell", "BLANK"),
                            Map.entry("{b,ü}$(c)%.5.1.site7-shell", "BRACES"),
                            Map.entry("de%63oded.6.1.site7-shell", "DECODED"));
        } finally {
            end(shell);
        }
    }

    @Test
    void thePilotInShellEncodesThePathsOfHttp() throws Exception {
        Map<String, String> stored = new ConcurrentHashMap<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().toString();
            if (exchange.getRequestMethod().equals("PUT")) {
                stored.put(path, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            }
            exchange.sendResponseHeaders(path.contains("moved") ? 302 : 200, path.length());
            exchange.getResponseBody().write(path.getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        server.start();
        String storage = "http://127.0.0.1:" + server.getAddress().getPort() + "/s";
        Process shell = shell(gateway.url());
        try {
            send("http", "upper", storage, "o t", List.of(target("a#?[1-2] ü%41%4.raw", storage, "")));
            awaitAlive(shell, () -> count("http", "Finished") == 1);
            assertThat(stored)
                    .containsValue("/S/A%23%3F%5B1-2%5D%20%C3%BC%41%254.RAW")
                    .hasKeySatisfying(new Condition<>(
                            path -> path.matches("/s/o%20t/http[.0-9a-f]+/a%23%3F%5B1-2%5D%20%C3%BC%41%254[^/]+[.]out"),
                            "encoded"));

            send("moved", "upper", storage, "moved", List.of(target("moved", storage, "")));
            awaitAlive(shell, () -> failure("moved").startsWith("stage_in: the storage answers with 302"));
        } finally {
            end(shell);
            server.stop(0);
        }
    }

    /** The class and the message of the only failure. */
    private String failure(String task) throws Exception {
        JsonNode type = gateway.get("/task/" + task + "/failures").json().at("/data/0");
        return type.path("error_type").asText() + ": "
                + type.at("/newest/0/error_message").asText();
    }

    @Test
    void thePilotInShellRefusesAnInputThatIsNotThatOfTheJob() throws Exception {
        Map<String, String> fields = Map.of(
                "size", ", \"size\": 6",
                "sum", ", \"size\": 5, \"checksum\": \"md5:354f047ba64552895b016bbdd60ab174\"",
                "kind", ", \"checksum\": \"blake2:00\"");
        Map<String, String> reasons = Map.of(
                "size", "stage_in: the input has 5 bytes; the job says 6",
                "sum", "stage_in: the input has the checksum md5:",
                "kind", "stage_in: the checksum 'blake2:00' is of no known algorithm",
                "absent", "missing: there is no file");
        Process shell = shell(gateway.url());
        try {
            for (String uid : reasons.keySet()) {
                String target = fields.containsKey(uid) ? file(uid, "other", fields.get(uid)) : target(uid, disk(), "");
                send(uid, "upper", disk(), uid, List.of(target));
                awaitAlive(shell, () -> failure(uid).startsWith(reasons.get(uid)));
            }
        } finally {
            end(shell);
        }
    }
}
