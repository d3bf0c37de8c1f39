package dev.weir.cli.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.client.LocalSite;
import dev.weir.engine.summary.GroupSummary;
import dev.weir.job.start.StartFrom;
import dev.weir.queues.summary.QueuesSummary;
import dev.weir.scheduler.summary.LaneSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Savepoints that earlier versions of Weir made. {@code src/test/resources/savepoints} has one directory for each form of state that was
 * released, named by the day on which it was made, and older ones stay.
 */
@Timeout(300)
class GoldenSavepointTest {

    private static final Path GOLDEN = Path.of("src/test/resources/savepoints");

    private static final List<String> JOBS = List.of("schedule", "mirror", "queues");

    private static final String WHAT_TO_DO = """
            this savepoint of an earlier Weir must stay readable: users upgrade over it. Give what you changed a new version in its codec,
            and let the codec read the older versions as well. To keep a savepoint of the new form beside the old ones, run this test with
            -Dweir.regenerate=true""";

    @TempDir
    Path directory;

    static List<Path> golden() throws IOException {
        try (Stream<Path> found = Files.list(GOLDEN)) {
            return found.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("golden")
    void whatIsInItIsShown(Path savepoint) throws Exception {
        List<LaneSummary> lanes = SavedState.schedule(
                savepoint.resolve("schedule").toAbsolutePath().toString());

        assertThat(lanes).as(WHAT_TO_DO).hasSize(1);
        LaneSummary lane = lanes.get(0);
        assertThat(lane.damaged()).as(WHAT_TO_DO).isEmpty();
        assertThat(lane.tasks())
                .as(WHAT_TO_DO)
                .extracting(LaneSummary.OfTask::uid)
                .containsExactly("t1", "t2");
        assertThat(lane.tasks()).extracting(LaneSummary.OfTask::state).containsExactly("active", "paused");
        assertThat(lane.tasks()).extracting(LaneSummary.OfTask::datasetFiles).containsOnly(3L);
        assertThat(lane.tasks().get(0).counts().finished()).isEqualTo(2);
        assertThat(lane.pools()).containsExactly(new LaneSummary.OfPool("cpu", "paused", 0, 0, 1));
        assertThat(lane.groups()).containsExactly(new GroupSummary("tape", 7, 100, 60.0));
        assertThat(lane.tables().get("waiting-command").entries()).isEqualTo(1);
        assertThat(lane.tables().get("pilot").entries()).isEqualTo(1);
    }

    static List<Path> goldenQueues() throws IOException {
        return golden().stream()
                .filter(made -> Files.exists(made.resolve("queues")))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("goldenQueues")
    void theQueuesInItAreShown(Path savepoint) throws Exception {
        List<QueuesSummary> lanes =
                SavedState.queues(savepoint.resolve("queues").toAbsolutePath().toString());

        assertThat(lanes).as(WHAT_TO_DO).hasSize(1);
        QueuesSummary summary = lanes.get(0);
        assertThat(summary.damaged()).as(WHAT_TO_DO).isEmpty();
        assertThat(summary.queues())
                .as(WHAT_TO_DO)
                .containsExactly(new QueuesSummary.OfQueue("scans", "paused", 1, 1, 1, 1, 1, 1, 1));
        assertThat(summary.groups()).containsExactly(new GroupSummary("host:a", 2, null, null));
        assertThat(summary.tables()).containsKeys("item", "key", "rest", "due", "due-list");
    }

    /** The newest is enough: what has changed is in the cores' tables, which the tests above read for all. */
    @Test
    void weirGoesOnFromTheNewestAndTheTasksClose() throws Exception {
        Path newest = golden().get(golden().size() - 1);
        Map<String, String> from = new TreeMap<>();
        for (String job : JOBS) {
            from.put(job, newest.resolve(job).toAbsolutePath().toString());
        }
        try (LocalSite site = new LocalSite(directory, new StartFrom(false, from, false))) {
            site.dataset(3);
            site.pilot("p1");
            // Its files were in a directory that is gone.
            for (String[] command :
                    new String[][] {{"task", "close", "t1"}, {"task", "cancel", "t2"}, {"pools", "resume", "cpu"}}) {
                assertThat(site.weir(command[0], command[1], command[2], "--wait", "60")
                                .text())
                        .as(WHAT_TO_DO)
                        .endsWith("applied\n");
            }
            site.weir("task", "send", site.task("t4", 0).toString());
            for (String task : List.of("t1", "t2", "t4")) {
                site.awaitText("state       closed", "task", "show", task);
            }
            assertThat(site.weir("task", "show", "t1").text()).contains("2 finished, 0 failed, 0 killed, 1 cancelled");
            assertThat(site.weir("task", "show", "t4").text()).contains("2 finished, 1 failed");
            site.ask("PUT", "queue/scans/resumed", "");
            JsonNode item = site.ask("POST", "queue/scans/pop", "{\"wait_s\":30}")
                    .path("items")
                    .path(0);
            assertThat(item.path("key").asText()).as(WHAT_TO_DO).isEqualTo("waiting");
            JsonNode answer = site.ask("POST", "answer/scans", "{\"key\":\"answered\",\"wait_s\":0}");
            assertThat(answer.at("/result/open/0").asInt()).as(WHAT_TO_DO).isEqualTo(443);
            site.weir.abandonJobs();
        }
    }

    /**
     * Makes a new one: a task whose failed job cools off in a paused pool, a paused task, a limit, and a command that waits for its task;
     * and a queue with an item in each state, an answer and a limit.
     */
    @Test
    @EnabledIfSystemProperty(named = "weir.regenerate", matches = "true")
    void regenerate() throws Exception {
        try (LocalSite site = new LocalSite(directory, StartFrom.NEWEST)) {
            site.dataset(3);
            site.pilot("p1");
            site.weir(
                    "limits",
                    "set",
                    "tape",
                    "--max-in-flight",
                    "7",
                    "--max-starts",
                    "100",
                    "--window",
                    "60",
                    "--wait",
                    "60");
            site.weir("task", "send", site.task("t1", 2).toString(), "--wait", "60");
            site.awaitText("1 cooling, 2 finished", "task", "show", "t1");
            site.weir("pools", "pause", "cpu", "--wait", "60");
            site.weir("task", "send", site.task("t2", 0).toString(), "--wait", "60");
            site.weir("task", "pause", "t2", "--wait", "60");
            site.weir("task", "rank", "t3", "5", "--wait", "1");
            fillQueue(site);
        }
        Path made = GOLDEN.resolve(LocalDate.now().toString());
        for (String job : JOBS) {
            copy(newestSavepoint(directory.resolve("flink/checkpoints").resolve(job)), made.resolve(job));
        }
    }

    private static void fillQueue(LocalSite site) throws IOException {
        site.ask("PUT", "queue/scans", "{\"attempts\":1,\"max_lease_s\":86400,\"lease_s\":86400}");
        site.ask("PUT", "queue/scans/owner/club", "{\"weight\":3}");
        site.ask("PUT", "queue-limit", "{\"group\":\"host:a\",\"max_in_flight\":2}");
        end(site, "answered", "finished", ",\"result\":{\"open\":[443]},\"fresh_s\":31536000,\"stale_s\":0");
        end(site, "dead", "failed", ",\"error\":\"meant to fail\"");
        push(site, "leased", "");
        site.ask("POST", "queue/scans/pop", "{}");
        push(site, "later", ",\"not_before\":\"2099-01-01T00:00:00Z\"");
        push(site, "waiting", ",\"owner\":\"club\",\"groups\":[\"host:a\"],\"again\":{\"every_s\":3600}");
        site.ask("PUT", "queue/scans/paused", "");
    }

    private static void push(LocalSite site, String key, String more) throws IOException {
        site.ask("POST", "queue/scans/items", "{\"key\":\"" + key + "\"" + more + "}");
    }

    private static void end(LocalSite site, String key, String end, String more) throws IOException {
        push(site, key, "");
        String token =
                site.ask("POST", "queue/scans/pop", "{}").at("/items/0/token").asText();
        site.ask("POST", "queue/scans/done", "{\"token\":\"" + token + "\",\"end\":\"" + end + "\"" + more + "}");
    }

    private static Path newestSavepoint(Path directory) throws IOException {
        try (Stream<Path> found = Files.list(directory)) {
            return found.filter(path -> path.getFileName().toString().startsWith("savepoint-"))
                    .max(Comparator.comparing(path -> path.toFile().lastModified()))
                    .orElseThrow();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        try (Stream<Path> files = Files.walk(from)) {
            files.forEach(file -> {
                try {
                    Files.copy(file, to.resolve(from.relativize(file)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
