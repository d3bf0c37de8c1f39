package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.weir.cli.client.LocalSite.Said;
import dev.weir.job.start.StartFrom;
import dev.weir.protocol.Names;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands of operators and developers of workflows, with all of a local Weir behind them. */
@Timeout(240)
class ClientTest {

    @TempDir
    Path directory;

    @Test
    void aTaskIsSentWatchedSteeredAndExplained() throws Exception {
        try (LocalSite site = new LocalSite(directory, StartFrom.NEWEST)) {
            site.dataset(3);
            String task = site.task("t1", 0).toString();
            site.pilot("p1");

            assertThat(site.weir("pools", "pause", "cpu", "--wait", "60"))
                    .isEqualTo(new Said(0, "pool cpu: applied\n"));
            assertThat(site.weir("task", "send", task, "--wait", "60")).isEqualTo(new Said(0, "task t1: applied\n"));
            Said again = site.weir("task", "send", task, "--wait", "60");
            assertThat(again.text()).startsWith("task t1: ignored: ");
            assertThat(again.exit()).isEqualTo(1);
            site.awaitText("active: ", "task", "why", "t1");
            site.awaitText("paused", "task", "why", "t1");
            assertThat(site.weir("task", "list", "--state", "open").text())
                    .contains("t1", "active", "anna", "░░░░░░░░░░   0 %");

            assertThat(site.weir("status").text()).contains("waits for", "t1: ");
            assertThat(site.weir("pools", "resume", "cpu", "--wait", "60").exit())
                    .isZero();
            site.awaitText("state       closed", "task", "show", "t1");
            assertThat(site.weir("task", "show", "t1").text())
                    .contains("100 %", "3 in all: 0 waiting, 0 out, 0 cooling, 2 finished, 1 failed");
            Said failed = site.weir("job", "list", "t1", "--status", "Failed", "--search", "file-1", "--json");
            JsonNode job =
                    GatewayClient.JSON.readTree(failed.text()).path("data").get(0);
            String uid = job.path("uid").asText();
            assertThat(job.path("exit_code").asInt()).isEqualTo(7);
            assertThat(site.weir("job", "show", uid).text())
                    .contains("file-1", "exit code   7", "p1", "attempt  status", "1  Failed");
            assertThat(site.weir("job", "log", uid).text()).contains("cannot count this");

            site.awaitText("p1", "pilots");
            assertThat(site.weir("pilots", "drain", "p1", "--wait", "60").text())
                    .isEqualTo("pilot p1: applied\n");
            String node =
                    site.ask("GET", "/pilot?search=p1", "").at("/data/0/host").asText();
            assertThat(site.weir("pilots", "include", "--host", node, "--wait", "60")
                            .text())
                    .contains("pilot p1: applied\n");
            assertThat(site.weir("pilots", "include").exit()).isEqualTo(2);
            queue(site);
            await().untilAsserted(() -> assertThat(site.metrics())
                    .containsAll(metricsOf("alerts.yml"))
                    .containsAll(metricsOf("grafana/weir.json")));
            assertThat(site.weir("limits", "set", "host:x").exit()).isEqualTo(1);
            assertThat(site.weir("limits", "set", "tape", "--max-in-flight", "3", "--wait", "60")
                            .text())
                    .isEqualTo("group tape: applied\n");
            site.awaitText("tape", "limits", "--search", "tape");
            assertThat(site.weir("limits").text()).contains("in flight", "command");
            assertThat(site.weir("task", "show", "t2").text()).contains("t2");
            assertThat(site.weir("task", "show", "t2").exit()).isEqualTo(1);
            rejectedMessages(site);
            site.weir.abandonJobs();
        }
    }

    /** An item goes from a push over a worker to its end. */
    private static void queue(LocalSite site) {
        await().until(() -> call(site, "PUT", "queue/scans", "{}") == 200);
        await().until(() -> call(site, "POST", "queue/scans/items", "{\"key\": \"a\", \"payload\": 1}") == 201);
        assertThat(site.weir("worker", "--queue", "scans", "--exec", "cat", "--max-items", "1"))
                .isEqualTo(new Said(
                        0, "Worker of queue scans ended. Items finished: 1, failed: 0, handed back: 0, lost: 0\n"));
    }

    private static int call(LocalSite site, String method, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(site.weir.addresses().gateway()).resolve(path))
                .header("authorization", "Bearer " + site.weir.addresses().token())
                .header("content-type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /** A pilot's report without its pool is rejected, and again after it was sent again, until it is corrected. */
    private void rejectedMessages(LocalSite site) throws Exception {
        ConnectionFactory broker = new ConnectionFactory();
        broker.setUri(site.weir.broker().uri());
        try (Connection connection = broker.newConnection()) {
            connection
                    .createChannel()
                    .basicPublish(
                            "",
                            Names.REPORTS,
                            null,
                            "{\"type\": \"heartbeat\", \"pilot_id\": \"odd\"}".getBytes(StandardCharsets.UTF_8));
        }
        site.awaitText("pool is required", "rejected", "list");
        String id = rejectedId(site);
        assertThat(site.weir("rejected", "show", id).text()).contains("\"odd\"");
        assertThat(site.weir("rejected", "drop", id).text()).contains("--yes drops it without asking");
        assertThat(site.weir("rejected", "resend", id))
                .isEqualTo(new Said(0, "message " + id + ": sent to weir.reports\n"));
        site.awaitText("pool is required", "rejected", "list");
        String again = rejectedId(site);
        assertThat(again).as("it came at another time").isNotEqualTo(id);
        Path corrected = Files.writeString(
                directory.resolve("corrected"), "{\"type\": \"heartbeat\", \"pilot_id\": \"odd\", \"pool\": \"cpu\"}");
        assertThat(site.weir("rejected", "resend", again, "--body", corrected.toString())
                        .exit())
                .isZero();
        site.awaitText("odd", "pilots", "--search", "odd");
        assertThat(site.weir("rejected", "list").text()).isEqualTo("There is no rejected message.\n");
        assertThat(site.weir("rejected", "drop", again, "--yes").text()).contains("there is no message");
    }

    private static String rejectedId(LocalSite site) throws IOException {
        String answer = site.weir("rejected", "list", "--json").text();
        return GatewayClient.JSON.readTree(answer).at("/data/0/id").asText();
    }

    /** Flink's metrics that a file for Prometheus or Grafana asks for. */
    private static Set<String> metricsOf(String file) throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher found = Pattern.compile("flink_\\w+").matcher(Files.readString(Path.of("../flink-conf", file)));
        while (found.find()) {
            names.add(found.group());
        }
        assertThat(names).isNotEmpty();
        return names;
    }
}
