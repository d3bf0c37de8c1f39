package dev.weir.cli.disaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.TaskState;
import dev.weir.testing.site.Site;
import dev.weir.testing.site.WeirProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole Weir of processes continues from a savepoint in which one value of one task was damaged on purpose. */
@Timeout(180)
class DamagedRestartTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** So begins the value that holds the task {@code bad} as it came. */
    private static final String VALUE = "{\"uid\":\"bad\",\"executable\"";

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private OwnServers servers;
    private Site site;

    @BeforeEach
    void start() throws Exception {
        servers = new OwnServers(directory);
        site = servers.site()
                // Packed values share their beginnings, so that the damage of one would be that of others.
                .with("execution.checkpointing.snapshot-compression", "false");
        site.dsm();
    }

    @AfterEach
    void stop() throws Exception {
        servers.close();
    }

    @Test
    void theTaskOfTheDamagedValueIsLeftOutWithTheReasonAndTheOtherTaskGoesOnToItsEnd() throws Exception {
        WeirProcess weir = run();
        site.dataset("in", "file:///in", List.of("a", "b"));
        for (String task : List.of("bad", "good")) {
            site.task(task, "in", "sum", site.storage().toUri().toString(), "");
        }
        eventually(() -> {
            Job job = site.takeJob("cpu");
            if (job != null) {
                jobs.put(job.uid(), job);
            }
            assertThat(jobs).hasSize(4);
        });
        String savepoint = savepoint(weir);
        weir.kill();
        damage(Path.of(URI.create(savepoint)));

        run("--from", "schedule=" + savepoint);
        for (Job job : jobs.values()) {
            report(job, "\"type\":\"status\",\"status\":\"starting\"");
            report(
                    job,
                    "\"type\":\"result\",\"status\":\"finished\",\"file_out_url\":\"%s\",\"file_out_size\":1"
                            .formatted(job.fileOutUrl()));
        }

        eventually(() -> assertThat(site.was(TaskState.CLOSED, "good"))
                .as("rejected: %s", site.takeRejected())
                .isTrue());
        assertThat(Files.readString(directory.resolve("run/logs/weir.log"))).contains("task 'bad' is left out");
        site.send(
                "commands", "{\"id\":\"c\",\"at\":\"2026-01-01T00:00:00Z\",\"type\":\"cancel\",\"task_uid\":\"bad\"}");
        eventually(() -> assertThat(site.takeRejected())
                .anyMatch(said -> said.contains("'bad' is set aside, because its state cannot be read")));
        assertThat(site.was(TaskState.CLOSED, "bad")).isFalse();
    }

    private WeirProcess run(String... more) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(
                List.of("run", "--config=" + site.configuration(), "--data=" + directory.resolve("run")));
        arguments.addAll(List.of(more));
        List<String> jvm = List.of("-Xmx768m", "-XX:TieredStopAtLevel=1");
        return site.start("run", jvm, WeirProcess.WEIR, arguments, "").awaitOutput("Weir runs.");
    }

    /** Takes a savepoint in Flink's own format, which has no checksums; returns its URL. */
    private String savepoint(WeirProcess weir) throws Exception {
        String web = weir.output().replaceAll("(?s).*Flink: (\\S+).*", "$1").replaceAll("/+$", "");
        String id = null;
        for (JsonNode job :
                ask(HttpRequest.newBuilder(URI.create(web + "/jobs/overview"))).get("jobs")) {
            id = job.get("name").asText().contains("schedule") ? job.get("jid").asText() : id;
        }
        String savepoints = web + "/jobs/" + id + "/savepoints";
        String request = ask(HttpRequest.newBuilder(URI.create(savepoints))
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"target-directory\":\"%s\",\"formatType\":\"CANONICAL\"}"
                                        .formatted(
                                                directory.resolve("savepoints").toUri()))))
                .get("request-id")
                .asText();
        List<String> location = new ArrayList<>();
        eventually(() -> {
            JsonNode answer = ask(HttpRequest.newBuilder(URI.create(savepoints + "/" + request)));
            assertThat(answer.at("/status/id").asText()).as("%s", answer).isEqualTo("COMPLETED");
            location.add(answer.at("/operation/location").asText());
        });
        return location.get(0);
    }

    private JsonNode ask(HttpRequest.Builder request) throws IOException, InterruptedException {
        return Json.mapper()
                .readTree(http.send(request.build(), HttpResponse.BodyHandlers.ofString())
                        .body());
    }

    private static void damage(Path savepoint) throws IOException {
        int damaged = 0;
        List<Path> files;
        try (Stream<Path> all = Files.list(savepoint)) {
            files = all.toList();
        }
        for (Path file : files) {
            // Each byte is one character, and the length stays.
            String before = Files.readString(file, StandardCharsets.ISO_8859_1);
            String after = before.replace(VALUE, VALUE.replace('{', '}'));
            damaged += before.equals(after) ? 0 : 1;
            Files.writeString(file, after, StandardCharsets.ISO_8859_1);
        }
        assertThat(damaged)
                .as("files in which the value was found, of %s", files)
                .isEqualTo(1);
    }

    private void report(Job job, String what) throws IOException {
        site.send("reports", """
                {%s,"pilot_id":"p","pool":"cpu","job_uid":"%s","attempt":%d,"route":"%s"}""".formatted(what, job.uid(), job.attempt(), job.route()));
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).untilAsserted(assertion);
    }
}
