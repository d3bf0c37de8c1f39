package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.gateway.access.Role;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Rejected;
import dev.weir.protocol.Report;
import dev.weir.scheduler.api.Event;
import dev.weir.testing.browser.Browser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A gateway with broker, database and the scheduling core, with something of everything to show, and a browser before it. */
final class DashboardSite implements AutoCloseable {

    static final String HOSTILE = "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>";

    final TestGateway gateway;
    final CoreOnTheBroker core;
    final MirrorRows rows;
    final Browser browser;

    private final Path placement;

    /** Tasks live-1 to live-4 are those of the core, with a failed job; the others are only in the mirror. */
    DashboardSite(Path directory) throws Exception {
        placement = directory.resolve("status.json");
        gateway = TestGateway.start(
                directory, options -> options.withPlacement(placement).withLogRoots(directory.toString()));
        browser = Browser.start(gateway.url().toString());
        core = new CoreOnTheBroker(gateway);
        rows = new MirrorRows(gateway.database);
        report(
                "{\"type\": \"heartbeat\", \"pilot_id\": \"node7-1\", \"pool\": \"cpu\", \"sent_at\": \"%s\", \"device\": \"CPU\","
                        + " \"node\": {\"host\": \"node7\", \"cores\": 8, \"memory\": 34359738368}, \"state\": \"idle\"}");
        for (int i = 1; i <= 4; i++) {
            send("live-" + i, i == 4 ? "priority" : "sequential");
            fail("live-" + i);
        }
        rows.task("big", "cpu", "active")
                .weight(3)
                .counts(120_000, 70_000, 2_000, 45_000, 3_000)
                .reason("exit: " + HOSTILE)
                .write();
        rows.stuck();
        rows.task("held", "cpu", "paused")
                .counts(50, 50, 0, 0, 0)
                .why("paused", "the task is paused by " + HOSTILE)
                .write();
        rows.job("big", 1, "Failed", "exit", HOSTILE, 1, "javascript:window.hacked=1");
        rows.job("big", 2, "Failed", "stage_in", "store.example does not answer", null, "https://store.example/2.log");
        rows.attempt("big", 2, 1, "exit", HOSTILE, null);
        rows.job("big", 3, "Finished", null, null, 0, "file:///data/big/3.log");
        Path log = Files.writeString(
                directory.resolve("4.log"),
                "weir: starts reco.sh\n" + "event read\n".repeat(30_000) + HOSTILE + "\nno calibration of run 7 "
                        + "x".repeat(300) + "\nweir: exit code 1\n");
        rows.job("big", 4, "Failed", "exit", "no calibration", 1, "file://" + log);
        reject(
                "{\"uid\": \"lacking-1\"}",
                "{\"uid\": \"lacking-2\", \"args\": \"" + "x".repeat(900) + "\"}",
                "{\"uid\": \"lacking-3\"}");
        rows.limit("host:store7", "rule", 20, 20, 12, 100, 1500);
        rows.limit("tape " + HOSTILE, "command", 1, 3, 0, -1, 0);
        rows.limit("net:10.1.2.0/24", "group", 4, -1, 30, 40, 0);
        for (int i = 0; i < 55; i++) {
            rows.task("many-%02d".formatted(i), "tape", "accepted")
                    .counts(10, 10, 0, 0, 0)
                    .why("slot", "waits for a slot")
                    .write();
        }
    }

    void unplace() throws IOException {
        Files.deleteIfExists(placement);
    }

    /** As {@code ./weir place} writes it: worker 0 is full, and the others are less and less. */
    void place(int workers) throws IOException {
        String all = IntStream.range(0, workers)
                .mapToObj(i ->
                        "{\"id\": \"worker-%02d\", \"status\": \"%s\", \"capacity\": 1000000000, \"assigned_bytes\": %d, \"chunks\": %d, \"fill\": %s}"
                                .formatted(
                                        i,
                                        i == 2 ? "unreliable" : "online",
                                        1_000_000_000 / (i + 1),
                                        100 / (i + 1),
                                        1.0 / (i + 1)))
                .collect(Collectors.joining(",\n"));
        Files.writeString(placement, """
                {"versions": {"weir": "0.1.0", "format": 1},
                 "config": {"order": "chunk", "mode": "full", "rings": 6000, "saturation": 0.99, "min_replication": 2, "weights": {}},
                 "pass_reliable": {"replication": {"1": 3.5}, "virtual_chunks": 700, "unplaced": 3},
                 "workers": [%s],
                 "datasets": [{"name": "small", "chunks": 10, "bytes": 1000000, "replication": 2, "fewest_replicas": 2, "most_replicas": 2},
                  {"name": "raw-2026", "chunks": 90, "bytes": 9000000000, "replication": 3.5, "fewest_replicas": 3, "most_replicas": 4}]}""".formatted(all));
    }

    /** Waits until the row of a drained pilot has grown: before that the next click could meet another button. */
    void settled(String page, String word) {
        if (page.startsWith("#/pilots") && word.equals("Drain")) {
            browser.awaitText("drained by order");
        }
    }

    /** Messages that Weir has rejected. */
    private void reject(String... bodies) throws Exception {
        try (Connection connection = gateway.broker.connect()) {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            for (String body : bodies) {
                Rejected rejected = Rejected.of(
                        "dat_in_uid is required " + HOSTILE,
                        "dat_in_uid",
                        gateway.broker.name(Names.TASKS),
                        Instant.now(),
                        body.getBytes(StandardCharsets.UTF_8));
                channel.basicPublish("", gateway.broker.name(Names.REJECTED), null, Json.write(rejected));
            }
            channel.waitForConfirms();
        }
    }

    private void report(String json) {
        String now = Instant.now().toString();
        core.apply(
                new Event.ReportArrived(Json.read(json.formatted(now).getBytes(StandardCharsets.UTF_8), Report.class)));
    }

    void send(String uid, String order) throws Exception {
        String task = """
                {"uid": "%1$s", "executable": "reco.sh", "device_type": "CPU", "mode": "Map", "dat_in_uid": "in-%1$s", "dat_out_uid": "out-%1$s",
                 "dat_stor_url": "file:///data", "dat_out_url": "out", "rank": 4, "order": "%2$s", "targets": [
                  {"name": "a.raw", "storage_url": "file:///data"}, {"name": "b.raw", "storage_url": "file:///data"},
                  {"name": "c.raw", "storage_url": "file:///data"}]}""".formatted(uid, order);
        assertThat(gateway.send("POST", "/task?wait=30", gateway.byRole.get(Role.OPERATOR), task)
                        .status())
                .isEqualTo(200);
    }

    /** The first job of a task fails. Its row has the new counts with the next change of the task. */
    private void fail(String task) throws Exception {
        String job = gateway.database.value(
                "SELECT uid FROM job_dat WHERE task_uid = '" + task + "' ORDER BY position LIMIT 1");
        String head = "\"pilot_id\": \"node7-1\", \"pool\": \"cpu\", \"sent_at\": \"%s\", \"job_uid\": \"" + job
                + "\", \"attempt\": 1, \"route\": \"0/0/" + task + "\"";
        report("{\"type\": \"status\", " + head + ", \"status\": \"starting\"}");
        report(
                "{\"type\": \"result\", " + head
                        + ", \"status\": \"failed\", \"exit_code\": 1, \"error_type\": \"exit\", \"error_message\": \"no calibration\"}");
        assertThat(gateway.put("/task/" + task + "/rank?wait=30", "{\"rank\": 5}")
                        .status())
                .isEqualTo(200);
        assertThat(gateway.get("/task/" + task).json().at("/counts/failed").asInt())
                .isEqualTo(1);
    }

    @Override
    public void close() throws Exception {
        core.close();
        browser.close();
        gateway.close();
    }
}
