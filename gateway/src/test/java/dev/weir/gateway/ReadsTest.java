package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the mirror holds is given as the contract says, in pages. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadsTest {

    private TestGateway gateway;
    private Path placement;

    /** Twenty open tasks t00 to t19, each accepted a second after the one before, and five closed ones, c0 to c4, in the archive. */
    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        placement = directory.resolve("status.json");
        gateway = TestGateway.start(directory, options -> options.withPlacement(placement));
        gateway.database.run("""
                INSERT INTO task_dat (uid, state, rank, base_rank, weight, pool, device_type, mode, "order", executable, args, retry, dat_in_uid,
                    dat_out_uid, dat_stor_url, dat_out_url, owner, jobs_total, jobs_waiting, jobs_queued, jobs_starting, jobs_running,
                    jobs_cooling, jobs_finished, jobs_failed, jobs_killed, jobs_cancelled, jobs_retries, jobs_system_retries, why, why_text,
                    canceled, accepted_at, closed_at, version, deleted)
                SELECT CASE WHEN i < 20 THEN 't' || lpad(i::text, 2, '0') ELSE 'c' || (i - 20) END,
                    CASE WHEN i >= 20 THEN 'closed' WHEN i % 2 = 0 THEN 'active' ELSE 'accepted' END,
                    i, i, 1, CASE WHEN i % 4 = 3 THEN 'gpu' ELSE 'cpu' END, 'CPU', 'Map', 'sequential', 'reco.sh', '--in {file_in}', 1,
                    'in' || i, 'out' || i, 'https://user:secret@store/data', 'out', CASE WHEN i < 3 THEN 'anna' ELSE 'bert' END,
                    10, 1, 2, 1, 1, 1, 2, 1, 1, 0, 0, 0, CASE WHEN i < 20 AND i % 2 = 1 THEN 'slot' END,
                    CASE WHEN i < 20 AND i % 2 = 1 THEN 'the task waits for a slot' END, false,
                    '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 second',
                    CASE WHEN i >= 20 THEN '2026-01-02T00:00:00Z'::timestamptz END, 1, false
                FROM generate_series(0, 24) AS i;
                INSERT INTO job_dat (uid, task_uid, position, status, attempt, retries, system_retries, pool, rank, pilot_id, file_in_url, exit_code,
                    error_type, error_message, queued_at, started_at, ended_at, version, deleted)
                SELECT t || '.' || i, t, i, CASE WHEN i % 5 = 0 THEN 'Failed' ELSE 'Finished' END, 1, 0, 0, 'cpu', 1.5, 'node7-1',
                    'https://user:secret@store/f' || i, 0, CASE WHEN i % 5 = 0 THEN 'exit' END, CASE WHEN i % 5 = 0 THEN '<b>no</b>' END,
                    now(), now(), now(), 1, false
                FROM generate_series(0, 24) AS i, (VALUES ('t00'), ('c0')) AS of_task (t);
                INSERT INTO file_dat (id, task_uid, job_uid, attempt, dataset_uid, kind, status, version, deleted)
                SELECT 't00.' || i || '/' || kind, 't00', 't00.' || i, 1, 'out0', kind, CASE WHEN i % 5 = 0 THEN 'Failed' ELSE 'Finished' END, 1, false
                FROM generate_series(0, 24) AS i, (VALUES ('output'), ('log')) AS of_kind (kind);
                INSERT INTO pilot_dat (pilot_id, pool, device, host, cores, memory, state, finished, failed, last_seen_at, version, deleted)
                SELECT 'node' || i / 2 || '-' || i % 2, 'cpu', 'CPU', 'node' || i / 2, 8, 1000000000000,
                    CASE WHEN i = 0 THEN 'lost' WHEN i = 1 THEN 'draining' WHEN i < 4 THEN 'busy' ELSE 'idle' END, 5, 1, now(), 1, false
                FROM generate_series(0, 9) AS i;
                SELECT weir_archive_closed('1 second')""");
    }

    @AfterAll
    void stop() throws Exception {
        gateway.close();
    }

    private List<String> all(String path, int limit, String key) throws Exception {
        List<String> found = new ArrayList<>();
        String next = null;
        do {
            String after = next == null ? "" : "&after=" + next;
            JsonNode page = gateway.get(path + (path.contains("?") ? "&" : "?") + "limit=" + limit + after)
                    .json();
            assertThat(page.get("data").size()).isLessThanOrEqualTo(limit);
            page.get("data").forEach(entry -> found.add(entry.get(key).asText()));
            next = page.has("next") ? page.get("next").asText() : null;
        } while (next != null);
        return found;
    }

    @Test
    void thePagesOfAllTasksHaveEachOnceTheNewestFirstTheArchivedIncluded() throws Exception {
        assertThat(gateway.database.value("SELECT count(*) FROM task_arc")).isEqualTo("5");
        List<String> expected = new ArrayList<>();
        IntStream.range(0, 5).forEach(i -> expected.add("c" + (4 - i)));
        IntStream.range(0, 20).forEach(i -> expected.add("t%02d".formatted(19 - i)));

        for (int limit : new int[] {1, 7, 25, 26}) {
            assertThat(all("/task", limit, "uid")).as("limit %d", limit).isEqualTo(expected);
        }
    }

    @Test
    void filtersOfTasksCombine() throws Exception {
        assertThat(all("/task?state=open", 7, "uid")).hasSize(20).doesNotContain("c0");
        assertThat(all("/task?state=closed", 3, "uid")).containsExactly("c4", "c3", "c2", "c1", "c0");
        assertThat(all("/task?state=active&owner=anna", 7, "uid")).containsExactly("t02", "t00");
        assertThat(all("/task?pool=gpu&state=open", 3, "uid")).containsExactly("t19", "t15", "t11", "t07", "t03");
        assertThat(all("/task?search=t1", 3, "uid")).hasSize(10).allMatch(uid -> uid.startsWith("t1"));
        assertThat(all("/task?search=t_", 3, "uid")).isEmpty();
        assertThat(all("/task?dataset=out21", 3, "uid")).containsExactly("c1");
        assertThat(all("/task?owner=nobody", 3, "uid")).isEmpty();
    }

    @Test
    void aTaskIsGivenWithItsCountsAndWithoutThePasswordOfItsStorage() throws Exception {
        Answer task = gateway.get("/task/t01");

        assertThat(task.text("args")).isEqualTo("--in {file_in}");
        assertThat(task.json().at("/counts/queued").asInt()).isEqualTo(2);
        assertThat(task.text("accepted_at")).isEqualTo("2026-01-01T00:00:01Z");
        assertThat(task.text("dat_stor_url")).isEqualTo("https://***@store/data");
        assertThat(gateway.get("/task/c0").text("state")).isEqualTo("closed");
        assertThat(gateway.get("/task?limit=1").body()).doesNotContain("secret").doesNotContain("args");
    }

    @Test
    void limitsAreListedByNameWithWhatTheyHoldAndWhatWaits() throws Exception {
        MirrorRows rows = new MirrorRows(gateway.database);
        rows.limit("host:a", "rule", 20, 20, 0, -1, 7);
        rows.limit("host:b%", "command", 1, -1, 3, 5, 0);
        rows.limit("tape\nslow", "group", 0, 2, 0, -1, 1);
        String longest = "i" + "€".repeat(255);
        rows.limit(longest, "group", 0, 2, 0, -1, 0);

        for (int limit : new int[] {1, 2, 3}) {
            assertThat(all("/limit", limit, "group")).containsExactly("host:a", "host:b%", longest, "tape\nslow");
        }
        assertThat(all("/limit?search=host:b%25", 7, "group")).containsExactly("host:b%");
        assertThat(all("/limit?search=%25", 7, "group")).isEmpty();
        assertThat(all("/limit?waiting=true", 1, "group")).containsExactly("host:a", "tape\nslow");
        assertThat(gateway.get("/limit?search=host:b").json().at("/data/0").toString())
                .isEqualTo(
                        "{\"group\":\"host:b%\",\"source\":\"command\",\"in_flight\":1,\"max_starts\":5,\"window_s\":60.0,\"starts\":3,\"waiting\":0}");
        assertThat(gateway.get("/limit?waiting=yes").status()).isEqualTo(400);
    }

    @Test
    void anUnchangedTaskIsNotSentAgain() throws Exception {
        String tag = gateway.get("/task/t01").headers().firstValue("ETag").orElseThrow();
        String token = gateway.byRole.get(dev.weir.gateway.access.Role.VIEWER);

        assertThat(gateway.send("GET", "/task/t01", token, null, "If-None-Match", tag)
                        .status())
                .isEqualTo(304);
        assertThat(gateway.send("GET", "/task/t02", token, null, "If-None-Match", tag)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void summariesCountJobsAndOutputs() throws Exception {
        JsonNode jobs = gateway.get("/task/t00/summary/jobs").json();
        assertThat(jobs.get("total").asInt()).isEqualTo(10);
        assertThat(jobs.get("canceled").asInt()).isZero();
        assertThat(jobs.get("killed").asInt()).isEqualTo(1);
        JsonNode files = gateway.get("/task/t00/summary/files").json();
        assertThat(files.get("total").asInt()).isEqualTo(25);
        assertThat(files.get("failed").asInt()).isEqualTo(5);
        assertThat(gateway.get("/task/t01/summary/files").json().get("total").asInt())
                .isZero();
    }

    @Test
    void theNextTaskIsTheWaitingOneOfTheHighestRank() throws Exception {
        assertThat(gateway.get("/task/ready").text("uid")).isEqualTo("t19");
        assertThat(gateway.get("/task/ready?pool=cpu").text("uid")).isEqualTo("t17");
        assertThat(gateway.get("/task/ready?pool=tape").status()).isEqualTo(204);
    }

    @Test
    void everyTaskSaysWhyNothingMoreOfItStarts() throws Exception {
        assertThat(gateway.get("/task/t01/why").text("why")).isEqualTo("slot");
        assertThat(gateway.get("/task/t01/why").text("text")).isEqualTo("the task waits for a slot");
        assertThat(gateway.get("/task/t00/why").json().has("why")).isFalse();
        assertThat(gateway.get("/task/t00/why").text("text")).contains("nothing is in its way");
        assertThat(gateway.get("/task/c0/why").text("text")).contains("is over");
    }

    @ParameterizedTest
    @CsvSource({"t00", "c0"})
    void jobsOfATaskComeByPositionOfActiveAndOfArchivedTasks(String task) throws Exception {
        assertThat(all("/task/" + task + "/job", 4, "position"))
                .isEqualTo(IntStream.range(0, 25).mapToObj(Integer::toString).toList());
        assertThat(all("/task/" + task + "/job?status=Failed", 2, "position"))
                .containsExactly("0", "5", "10", "15", "20");
        JsonNode job = gateway.get("/job/" + task + ".5").json();
        assertThat(job.get("error_message").asText()).isEqualTo("<b>no</b>");
        assertThat(job.get("file_in_url").asText()).isEqualTo("https://***@store/f5");
    }

    @ParameterizedTest
    @CsvSource({
        "t00, f24, 24",
        "c0, 24, 24",
        "t00, F24, ''",
        "t00, secret, ''",
        "t00, store, ''",
        "c0, %25, ''",
        "c0, _24, ''"
    })
    void jobsAreFoundByThePathOfTheirInputWhichIsNeitherItsHostNorItsPassword(String task, String text, String found)
            throws Exception {
        assertThat(String.join(" ", all("/task/" + task + "/job?search=" + text, 2, "position")))
                .isEqualTo(found);
    }

    private static final String JOB = """
            (uid, task_uid, position, status, attempt, retries, system_retries, rank, version, deleted%s)
            SELECT '%s.' || i, '%s', i, CASE WHEN i > 2 THEN 'Failed' ELSE 'Finished' END, 1, 0, 0, 1, 1, false%s
              FROM unnest(ARRAY[%s]) AS i;
            """;

    @Test
    void jobsOfARareStatusAreSearchedForInPartsAndAllAreFound() throws Exception {
        gateway.database.run("INSERT INTO job_dat" + JOB.formatted("", "t02", "t02", "", "0, 1, 20000, 70000"));

        Answer first = gateway.get("/task/t02/job?status=Failed");
        assertThat(first.json().get("data")).isEmpty();
        assertThat(first.json().has("next")).isTrue();
        assertThat(all("/task/t02/job?status=Failed", 5, "position")).containsExactly("20000", "70000");
        assertThat(all("/task/t02/job?status=Running", 5, "position")).isEmpty();
        assertThat(all("/task/t02/job", 3, "position")).containsExactly("0", "1", "20000", "70000");
    }

    @Test
    void jobsOfATaskThatMovesToTheArchiveAreThereOnce() throws Exception {
        gateway.database.run("SELECT weir_archive_partition('2026-01-03');"
                + "INSERT INTO task_archived (uid, day, moving) VALUES ('moves', '2026-01-03', true);"
                // The third came again, late.
                + "INSERT INTO job_arc" + JOB.formatted(", day", "moves", "moves", ", '2026-01-03'", "0, 1, 3")
                + "INSERT INTO job_dat" + JOB.formatted("", "moves", "moves", "", "3, 4, 5"));

        assertThat(all("/task/moves/job", 2, "position")).containsExactly("0", "1", "3", "4", "5");
        assertThat(all("/task/moves/job?status=Failed", 2, "position")).containsExactly("3", "4", "5");
        assertThat(gateway.get("/job/moves.3").status()).isEqualTo(200);
    }

    @Test
    void aTaskWithoutJobsHasAnEmptyList() throws Exception {
        assertThat(gateway.get("/task/t01/job").json().get("data")).isEmpty();
        assertThat(gateway.get("/task/none/job").status()).isEqualTo(404);
    }

    @Test
    void pilotsAndPoolsAreCountedByState() throws Exception {
        assertThat(all("/pilot", 3, "pilot_id")).hasSize(10).isSorted();
        assertThat(all("/pilot?state=lost", 3, "pilot_id")).containsExactly("node0-0");
        assertThat(all("/pilot?state=busy&host=node1", 3, "pilot_id")).containsExactly("node1-0", "node1-1");
        assertThat(all("/pilot?search=node4&pool=cpu", 3, "pilot_id")).containsExactly("node4-0", "node4-1");
        assertThat(gateway.get("/pilot/node0-1").text("state")).isEqualTo("draining");
        JsonNode pools = gateway.get("/pool").json().get("data");
        assertThat(pools).extracting(pool -> pool.get("name").asText()).containsExactly("cpu", "gpu");
        assertThat(pools.get(0).at("/pilots/idle").asInt()).isEqualTo(6);
        assertThat(pools.get(0).at("/tasks/open").asInt()).isEqualTo(15);
        assertThat(pools.get(0).at("/jobs/queued").asInt()).isEqualTo(30);
        assertThat(pools.get(1).at("/pilots/idle").asInt()).isZero();
        assertThat(pools.get(1).at("/tasks/waiting").asInt()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({
        "/task?limit=0, limit",
        "/task?limit=1001, limit",
        "/task?limit=ten, limit",
        "/task?state=sleeping, state",
        "/task?sate=active, sate",
        "/task?state=active&state=closed, state",
        "/task?after=!!, after",
        "/task?after=AA, after",
        "/task?after=YQpi, after",
        "/task/t00/job?after=YQ, after",
        "/task/t00/job?status=failed, status",
        "/task/t00/job?status=Waiting, status",
        "/task?owner=%00, owner",
        "/task?owner=, owner",
        "/task?search=%25, search",
        "/pilot?pool=a%20b, pool",
        "/pilot?state=gone, state",
        "/task/t00?verbose=1, verbose",
    })
    void aParameterThatIsNotValidIsNamed(String path, String parameter) throws Exception {
        Answer answer = gateway.get(path);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.text("field")).isEqualTo(parameter);
    }

    @Test
    void hostileTextsFindNothingAndBreakNothing() throws Exception {
        for (String text : List.of(
                "'; DROP TABLE task_dat; --",
                "a' OR '1'='1",
                "%",
                "\u202e",
                "<script>",
                "\ud83d\ude00",
                ":name",
                "?",
                "$1")) {
            String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
            assertThat(gateway.get("/task?owner=" + encoded).json().get("data"))
                    .as(text)
                    .isEmpty();
            assertThat(gateway.get("/task/" + encoded).status()).as(text).isEqualTo(404);
            assertThat(gateway.get("/job/" + encoded).status()).as(text).isEqualTo(404);
        }
        assertThat(gateway.database.value("SELECT count(*) FROM task_all")).isEqualTo("25");
    }

    @Test
    void aDatabaseThatIsAwayIsSaidAndComesBack(@TempDir Path directory) throws Exception {
        try (TestGateway own = TestGateway.start(directory)) {
            own.database.run("DROP VIEW task_present CASCADE");
            assertThat(own.get("/task").status()).isEqualTo(503);
            // It is asked at most every two seconds.
            org.awaitility.Awaitility.await()
                    .until(() -> own.send("GET", "/health", null, null)
                            .text("detail")
                            .contains("database"));
        }
        gateway.database.breakConnections();
        org.awaitility.Awaitility.await().until(() -> gateway.get("/task/t00").status() == 200);
    }

    @Test
    void commandsOfATaskComeWithTheirOutcomesTheNewestFirst() throws Exception {
        gateway.database.run("""
                INSERT INTO command_dat (id, task_uid, type, rank, by, given_at, outcome, reason, decided_at, version, deleted)
                SELECT 'c' || i, 't00', CASE WHEN i = 2 THEN 'rank' ELSE 'pause' END, CASE WHEN i = 2 THEN 7 END, CASE WHEN i > 0 THEN 'anna' END,
                    '2026-01-01T00:00:00Z', CASE WHEN i = 1 THEN 'ignored' ELSE 'applied' END, CASE WHEN i = 1 THEN 'older' END,
                    '2026-01-01T00:00:01Z'::timestamptz + i / 2 * interval '1 second', 1, false
                FROM generate_series(0, 4) AS i""");
        JsonNode first = gateway.get("/task/t00/command?limit=3").json();
        JsonNode rest = gateway.get(
                        "/task/t00/command?limit=3&after=" + first.get("next").asText())
                .json();

        assertThat(first.get("data").findValuesAsText("id")).containsExactly("c4", "c3", "c2");
        assertThat(rest.get("data").findValuesAsText("id")).containsExactly("c1", "c0");
        assertThat(first.at("/data/2/rank").asDouble()).isEqualTo(7);
        assertThat(rest.at("/data/0/reason").asText()).isEqualTo("older");
        assertThat(rest.at("/data/1").has("by")).isFalse();
        assertThat(rest.has("next")).isFalse();
        assertThat(gateway.get("/task/t01/command").json().get("data")).isEmpty();
        assertThat(gateway.get("/task/nothing/command").status()).isEqualTo(404);
        assertThat(gateway.get("/task/t00/command?after=x").status()).isEqualTo(400);
    }

    @Test
    void aPlacementIsGivenTheFullestWorkersFirstAndAFileThatIsNoneIsToldOf() throws Exception {
        Files.deleteIfExists(placement);
        assertThat(gateway.get("/placement").text("detail")).contains("status.json yet", "./weir place");
        Files.writeString(placement, "[]");
        assertThat(gateway.get("/placement").status()).isEqualTo(503);
        Files.writeString(placement, "{\"workers\": []}");
        assertThat(gateway.get("/placement").text("detail"))
                .contains("no status.json of ./weir place: it lacks config");
        List<String> capacities = List.of("3000", "1000", "2000");
        Files.writeString(
                placement,
                IntStream.range(0, 3)
                        .mapToObj(i ->
                                "{\"id\": \"w%d\", \"status\": \"%s\", \"capacity\": %s, \"assigned_bytes\": 900, \"chunks\": 9, \"fill\": %s, \"new\": 1}"
                                        .formatted(
                                                i,
                                                i == 1 ? "offline" : "online",
                                                capacities.get(i),
                                                900 / Double.parseDouble(capacities.get(i))))
                        .collect(Collectors.joining(",", """
                        {"config": {"order": "tag", "mode": "full", "saturation": 0.99, "min_replication": 2, "weights": {"a": 2}},
                         "pass_reliable": {"virtual_chunks": 27, "unplaced": 1}, "pass_all": {"failed": "no room"}, "datasets": [], "workers": [""", "]}")));

        JsonNode all = gateway.get("/placement?limit=2").json();
        assertThat(all.get("data").findValuesAsText("id")).containsExactly("w1", "w2");
        assertThat(all.at("/total/capacity").asLong()).isEqualTo(6000);
        assertThat(all.at("/reliable/unplaced").asLong()).isEqualTo(1);
        assertThat(all.get("unreliable_left_empty").asText()).isEqualTo("no room");
        JsonNode next = gateway.get(
                        "/placement?limit=2&after=" + all.get("next").asText())
                .json();
        assertThat(next.get("data").findValuesAsText("id")).containsExactly("w0");
        assertThat(next.has("next")).isFalse();
        assertThat(gateway.get("/placement?status=online&search=w2")
                        .json()
                        .get("data")
                        .findValuesAsText("id"))
                .containsExactly("w2");
        assertThat(gateway.get("/placement?after=-1").status()).isEqualTo(400);
    }
}
