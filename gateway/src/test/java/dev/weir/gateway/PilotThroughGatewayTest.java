package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
        String listening = "{\"pilot_id\": \"site7-0\", \"queues\": []}";
        // A pilot ends at once when its token is refused at first.
        await().until(() -> gateway.send("POST", "/pop", token, listening).status() == 200);
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

    private void program(String name, String script) throws IOException {
        Path file = Files.writeString(root.resolve("bin").resolve(name), "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** A task over files of its own. */
    private void send(String uid, String executable) throws Exception {
        Path data = root.resolve("data");
        for (int i = 0; i < FILES; i++) {
            Files.writeString(data.resolve(uid + i), "file " + i);
        }
        String targets = IntStream.range(0, FILES)
                .mapToObj(i -> "{\"name\": \"%s%d\", \"storage_url\": \"file://%s\"}".formatted(uid, i, data))
                .collect(Collectors.joining(",", "[", "]"));
        String task = """
                {"uid": "%1$s", "executable": "%2$s", "args": "{file_in} {file_out}", "device_type": "CPU", "mode": "Map",
                 "dat_in_uid": "in-%1$s", "dat_out_uid": "out-%1$s", "dat_stor_url": "file://%3$s", "dat_out_url": "%1$s",
                 "targets": %4$s}""".formatted(uid, executable, data, targets);
        assertThat(gateway.send("POST", "/task?wait=30", gateway.byRole.get(Role.WFMS), task)
                        .status())
                .isEqualTo(200);
    }

    /** How many jobs of the task are in this state. */
    private int count(String task, String status) throws Exception {
        return gateway.get("/task/" + task + "/job?status=" + status)
                .json()
                .get("data")
                .size();
    }

    private List<String> outputs(String task) throws IOException {
        try (var files = Files.walk(root.resolve("data").resolve(task))) {
            return files.filter(file -> file.toString().endsWith(".out"))
                    .map(PilotThroughGatewayTest::content)
                    .sorted()
                    .toList();
        }
    }

    /** Reports that the pilot keeps on disk. */
    private List<String> kept(String pilot) throws IOException {
        try (var files = Files.list(root.resolve("work").resolve(pilot).resolve("outbox"))) {
            return files.map(PilotThroughGatewayTest::content).toList();
        }
    }

    private static String content(Path file) {
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

    /** As a site without Java would start it. What the gateway finally refuses is told of, and does not stop it. */
    @Test
    void thePilotInShellWorksOffATaskAlthoughReportsAreRefused() throws Exception {
        Path tokenFile = Files.writeString(root.resolve("token"), token + "\n");
        Path script = Path.of("..").resolve("docs").resolve("pilot.sh").toRealPath();
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString())
                .redirectErrorStream(true)
                .redirectOutput(root.resolve("printed").toFile());
        builder.environment()
                .putAll(Map.of(
                        "PATH",
                        "/usr/bin:/bin",
                        "TOKEN_FILE",
                        tokenFile.toString(),
                        "PILOT",
                        "site7-shell",
                        "POOL",
                        "cpu",
                        "PROGRAMS",
                        root.resolve("bin").toString()));
        RefusingFront front = new RefusingFront(gateway.url(), "\"running\"", List.of(400, 413, 422));
        builder.environment().put("GATEWAY", front.url().toString());
        Process shell = builder.start();
        try (front) {
            send("shell", "upper");
            await().atMost(SOON)
                    .conditionEvaluationListener(ignored -> assertThat(shell.isAlive())
                            .as(content(root.resolve("printed")))
                            .isTrue())
                    .until(() -> count("shell", "Finished") == FILES);
            assertThat(outputs("shell")).containsExactly("FILE 0", "FILE 1", "FILE 2");
            assertThat(front.left()).isZero();
            assertThat(content(root.resolve("printed")))
                    .contains(
                            "report is answered with 400: {\"detail\": \"a report is not valid\"}",
                            "report is answered with 413",
                            "report is answered with 422");
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }
}
