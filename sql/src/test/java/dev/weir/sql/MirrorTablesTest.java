package dev.weir.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.protocol.FileRow;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Json;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskRow;
import dev.weir.protocol.TaskState;
import dev.weir.testing.ScratchDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MirrorTablesTest {

    private ScratchDatabase database;

    @BeforeEach
    void migrate() throws SQLException {
        database = ScratchDatabase.create();
        Migrations.WEIR.apply(database.jdbcUrl(), database.user(), database.password());
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    private void write(Row... rows) throws SQLException {
        try (Connection connection = database.connect()) {
            for (Row row : rows) {
                write(connection, row);
            }
        }
    }

    private static void write(Connection connection, Row row) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Upserts.of(row))) {
            Upserts.bind(statement, row);
            statement.executeUpdate();
        }
    }

    /** The protocol's JSON of a row, counts flattened, must be what the database gives back column by column. */
    private void assertSameAsOnTheWire(String table, Row row) throws Exception {
        write(row);
        ObjectNode wire = Json.mapper().valueToTree(row);
        assertThat(wire.remove("table").textValue()).isEqualTo(table);
        if (wire.remove("counts") instanceof ObjectNode counts) {
            counts.properties().forEach(count -> wire.set("jobs_" + count.getKey(), count.getValue()));
        }
        ObjectNode stored =
                (ObjectNode) Json.mapper().readTree(database.value("SELECT row_to_json(t) FROM " + table + " t"));
        assertThat(stored.size()).isEqualTo(wire.size());
        for (Map.Entry<String, JsonNode> column : wire.properties()) {
            JsonNode value = stored.get(column.getKey());
            assertThat(value).as(column.getKey()).isNotNull();
            if (column.getKey().endsWith("_at")
                    || column.getKey().endsWith("_until")
                    || column.getKey().equals("since")) {
                assertThat(OffsetDateTime.parse(value.textValue()).toInstant())
                        .as(column.getKey())
                        .isEqualTo(Instant.parse(column.getValue().textValue()));
            } else if (column.getValue().isNumber()) {
                assertThat(value.doubleValue())
                        .as(column.getKey())
                        .isEqualTo(column.getValue().doubleValue());
            } else {
                assertThat(value).as(column.getKey()).isEqualTo(column.getValue());
            }
        }
    }

    @Test
    void everyFieldOfATaskIsInItsColumn() throws Exception {
        assertSameAsOnTheWire("task_dat", Rows.task("t", TaskState.CLOSED, 9));
    }

    @Test
    void everyFieldOfAJobIsInItsColumn() throws Exception {
        assertSameAsOnTheWire("job_dat", Rows.job("j", "t", JobStatus.COOLING, 9));
    }

    @Test
    void everyFieldOfAPilotIsInItsColumn() throws Exception {
        assertSameAsOnTheWire("pilot_dat", Rows.pilot("p", 9, true));
    }

    @Test
    void everyFieldOfAFileIsInItsColumn() throws Exception {
        assertSameAsOnTheWire("file_dat", Rows.file("f", "t", FileRow.Status.FAILED, 9));
    }

    @Test
    void everyFieldOfALimitIsInItsColumn() throws Exception {
        assertSameAsOnTheWire("limit_dat", Rows.limit("host:h1", 0, 1, 9, false));
    }

    @Test
    void everyFieldOfACommandIsInItsColumn() throws Exception {
        assertSameAsOnTheWire("command_dat", Rows.command("c", "t", 9));
    }

    @Test
    void everyFieldOfAnAttemptIsInItsColumn() throws Exception {
        assertSameAsOnTheWire("attempt_dat", Rows.attempt("j", 2, 9));
    }

    @Test
    void anOrderAboutAPilotChangesNothingElseOfIt() throws SQLException {
        write(
                Rows.pilot("p", 1, false),
                order("p", PilotRow.KeptOut.DRAINED, 2),
                order("q", PilotRow.KeptOut.DRAINED, 2));

        assertThat(database.rows("SELECT pilot_id, host, finished, kept_out FROM pilot_all ORDER BY pilot_id"))
                .containsExactly(List.of("p", "node", "5", "drained"), Arrays.asList("q", null, "0", "drained"));

        write(order("p", null, 3), order("q", null, 3));
        assertThat(database.rows("SELECT pilot_id, kept_out FROM pilot_all")).containsExactly(Arrays.asList("p", null));
    }

    private static PilotRow order(String pilot, PilotRow.KeptOut keptOut, long version) {
        return new PilotRow(
                pilot, null, null, null, null, null, null, null, null, 0, 0, null, null, keptOut, version, false);
    }

    @Test
    void pilotsAreForgottenADayAfterTheirLastReportUnlessTheyAreKeptOut() throws SQLException {
        write(Rows.pilot("p", 1, false));
        database.run("INSERT INTO pilot_dat (pilot_id, pool, state, finished, failed, last_seen_at, version, deleted)"
                + " VALUES ('old', 'cpu', 'lost', 0, 0, now() - interval '25 hours', 1, false),"
                + " ('forgotten', 'cpu', 'busy', 0, 0, now() - interval '25 hours', 1, false),"
                + " ('new', 'cpu', 'ended', 0, 0, now() - interval '23 hours', 1, false)");
        database.run("UPDATE pilot_dat SET state = 'lost' WHERE pilot_id = 'p'");

        database.run("SELECT weir_archive_prune(90)");

        assertThat(database.rows("SELECT pilot_id FROM pilot_all ORDER BY pilot_id"))
                .containsExactly(List.of("new"), List.of("p"));
    }

    @Test
    void attemptsAreForgottenAfterThirtyDays() throws SQLException {
        long now = System.currentTimeMillis() * 1000;
        write(
                Rows.attempt("j", 1, now - 31 * 86_400_000_000L),
                Rows.attempt("j", 2, now - 29 * 86_400_000_000L),
                Rows.attempt("j", 3, now - 6 * 86_400_000_000L));

        database.value("SELECT weir_forget(90)");
        assertThat(database.rows("SELECT attempt FROM attempt_all ORDER BY attempt"))
                .containsExactly(List.of("2"), List.of("3"));

        database.value("SELECT weir_forget(7)");
        assertThat(database.rows("SELECT attempt FROM attempt_all")).containsExactly(List.of("3"));
    }

    @Test
    void commandsAreForgottenWithTheDaysOfTheirTime() throws SQLException {
        long now = System.currentTimeMillis() * 1000;
        write(
                Rows.command("old", "t", now - 91 * 86_400_000_000L),
                Rows.command("new", "t", now - 89 * 86_400_000_000L));

        database.value("SELECT weir_forget(90)");

        assertThat(database.rows("SELECT id FROM command_all")).containsExactly(List.of("new"));
    }

    @Test
    void aLimitIsTheSumOfItsLanesAndWhatWasShownBeforeARestartIsGone() throws SQLException {
        write(
                Rows.limit("tape", 0, 1, 10, false),
                Rows.limit("tape", 1, 1, 11, false),
                Rows.limit("gone", 0, 1, 12, true),
                Rows.limit("before", 1, 1, 13, false));
        assertThat(database.value("SELECT count(*) FROM limit_all")).isEqualTo("2");
        assertThat(database.rows(
                        "SELECT max_in_flight, in_flight, starts, waiting FROM limit_all WHERE \"group\" = 'tape'"))
                .containsExactly(List.of("20", "14", "6", "8000000000"));

        write(Rows.limit("tape", 1, 2, 14, false));

        assertThat(database.rows("SELECT \"group\", in_flight FROM limit_all")).containsExactly(List.of("tape", "14"));
        database.run("SELECT weir_archive_prune()");
        assertThat(database.value("SELECT count(*) FROM limit_dat"))
                .as("versions of long ago")
                .isEqualTo("2");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void rowsThatComeTwiceAndInAnyOrderEndInTheNewestVersion(long seed) throws SQLException {
        JobStatus[] states = JobStatus.values();
        List<Row> changes = new ArrayList<>();
        for (int i = 0; i < states.length; i++) {
            changes.add(Rows.job("j", "t", states[i], 100 + i));
            changes.add(Rows.job("j", "t", states[i], 100 + i));
        }
        Collections.shuffle(changes, new Random(seed));

        write(changes.toArray(Row[]::new));

        assertThat(database.rows("SELECT status, version FROM job_dat"))
                .containsExactly(List.of("Cancelled", String.valueOf(99 + states.length)));
    }

    @Test
    void whatADatabaseCannotHoldInTextDoesNotStopTheMirror() throws SQLException {
        JobRow plain = Rows.job("j", "t", JobStatus.FAILED, 1);
        write(new JobRow(
                "j",
                "t",
                0,
                JobStatus.FAILED,
                1,
                0,
                0,
                null,
                1,
                null,
                null,
                null,
                null,
                null,
                null,
                "a\0b \ud800 ü😀",
                null,
                null,
                null,
                plain.version(),
                false));

        assertThat(database.value("SELECT error_message FROM job_dat"))
                .startsWith("a\uFFFDb ")
                .endsWith(" ü😀");
    }

    @Test
    void anEndedTaskMovesToTheArchiveWithAllThatBelongsToIt() throws SQLException {
        write(
                Rows.task("t", TaskState.CLOSED, 5),
                Rows.job("j1", "t", JobStatus.FINISHED, 5),
                Rows.job("j2", "t", JobStatus.FAILED, 5),
                Rows.file("f", "t", FileRow.Status.FINISHED, 5),
                Rows.task("other", TaskState.ACTIVE, 5),
                Rows.job("j3", "other", JobStatus.RUNNING, 5));

        assertThat(database.value("SELECT weir_archive('t')")).isEqualTo("4");

        assertThat(database.rows("SELECT uid FROM task_dat")).containsExactly(List.of("other"));
        assertThat(database.rows("SELECT uid FROM job_dat")).containsExactly(List.of("j3"));
        assertThat(database.value("SELECT count(*) FROM file_dat")).isEqualTo("0");
        assertThat(database.rows("SELECT uid FROM task_arc_20261120")).containsExactly(List.of("t"));
        assertThat(database.rows("SELECT uid FROM job_all ORDER BY uid"))
                .containsExactly(List.of("j1"), List.of("j2"), List.of("j3"));
        assertThat(database.rows("SELECT uid FROM task_all ORDER BY uid"))
                .containsExactly(List.of("other"), List.of("t"));
        assertThat(database.value("SELECT count(*) FROM file_all")).isEqualTo("1");
    }

    @Test
    void aTaskThatIsNotAtItsEndIsNotArchived() throws SQLException {
        write(Rows.task("t", TaskState.CANCELLED, 5), Rows.job("j", "t", JobStatus.RUNNING, 5));

        assertThat(database.value("SELECT weir_archive('t') + weir_archive('absent')"))
                .isEqualTo("0");
        assertThat(database.value("SELECT weir_archive_closed('0')")).isEqualTo("0");
        assertThat(database.value("SELECT count(*) FROM job_dat")).isEqualTo("1");
    }

    @Test
    void rowsThatComeAfterTheMoveAreMergedByVersionAndNeverSeenTwice() throws SQLException {
        write(Rows.task("t", TaskState.CLOSED, 5), Rows.job("j1", "t", JobStatus.RUNNING, 5));
        database.value("SELECT weir_archive('t')");
        write(
                Rows.task("t", TaskState.ACTIVE, 4),
                Rows.job("j1", "t", JobStatus.FINISHED, 6),
                Rows.job("j2", "t", JobStatus.FINISHED, 6));
        assertThat(database.rows("SELECT state FROM task_all")).containsExactly(List.of("closed"));
        assertThat(database.rows("SELECT status FROM job_all")).containsExactly(List.of("Running"));

        assertThat(database.value("SELECT weir_archive_latecomers()")).isEqualTo("3");

        assertThat(database.rows("SELECT state FROM task_all")).containsExactly(List.of("closed"));
        assertThat(database.rows("SELECT uid, status FROM job_all ORDER BY 1"))
                .containsExactly(List.of("j1", "Finished"), List.of("j2", "Finished"));
        assertThat(database.value("SELECT (SELECT count(*) FROM task_dat) + (SELECT count(*) FROM job_dat)"))
                .isEqualTo("0");
    }

    @Test
    void endedTasksAreArchivedOnlyAfterTheGraceAndNotManyMoreRowsThanAsked() throws SQLException {
        for (int i = 0; i < 5; i++) {
            write(Rows.task("t" + i, TaskState.CLOSED, 5));
        }
        database.run("UPDATE task_dat SET closed_at = now() WHERE uid = 't0'");

        assertThat(database.value("SELECT weir_archive_closed('1 minute', 3)")).isEqualTo("3");
        assertThat(database.value("SELECT weir_archive_closed('1 minute', 3)")).isEqualTo("1");
        assertThat(database.rows("SELECT uid FROM task_dat")).containsExactly(List.of("t0"));
    }

    @Test
    void latecomersOfTasksArchivedLongAgoAreMergedToo() throws SQLException {
        write(Rows.task("t", TaskState.CLOSED, 5));
        database.run("UPDATE task_dat SET closed_at = now() - interval '3 days'");
        database.value("SELECT weir_archive('t')");
        database.run("UPDATE task_archived SET archived_at = now() - interval '3 days'");
        write(Rows.job("late", "t", JobStatus.FINISHED, 5));

        database.value("SELECT weir_archive_latecomers()");

        assertThat(database.value("SELECT count(*) FROM job_dat")).isEqualTo("0");
        assertThat(database.rows("SELECT uid FROM job_all")).containsExactly(List.of("late"));
    }

    @Test
    void daysOlderThanTheKeptOnesAreDroppedWhole() throws SQLException {
        write(
                Rows.task("old", TaskState.CLOSED, 5),
                Rows.job("j", "old", JobStatus.FINISHED, 5),
                Rows.task("young", TaskState.CLOSED, 5));
        database.run("UPDATE task_dat SET closed_at = now() - interval '100 days' WHERE uid = 'old'");
        database.run("UPDATE task_dat SET closed_at = now() - interval '80 days' WHERE uid = 'young'");
        database.value("SELECT weir_archive_closed()");

        assertThat(database.value("SELECT weir_archive_prune(90)")).isEqualTo("1");

        assertThat(database.rows("SELECT uid FROM task_all")).containsExactly(List.of("young"));
        assertThat(database.rows("SELECT uid FROM task_archived")).containsExactly(List.of("young"));
        assertThat(database.value("SELECT count(*) FROM job_all")).isEqualTo("0");
    }

    @Test
    void deletedRowsAreNotForReaders() throws SQLException {
        write(Rows.pilot("p", 1, false), Rows.pilot("p", 2, true), Rows.pilot("p", 1, false));

        assertThat(database.value("SELECT count(*) FROM pilot_all")).isEqualTo("0");
    }

    @Test
    void noRowShowsThePasswordOfAStorage() throws Exception {
        ObjectNode wire = Json.mapper().valueToTree(Rows.task("t", TaskState.ACTIVE, 1));
        wire.put("dat_stor_url", "https://user:s3cret@store.example/spd");
        wire.put("why_text", "no answer of https://user:s3cret@store.example/spd/x and https://t0ken@store.example/y");
        write((TaskRow) Json.mapper().treeToValue(wire, Row.class));

        assertThat(database.rows("SELECT dat_stor_url, why_text FROM task_dat"))
                .containsExactly(List.of(
                        "https://***@store.example/spd",
                        "no answer of https://***@store.example/spd/x and https://***@store.example/y"));
    }
}
