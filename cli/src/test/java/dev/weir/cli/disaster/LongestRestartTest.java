package dev.weir.cli.disaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.protocol.Command;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.TaskState;
import dev.weir.testing.LongestMessage;
import dev.weir.testing.site.Site;
import dev.weir.testing.site.WeirProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole Weir of processes stops with savepoints, and dies, while the longest messages that it takes are in its state. */
@Timeout(300)
class LongestRestartTest {

    private static final int FILES = 3;
    private static final String PILOT = "p".repeat(128);
    private static final int HASH = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private final List<String> rejected = new ArrayList<>();
    private OwnServers servers;
    private Site site;

    @BeforeEach
    void start() throws Exception {
        servers = new OwnServers(directory);
        site = servers.site()
                .with("weir.scheduling.cool-off", "20 ms")
                .with("weir.scheduling.task-row-interval", "100 ms")
                .with("execution.checkpointing.interval", "500 ms")
                // Small states would be in a checkpoint's own file: here each is in files as a large one.
                .with("execution.checkpointing.data-inline-threshold", "0 b");
        site.dsm();
    }

    @AfterEach
    void stop() throws Exception {
        servers.close();
    }

    private WeirProcess run() throws IOException, InterruptedException {
        return site.run("-Xmx768m", "-XX:TieredStopAtLevel=1");
    }

    @Test
    void theTaskGoesOnToItsEndAndAllOfItIsAtDsmAndInTheCatalogue() throws Exception {
        WeirProcess weir = run();
        ObjectNode task = LongestMessage.task();
        String uid = task.get("uid").asText();
        site.dataset(
                task.get("dat_in_uid").asText(),
                // The reference DSM keeps neither priorities nor groups and types.
                LongestMessage.files(FILES).stream()
                        .map(file -> ((ObjectNode) file)
                                .without(List.of("priority", "groups", "type"))
                                .toString())
                        .toList());
        command(Command.Type.LIMIT, 0, "\"group\":\"g\",\"max_in_flight\":1,\"max_starts\":1,\"window_s\":1");
        command(Command.Type.PILOT_DRAIN, 1, "\"pilot_id\":\"%s\"".formatted("d".repeat(128)));
        site.send("tasks", task.toString());
        takeJobs(FILES);
        for (Job job : jobs.values()) {
            report("status", job, ",\"status\":\"starting\"");
        }
        command(Command.Type.RANK, 2, "\"task_uid\":\"%s\",\"rank\":1".formatted(uid));
        weir.stop(PATIENCE);

        weir = run();
        List<Job> first = List.copyOf(jobs.values());
        report("result", first.get(0), ",\"status\":\"failed\"");
        report("result", first.get(1), ",\"status\":\"finished\"");
        takeJobs(FILES + 1);
        command(Command.Type.PAUSE, 3, "\"task_uid\":\"%s\"".formatted(uid));
        weir.kill();

        run();
        command(Command.Type.RESUME, 4, "\"task_uid\":\"%s\"".formatted(uid));
        List<Job> all = List.copyOf(jobs.values());
        for (Job job : all.subList(2, FILES + 1)) {
            report("status", job, ",\"status\":\"starting\"");
            site.send(
                    "reports",
                    longest("result", job, ",\"status\":\"finished\"")
                            .put("file_out_url", job.fileOutUrl())
                            .put("file_log_url", job.fileLogUrl())
                            .toString());
        }

        eventually(() -> assertThat(site.was(TaskState.CLOSED, uid))
                .as("%s", site.events(uid))
                .isTrue());
        String output = task.get("dat_out_uid").asText();
        eventually(() -> assertThat(
                        site.askDsm("/dataset/" + output + "/status").body())
                .as("rejected: %s", rejected())
                .contains("\"state\":\"closed\"", "\"files\":" + FILES + ",", "\"missing\":0", "\"unexpected\":0"));
        // As the input of another task.
        JsonNode files =
                Json.mapper().readTree(site.askDsm("/dataset/" + output).body()).get("data");
        assertThat(files)
                .map(file -> Json.mapper().convertValue(file, FileInfo.class).url())
                .contains(all.get(2).fileOutUrl(), all.get(3).fileOutUrl())
                .hasSize(FILES);
        eventually(() -> assertThat(site.database()
                        .value("SELECT jobs_finished FROM task_all WHERE state = 'closed' AND args = '"
                                + task.get("args").asText().replace("'", "''") + "'"))
                .isEqualTo(String.valueOf(FILES)));
        assertThat(rejected()).isEmpty();
    }

    /** What was rejected, with the reasons. */
    private List<String> rejected() throws IOException {
        rejected.addAll(site.takeRejected());
        return rejected;
    }

    private void command(Command.Type type, int number, String rest) throws IOException {
        site.send(
                "commands",
                LongestMessage.command(type, number, System.currentTimeMillis(), rest)
                        .toString());
    }

    private void report(String type, Job job, String rest) throws IOException {
        site.send("reports", longest(type, job, rest).toString());
    }

    private static ObjectNode longest(String type, Job job, String rest) throws IOException {
        String about =
                "\"job_uid\":\"%s\",\"attempt\":%d,\"route\":\"%s\"".formatted(job.uid(), job.attempt(), job.route());
        // Each has a pilot of its own.
        String pilot = PILOT.substring(HASH) + job.uid().substring(job.uid().length() - HASH);
        return LongestMessage.report(type, pilot, about + rest);
    }

    /** Until there were so many attempts. One that Weir sends again after its death is the same. */
    private void takeJobs(int attempts) {
        eventually(() -> {
            Job job = site.takeJob("cpu");
            if (job != null) {
                jobs.put(job.uid() + " " + job.attempt(), job);
            }
            assertThat(jobs).hasSize(attempts);
        });
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).untilAsserted(assertion);
    }
}
