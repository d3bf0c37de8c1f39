package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.weir.pilot.run.TestJobs;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/pilot.sh} over a gateway that the test plays. */
abstract class ShellPilot {

    static final Duration SOON = Duration.ofSeconds(60);
    static final String SYSTEM_PATH = "/usr/bin:/bin";

    @TempDir
    Path temp;

    final BlockingQueue<Job> waiting = new LinkedBlockingQueue<>();
    final Map<String, Result> results = new ConcurrentHashMap<>();
    final AtomicInteger busyBeats = new AtomicInteger();

    /** The third heartbeat of a busy pilot is answered with the order to stop its job. */
    volatile Job unwanted;

    /** A request for a job is not answered any more. */
    volatile boolean silent;

    volatile boolean unanswered;
    volatile boolean running;
    volatile String token = "t";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    TestJobs jobs;
    HttpServer gateway;
    Process shell;

    @BeforeEach
    void playTheGateway() throws IOException {
        jobs = new TestJobs(temp);
        gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        gateway.setExecutor(threads);
        gateway.createContext("/pop", this::pop);
        gateway.createContext("/report", this::report);
        gateway.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        shell.descendants().forEach(ProcessHandle::destroyForcibly);
        shell.destroyForcibly().waitFor();
        gateway.stop(0);
        threads.shutdownNow();
    }

    private void pop(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        if (silent) {
            unanswered = true;
            return;
        }
        Job job = null;
        try {
            job = waiting.poll(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Map<String, Object> nothing = Map.of("notices", new int[0]);
        answer(exchange, job == null ? nothing : Map.of("notices", new int[0], "job", job, "redelivered", false));
    }

    private void report(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestHeaders().getFirst("Authorization").equals("Bearer " + token)) {
            status(exchange, 401);
            Files.writeString(temp.resolve("token"), token + "\n");
            return;
        }
        JsonNode body = Json.read(exchange.getRequestBody().readAllBytes(), JsonNode.class);
        for (JsonNode report : body.path("reports")) {
            if (report.path("type").asText().equals("result")) {
                Result result = Json.read(Json.write(report), Result.class);
                results.put(result.jobUid(), result);
            }
            running |= report.path("status").asText().equals("running");
            if (report.path("state").asText().equals("busy") && busyBeats.incrementAndGet() == 3) {
                Map<String, Object> cancel =
                        Map.of("type", "cancel", "job_uid", unwanted.uid(), "attempt", unwanted.attempt());
                answer(exchange, Map.of("notices", List.of(cancel)));
                return;
            }
        }
        answer(exchange, Map.of("notices", new int[0]));
    }

    /** A job over a file of a storage that answers so. */
    Job overHttp(Job job, HttpHandler answers) {
        gateway.createContext("/" + job.uid(), answers);
        return over(job, "http://127.0.0.1:" + gateway.getAddress().getPort() + "/" + job.uid() + "/in.dat");
    }

    static Job over(Job job, String url) {
        ObjectNode message = Json.mapper().valueToTree(job);
        return Json.read(Json.write(message.put("file_in_url", url)), Job.class);
    }

    static void status(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    static void answer(HttpExchange exchange, Object what) throws IOException {
        byte[] body = Json.write(what);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    void start(String path) throws IOException {
        shell = prepared(path).start();
    }

    ProcessBuilder prepared(String path) throws IOException {
        Path script = Path.of("..").resolve("docs").resolve("pilot.sh").toRealPath();
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString())
                .redirectErrorStream(true)
                .redirectOutput(temp.resolve("printed").toFile());
        Map<String, String> environment = builder.environment();
        environment.put("PATH", path);
        environment.put("TMPDIR", Files.createDirectories(temp.resolve("tmp")).toString());
        environment.put("GATEWAY", "http://127.0.0.1:" + gateway.getAddress().getPort());
        environment.put(
                "TOKEN_FILE", Files.writeString(temp.resolve("token"), "t\n").toString());
        environment.put("PILOT", "p1");
        environment.put("POOL", "cpu");
        environment.put("PROGRAMS", jobs.bin().toString());
        return builder;
    }

    /** So that it passes thirty times as fast. */
    void hurryTime() {
        jobs.program(
                "date", "case $1 in +%s) echo $(($(/bin/date +%s%N) / 33333333)) ;; *) exec /bin/date \"$@\" ;; esac");
    }

    Result result(Job job) {
        waiting.add(job);
        await().atMost(SOON).until(() -> results.containsKey(job.uid()) || !shell.isAlive());
        assertThat(results).containsKey(job.uid());
        return results.get(job.uid());
    }

    static Path output(Result result) {
        return file(result.fileOutUrl());
    }

    static Path file(String url) {
        return Path.of(url.substring("file://".length()));
    }
}
