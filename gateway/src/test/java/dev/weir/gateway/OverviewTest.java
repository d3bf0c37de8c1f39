package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What an operator looks at first: what is wrong, what waits and why, how fast it goes and how long it takes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OverviewTest {

    private TestGateway gateway;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        gateway = TestGateway.start(directory);
        MirrorRows rows = new MirrorRows(gateway.database);
        rows.task("fine", "cpu", "active").counts(100, 40, 10, 50, 0).write();
        rows.task("fails", "cpu", "active")
                .counts(100, 40, 10, 40, 10)
                .reason("exit: <b>no such file</b>")
                .write();
        rows.stuck();
        rows.task("paused", "cpu", "paused")
                .counts(50, 50, 0, 0, 0)
                .why("paused", "the task is paused by anna")
                .write();
        rows.task("queued", "cpu", "accepted")
                .counts(50, 50, 0, 0, 0)
                .why("slot", "waits for a slot, at place 1 of 1")
                .write();
        rows.task("reads", "cpu", "active")
                .why("page", "DSM was asked for files from 0 on")
                .write();
        rows.task("unread", "cpu", "active")
                .why("page", "no answer; Weir asks again by itself")
                .write();
        rows.task("kept", "mended", "active")
                .counts(10, 0, 0, 5, 5)
                .why("kept", "all jobs are over, and the dataset stays open")
                .write();
        rows.task("half", "cpu", "closed").counts(10, 0, 0, 5, 5).closed().write();
        gateway.database.run("SELECT weir_archive('half')");
        rows.task("ending", "leaving", "active").counts(7, 0, 0, 4, 0).write();
        gateway.database.run("UPDATE task_dat SET jobs_running = 3 WHERE uid = 'ending'");
        rows.pilot("node4-1", "leaving", "draining");
        for (int i = 1; i <= 3; i++) {
            rows.task("before" + i, "cpu", "failed")
                    .counts(10, 0, 0, 0, 10)
                    .closed()
                    .write();
        }
        gateway.database.run(
                "UPDATE task_dat SET closed_at = closed_at - interval '5 minutes' WHERE uid LIKE 'before%'");
        rows.task("held", "drained", "active").counts(7, 7, 0, 0, 0).write();
        rows.pilot("node3-1", "drained", "draining");
        rows.pilot("node5-1", "left", "lost");
        rows.task("alone", "gone", "active").counts(3, 3, 0, 0, 0).write();
        rows.pilot("node6-1", "gone", "lost");
        rows.pilot("node1-2", "cpu", "idle");
        rows.failedJob("fails", 3, "exit", "<b>no such file</b>", 1);
        rows.failedJob("fails", 4, "exit", "no such file", 1);
        rows.failedJob("fails", 5, "oom", "killed", null);
    }

    @AfterAll
    void stop() throws Exception {
        gateway.close();
    }

    private List<String> problems() throws Exception {
        return gateway.get("/overview").json().get("problems").findValuesAsText("text");
    }

    @Test
    void whatIsWrongIsSaidInWordsTheErrorsFirst() throws Exception {
        JsonNode problems = gateway.get("/overview").json().get("problems");

        assertThat(problems.findValuesAsText("severity")).isSorted().contains("error", "warning");
        assertThat(problems.findValuesAsText("text"))
                .contains("Pool gpu has no pilot, and 50 jobs wait")
                .contains("Jobs of task fails fail: 10 of 50 that ended. Exit: <b>no such file</b>")
                .contains("1 of 3 pilots of pool cpu were lost within the last hour")
                .contains("Task paused starts nothing more: the task is paused by anna")
                .contains("Task ended failed within the last hour: the dataset has changed")
                .contains("Task half ended with 5 of 10 jobs failed within the last hour")
                .contains("The only pilot of pool drained takes no more jobs, and 7 jobs wait")
                .contains("2 further tasks ended badly within the last hour")
                .noneMatch(text -> text.contains("pool leaving"))
                .noneMatch(text -> text.contains("fine") || text.contains("queued"));
        assertThat(problems.findValuesAsText("advice")).hasSameSizeAs(problems).noneMatch(String::isEmpty);
    }

    @Test
    void aPoolThatHasLostAllItsPilotsIsAProblemWithAndWithoutJobs() throws Exception {
        assertThat(problems())
                .contains("1 of 1 pilots of pool left were lost within the last hour")
                .contains("Pool gone has no pilot any more, 1 are lost, and 3 jobs wait")
                .noneMatch(text -> text.contains("of pool gone were lost"));
    }

    @Test
    void aPoolWhosePilotsAreKeptOutSaysSoAndPromisesNoTime() throws Exception {
        JsonNode why = gateway.get("/pool/drained/why").json();

        assertThat(why.get("text").asText()).contains("the only pilot of the pool drains, or is kept out by order");
        assertThat(why.at("/time_left/text").asText()).isEqualTo("unknown: no pilot takes jobs");
    }

    @Test
    void aTaskThatIsKeptOpenAsksForADecisionAndHoldsNoPartOfItsPool() throws Exception {
        assertThat(problems())
                .contains("Task kept starts nothing more: all jobs are over, and the dataset stays open")
                .noneMatch(text -> text.startsWith("Jobs of task kept fail") || text.startsWith("Pool mended"));
        assertThat(gateway.get("/pool/mended/why").text("text")).startsWith("nothing waits");
        JsonNode task = gateway.get("/task/kept").json();
        assertThat(task.at("/progress/time_left/text").asText()).startsWith("unknown: its jobs are over");
        assertThat(task.at("/progress/share_of_weight").isMissingNode()).isTrue();
    }

    @Test
    void aTaskThatAsksDsmInVainIsAProblemAlsoBesideOneThatReads() throws Exception {
        assertThat(problems())
                .contains("Task unread starts nothing more: no answer; Weir asks again by itself")
                .noneMatch(text -> text.contains("reads") || text.startsWith("2 tasks"));
    }

    @Test
    void whatWaitsIsCountedByItsReason() throws Exception {
        JsonNode waiting = gateway.get("/overview").json().get("waiting");

        assertThat(waiting)
                .extracting(wait -> wait.get("why").asText())
                .containsExactlyInAnyOrder("pilots", "paused", "slot", "kept", "page", "page");
        assertThat(waiting.findValuesAsText("jobs")).containsExactlyInAnyOrder("50", "50", "50", "0", "0", "0");
    }

    @Test
    void aSchedulerThatIsSilentAlthoughPilotsReportIsAProblem(@TempDir Path directory) throws Exception {
        try (TestGateway own = TestGateway.start(directory)) {
            MirrorRows rows = new MirrorRows(own.database);
            assertThat(own.get("/overview").json().get("problems")).isEmpty();
            rows.at(Instant.now().minusSeconds(600)).pilot("p", "cpu", "idle");

            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(
                                    own.get("/overview").json().get("problems").findValuesAsText("text"))
                            .anyMatch(text -> text.startsWith("Nothing was heard of the scheduler for 10 minutes")));
            rows.at(Instant.now()).pilot("q", "cpu", "idle");
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> own.get("/overview").json().get("problems").isEmpty());
        }
    }

    @Test
    void aTaskThatIsOpenAgainWhileItIsInTheArchiveIsListedAndCountedAsOpen(@TempDir Path directory) throws Exception {
        try (TestGateway own = TestGateway.start(directory)) {
            MirrorRows rows = new MirrorRows(own.database);
            rows.task("again", "cpu", "closed").closed().write();
            own.database.value("SELECT weir_archive('again')");
            rows.task("again", "cpu", "paused")
                    .counts(9, 9, 0, 0, 0)
                    .why("paused", "the task is paused by anna")
                    .write();
            own.database.run("UPDATE task_dat SET accepted_at = (SELECT accepted_at FROM task_arc)");
            assertThat(own.database.value("SELECT weir_archive_latecomers()")).isEqualTo("1");

            assertThat(own.get("/task?state=open").json().at("/data/0/uid").asText())
                    .isEqualTo("again");
            assertThat(own.get("/task?why=paused").json().get("data")).hasSize(1);
            assertThat(own.get("/overview").json().at("/waiting/0/text").asText())
                    .isEqualTo("the task is paused by anna");
            assertThat(own.get("/pool").json().at("/data/0/tasks/paused").asInt())
                    .isEqualTo(1);
        }
    }

    @Test
    void aPoolSaysWhyNothingStarts() throws Exception {
        assertThat(gateway.get("/pool/gpu/why").text("text")).startsWith("no pilot serves the pool, and 50 jobs");
        assertThat(gateway.get("/pool/cpu/why").text("text")).startsWith("1 of 2 pilots are idle; task ");
        assertThat(gateway.get("/pool/tape/why").status()).isEqualTo(404);
    }

    @Test
    void failuresAreCountedByClassWithTheirNewestMessages() throws Exception {
        JsonNode failures = gateway.get("/task/fails/failures").json().get("data");

        assertThat(failures)
                .extracting(failure -> failure.get("error_type").asText())
                .containsExactly("exit", "oom");
        assertThat(failures.get(0).get("count").asInt()).isEqualTo(2);
        assertThat(failures.get(0).at("/newest/0/error_message").asText()).isEqualTo("no such file");
        assertThat(failures.get(0).at("/newest/1/error_message").asText()).isEqualTo("<b>no such file</b>");
        assertThat(gateway.get("/task/fine/failures").json().get("data")).isEmpty();
        assertThat(gateway.get("/task/none/failures").status()).isEqualTo(404);
    }

    @Test
    void whenMoreJobsFailThanAreLookedAtThatIsSaid() throws Exception {
        gateway.database.run("""
                INSERT INTO job_dat (uid, task_uid, position, status, attempt, retries, system_retries, rank, error_type, version, deleted)
                SELECT 'ended.' || i, 'ended', i, 'Failed', 1, 0, 0, 1, 'exit', 1, false FROM generate_series(1, 20001) i""");

        JsonNode failures = gateway.get("/task/ended/failures").json();

        assertThat(failures.get("cut").asBoolean()).isTrue();
        assertThat(failures.at("/data/0/count").asInt()).isEqualTo(20_000);
        assertThat(gateway.get("/task/fails/failures").json().has("cut")).isFalse();
    }

    @Test
    void outputsOfATaskThatMovesToTheArchiveAreCountedInBothPlaces() throws Exception {
        String file = """
                (id, task_uid, job_uid, attempt, kind, status, version, deleted%s)
                SELECT 'f' || i, 'fine', 'fine.1', 1, 'output', CASE WHEN i > 2 THEN 'Failed' ELSE 'Finished' END, 1, false%s
                  FROM unnest(ARRAY[%s]) AS i;
                """;
        gateway.database.run("SELECT weir_archive_partition('2026-01-03'); SELECT weir_archive_partition('2026-01-04');"
                + "INSERT INTO task_archived (uid, day, moving) VALUES ('fine', '2026-01-03', true);"
                + "INSERT INTO file_arc" + file.formatted(", day", ", '2026-01-03'", "1, 2")
                // Of an earlier task of this uid.
                + "INSERT INTO file_arc" + file.formatted(", day", ", '2026-01-04'", "3")
                + "INSERT INTO file_dat" + file.formatted("", "", "4"));

        assertThat(gateway.get("/task/fine/summary/files").json().toString()).isEqualTo("{\"total\":3,\"failed\":1}");
    }

    @Test
    void aJobThatWasCancelledWhileItCooledOffShowsTheAttemptThatFailed() throws Exception {
        MirrorRows rows = new MirrorRows(gateway.database);
        rows.attempt("kept", 1, 1, "exit", "first", null);
        rows.attempt("kept", 1, 2, "exit", "second", null);
        rows.job("kept", 1, "Cancelled", "exit", "second", 1, null);

        assertThat(gateway.get("/job/kept.1").json().get("attempts").findValuesAsText("error_message"))
                .containsExactly("second", "first");
    }

    @Test
    void whatEndsWhileTheGatewayWatchesMakesARateAShareAndATimeLeft(@TempDir Path directory) throws Exception {
        try (TestGateway own = TestGateway.start(directory)) {
            MirrorRows rows = new MirrorRows(own.database);
            rows.pilot("p", "cpu", "busy");
            rows.task("a", "cpu", "active")
                    .weight(3)
                    .counts(1000, 1000, 0, 0, 0)
                    .write();
            rows.task("b", "cpu", "active")
                    .weight(1)
                    .counts(1000, 1000, 0, 0, 0)
                    .write();
            assertThat(own.get("/task/a/why").json().at("/time_left/text").asText())
                    .startsWith("unknown");
            try (EventStream events = EventStream.open(own.url(), own.byRole.get(Role.VIEWER))) {
                rows.task("a", "cpu", "active")
                        .weight(3)
                        .counts(1000, 340, 0, 600, 60)
                        .write();
                rows.task("b", "cpu", "active")
                        .weight(1)
                        .counts(1000, 780, 0, 220, 0)
                        .write();
                // As long as somebody listens the gateway looks each second.
                await().atMost(Duration.ofSeconds(10))
                        .until(() -> events.status == 200
                                && own.get("/task/a")
                                                .json()
                                                .at("/progress/share_of_jobs")
                                                .asDouble()
                                        == 0.75);
            }
            JsonNode a = own.get("/task/a").json().get("progress");

            assertThat(a.get("share_of_weight").asDouble()).isEqualTo(0.75);
            assertThat(a.get("jobs_per_second").asDouble()).isPositive();
            assertThat(own.get("/task/a/why").json().at("/time_left/text").asText())
                    .contains("less than half a minute");
            assertThat(own.get("/pool/cpu/why").json().at("/time_left/text").asText())
                    .contains("less than half a minute");
            assertThat(own.get("/task/a/history").json().get("failed")).anyMatch(step -> step.asInt() == 60);
            JsonNode pool = own.get("/history?pool=cpu").json().at("/data/0/history/ended");
            assertThat(pool).anyMatch(step -> step.asInt() >= 220);
            assertThat(own.get("/history?pool=gpu").json().get("data")).isEmpty();
        }
    }

    @Test
    void tasksAreFoundByWhyTheyWait() throws Exception {
        assertThat(gateway.get("/task?why=slot").json().at("/data").findValuesAsText("uid"))
                .containsExactly("queued");
        assertThat(problems()).isNotEmpty();
    }

    @Test
    void aTokenIsToldWhatItMayChange() throws Exception {
        assertThat(gateway.get("/whoami").json().get("may_change")).isEmpty();
        assertThat(gateway.send("GET", "/whoami", gateway.byRole.get(Role.PILOT), null)
                        .json()
                        .at("/scope/pilots/0")
                        .asText())
                .isEqualTo("node7-*");
        String token = gateway.token(
                "narrow", Role.OPERATOR, Instant.now().plusSeconds(600), new Scope(List.of("a*"), null, null, null));
        await().until(() -> gateway.send("GET", "/whoami", token, null).status() == 200);
        JsonNode me = gateway.send("GET", "/whoami", token, null).json();
        assertThat(me.get("may_change")).hasSize(5);
        assertThat(me.get("scope")).hasToString("{\"tasks\":[\"a*\"]}");
    }
}
