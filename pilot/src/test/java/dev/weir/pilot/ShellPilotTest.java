package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.pilot.run.TestJobs;
import dev.weir.protocol.ErrorType;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom {@code docs/pilot.sh} blames when a program does not start, and that it lives while it moves files. */
class ShellPilotTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String SYSTEM_PATH = "/usr/bin:/bin";

    @TempDir
    Path temp;

    private final BlockingQueue<Job> waiting = new LinkedBlockingQueue<>();
    private final Map<String, Result> results = new ConcurrentHashMap<>();
    private final AtomicInteger busyBeats = new AtomicInteger();
    /** The third heartbeat of a busy pilot is answered with the order to stop its job. */
    private volatile Job unwanted;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private TestJobs jobs;
    private HttpServer gateway;
    private Process shell;

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
        Job job = null;
        try {
            job = waiting.poll(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        answer(exchange, job == null ? Map.of("notices", new int[0]) : Map.of("notices", new int[0], "job", job));
    }

    private void report(HttpExchange exchange) throws IOException {
        JsonNode body = Json.read(exchange.getRequestBody().readAllBytes(), JsonNode.class);
        for (JsonNode report : body.path("reports")) {
            if (report.path("type").asText().equals("result")) {
                Result result = Json.read(Json.write(report), Result.class);
                results.put(result.jobUid(), result);
            }
            if (report.path("state").asText().equals("busy") && busyBeats.incrementAndGet() == 3) {
                Map<String, Object> cancel =
                        Map.of("type", "cancel", "job_uid", unwanted.uid(), "attempt", unwanted.attempt());
                answer(exchange, Map.of("notices", List.of(cancel)));
                return;
            }
        }
        answer(exchange, Map.of("notices", new int[0]));
    }

    /** A storage that takes the request and says nothing. */
    private Job overSilentStorage(Job job) {
        gateway.createContext("/silent", exchange -> {});
        String url = "http://127.0.0.1:" + gateway.getAddress().getPort() + "/silent/in.dat";
        ObjectNode message = Json.mapper().valueToTree(job);
        return Json.read(Json.write(message.put("file_in_url", url)), Job.class);
    }

    private static void answer(HttpExchange exchange, Object what) throws IOException {
        byte[] body = Json.write(what);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void start(String path) throws IOException {
        Path script = Path.of("..").resolve("docs").resolve("pilot.sh").toRealPath();
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString())
                .redirectErrorStream(true)
                .redirectOutput(temp.resolve("printed").toFile());
        Map<String, String> environment = builder.environment();
        environment.put("PATH", path);
        environment.put("GATEWAY", "http://127.0.0.1:" + gateway.getAddress().getPort());
        environment.put(
                "TOKEN_FILE", Files.writeString(temp.resolve("token"), "t\n").toString());
        environment.put("PILOT", "p1");
        environment.put("POOL", "cpu");
        environment.put("PROGRAMS", jobs.bin().toString());
        shell = builder.start();
    }

    private Result result(Job job) {
        waiting.add(job);
        await().atMost(SOON).until(() -> results.containsKey(job.uid()) || !shell.isAlive());
        assertThat(results).containsKey(job.uid());
        return results.get(job.uid());
    }

    @Test
    void aProgramThatNoNodeCouldStartIsExecutableAndItsOwnExitCodeIsNot() throws IOException {
        Files.writeString(jobs.bin().resolve("unformed"), "no program\n");
        assertThat(jobs.bin().resolve("unformed").toFile().setExecutable(true)).isTrue();
        jobs.program("quick", "exit $1");
        start(SYSTEM_PATH);
        for (Job job : List.of(
                jobs.job("e1", "none", ""), jobs.job("e2", "unformed", ""), jobs.job("e3", "quick", "'unclosed"))) {
            Result result = result(job);
            assertThat(result.errorType()).as(job.uid()).isEqualTo(ErrorType.EXECUTABLE);
            assertThat(result.errorMessage()).as(job.uid()).isNotEmpty();
        }
        // As a shell ends that finds no program.
        Result own = result(jobs.job("x", "quick", "127"));
        assertThat(own.errorType()).isEqualTo(ErrorType.EXIT);
        assertThat(own.exitCode()).isEqualTo(127);
        assertThat(result(jobs.job("f", "quick", "0")).status()).isEqualTo(Result.Outcome.FINISHED);
    }

    @Test
    void aPilotWhoseStorageIsSilentSendsHeartbeatsAndStopsWhenItIsToldTo() throws IOException {
        jobs.program("quick", "exit 0");
        // So that time passes thirty times as fast.
        jobs.program(
                "date", "case $1 in +%s) echo $(($(/bin/date +%s%N) / 33333333)) ;; *) exec /bin/date \"$@\" ;; esac");
        unwanted = overSilentStorage(jobs.job("s1", "quick", ""));
        start(jobs.bin() + ":" + SYSTEM_PATH);
        Result result = result(unwanted);

        assertThat(busyBeats.get()).isGreaterThanOrEqualTo(3);
        assertThat(result.status()).isEqualTo(Result.Outcome.CANCELLED);
        unwanted = null;
        assertThat(result(jobs.job("s2", "quick", "")).status()).isEqualTo(Result.Outcome.FINISHED);
    }

    /** Here what is to start programs does not start itself, as without memory or processes. */
    @Test
    void aNodeThatCannotStartProgramsIsStageIn() throws IOException {
        jobs.program("quick", "exit 0");
        jobs.program(
                "python3",
                "case \"$*\" in *os.execv*) exit 126 ;; esac; PATH=" + SYSTEM_PATH + "; exec python3 \"$@\"");
        start(jobs.bin() + ":" + SYSTEM_PATH);
        Result result = result(jobs.job("n1", "quick", ""));
        assertThat(result.status()).isEqualTo(Result.Outcome.FAILED);
        assertThat(result.errorType()).isEqualTo(ErrorType.STAGE_IN);
    }
}
