package dev.weir.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ScratchDatabase;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks that are moved in several calls, and uids that are used again. */
class ArchiveTest {

    private static final String ALL_JOBS = "SELECT count(*), count(DISTINCT uid) FROM job_all";

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

    private void task(String uid, String state, String accepted, long version) throws SQLException {
        database.run("""
                INSERT INTO task_dat (uid, state, rank, base_rank, weight, retry, jobs_queued, jobs_starting, jobs_running, jobs_cooling,
                  jobs_finished, jobs_failed, jobs_killed, jobs_cancelled, jobs_retries, jobs_system_retries, canceled, accepted_at,
                  closed_at, version, deleted)
                VALUES ('%s', '%s', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, %s, %s, %d, false)""".formatted(
                uid, state, accepted, state.equals("closed") ? accepted + " + interval '1 hour'" : "NULL", version));
    }

    private void jobs(String task, int from, int to, long version) throws SQLException {
        database.run("""
                INSERT INTO job_dat (uid, task_uid, position, status, attempt, retries, system_retries, rank, version, deleted)
                SELECT '%1$s/' || i, '%1$s', i, 'Finished', 1, 0, 0, 1, %4$d, false FROM generate_series(%2$d, %3$d) i""".formatted(task, from, to, version));
    }

    private static String daysAgo(int days) {
        return "now() - interval '" + days + " days'";
    }

    /** As the mirror job does it each minute. */
    private void keep() throws SQLException {
        database.value("SELECT weir_archive_latecomers(1000)");
        closedAtOnce(1000);
    }

    private String late(int rows) throws SQLException {
        return database.value("SELECT weir_archive_latecomers(" + rows + ")");
    }

    private String closedAtOnce(int rows) throws SQLException {
        return database.value("SELECT weir_archive_closed('1 minute', " + rows + ")");
    }

    @Test
    void aLargeTaskMovesInSeveralCallsAndReadersSeeEachOfItsRowsOnceAllTheTime() throws SQLException {
        task("large", "closed", daysAgo(3), 5);
        jobs("large", 1, 50, 5);
        int calls = 0;
        while (!closedAtOnce(20).equals("0")) {
            calls++;
            assertThat(database.rows(ALL_JOBS)).containsExactly(List.of("50", "50"));
            assertThat(database.rows("SELECT uid, state FROM task_all")).containsExactly(List.of("large", "closed"));
        }

        // 20 rows, then half of that in each call.
        assertThat(calls).isBetween(3, 6);
        assertThat(database.value("SELECT (SELECT count(*) FROM task_dat) + (SELECT count(*) FROM job_dat)"))
                .isEqualTo("0");
        assertThat(database.value("SELECT count(*) FROM task_archived WHERE moving"))
                .isEqualTo("0");
    }

    @Test
    void noCallMovesMoreRowsThanAskedFor() throws SQLException {
        task("large", "closed", daysAgo(3), 5);
        jobs("large", 1, 50, 5);

        closedAtOnce(20);

        assertThat(database.value("SELECT count(*) FROM job_dat")).isEqualTo("30");
    }

    @Test
    void aSmallTaskDoesNotWaitForALargeOneThatEndedBeforeIt() throws SQLException {
        task("large", "closed", daysAgo(3), 5);
        jobs("large", 1, 100, 5);
        task("small", "closed", daysAgo(2), 5);

        closedAtOnce(20);
        closedAtOnce(20);

        assertThat(database.rows("SELECT uid FROM task_arc")).containsExactly(List.of("small"));
    }

    @Test
    void aRowThatChangesWhileItsTaskMovesIsSeenOnceAndTheNewerVersionStays() throws SQLException {
        task("large", "closed", daysAgo(3), 5);
        jobs("large", 1, 30, 5);
        closedAtOnce(20);
        String moved = database.value("SELECT uid FROM job_arc ORDER BY position LIMIT 1");
        int position = Integer.parseInt(moved.substring(moved.indexOf('/') + 1));

        jobs("large", position, position, 6);
        assertThat(database.rows(ALL_JOBS)).containsExactly(List.of("30", "30"));
        while (!closedAtOnce(20).equals("0")) {
            assertThat(database.rows(ALL_JOBS)).containsExactly(List.of("30", "30"));
        }

        assertThat(database.value("SELECT version FROM job_all WHERE uid = '" + moved + "'"))
                .isEqualTo("6");
    }

    @Test
    void aUidThatIsUsedAgainShowsTheLivingTaskAndItIsArchivedAnew() throws SQLException {
        task("t", "closed", daysAgo(40), 5);
        jobs("t", 1, 3, 5);
        keep();
        database.run("UPDATE task_archived SET archived_at = now() - interval '40 days'");

        task("t", "active", daysAgo(1), 9);
        jobs("t", 1, 2, 9);
        keep();

        assertThat(database.rows("SELECT uid, state FROM task_all")).containsExactly(List.of("t", "active"));
        assertThat(database.rows("SELECT uid, version FROM job_all ORDER BY 1"))
                .containsExactly(List.of("t/1", "9"), List.of("t/2", "9"));

        database.run("UPDATE task_dat SET state = 'closed', version = 10, closed_at = now() - interval '2 minutes'");
        keep();

        assertThat(database.value("SELECT count(*) FROM job_dat")).isEqualTo("0");
        assertThat(database.rows("SELECT uid, version FROM task_all")).containsExactly(List.of("t", "10"));
        assertThat(database.rows(ALL_JOBS)).containsExactly(List.of("2", "2"));
    }

    @Test
    void aUidThatIsUsedAgainLosesNothingWhenTheDayOfItsFirstTaskIsDropped() throws SQLException {
        task("t", "closed", daysAgo(100), 5);
        keep();
        task("t", "active", daysAgo(1), 9);
        jobs("t", 1, 2, 9);

        database.value("SELECT weir_archive_prune(90)");

        assertThat(database.rows("SELECT uid, state FROM task_all")).containsExactly(List.of("t", "active"));
        assertThat(database.rows(ALL_JOBS)).containsExactly(List.of("2", "2"));
    }

    @Test
    void aTaskThatLivedAndEndedBetweenTwoCallsUnderAUsedUidIsArchivedUnderItsOwnDay() throws SQLException {
        task("t", "closed", daysAgo(40), 5);
        keep();

        task("t", "closed", daysAgo(2), 9);
        jobs("t", 1, 2, 9);
        keep();

        assertThat(database.rows("SELECT uid, version FROM task_all")).containsExactly(List.of("t", "9"));
        assertThat(database.value("SELECT count(*) FROM job_arc WHERE day > now() - interval '4 days'"))
                .isEqualTo("2");
    }

    @Test
    void aTaskThatLivesAgainAfterWeirWentBackToAnOlderStateKeepsTheRowsThatWereArchived() throws SQLException {
        String accepted = "timestamptz '2026-01-05 10:00Z'";
        task("t", "closed", accepted, 5);
        jobs("t", 1, 100, 5);
        keep();

        task("t", "active", accepted, 9);
        jobs("t", 91, 100, 9);
        keep();

        assertThat(database.rows("SELECT uid, state FROM task_all")).containsExactly(List.of("t", "active"));
        assertThat(database.rows("SELECT uid, state FROM task_open")).containsExactly(List.of("t", "active"));
        assertThat(OpenTasks.in(database.jdbcUrl(), database.user(), database.password()))
                .contains(new OpenTasks(1, "t"));
        assertThat(database.rows(ALL_JOBS)).containsExactly(List.of("100", "100"));
        assertThat(database.value("SELECT count(*) FROM job_all WHERE version = 9"))
                .isEqualTo("10");

        task("t", "closed", accepted, 10);
        keep();

        assertThat(database.value("SELECT count(*) FROM task_open")).isEqualTo("0");
        assertThat(database.rows("SELECT uid, state FROM task_all")).containsExactly(List.of("t", "closed"));
        assertThat(database.rows(ALL_JOBS)).containsExactly(List.of("100", "100"));
    }

    @Test
    void twoTasksOfOneUidThatEndOnTheSameDayStayApart() throws SQLException {
        task("t", "closed", "timestamptz '2026-01-05 10:00Z'", 5);
        jobs("t", 1, 100, 5);
        keep();

        task("t", "active", "timestamptz '2026-01-05 12:00Z'", 9);
        jobs("t", 1, 10, 9);
        keep();
        assertThat(database.rows(ALL_JOBS)).containsExactly(List.of("10", "10"));
        task("u", "closed", "timestamptz '2026-01-05 12:00Z'", 9);
        database.run("UPDATE task_dat SET state = 'closed', version = 10, closed_at = timestamptz '2026-01-05 13:00Z'");
        keep();

        assertThat(database.value("SELECT count(*) FROM job_dat")).isEqualTo("0");
        assertThat(database.rows(ALL_JOBS)).containsExactly(List.of("10", "10"));
        assertThat(database.rows("SELECT uid, version FROM task_all ORDER BY 1"))
                .containsExactly(List.of("t", "10"), List.of("u", "10"));
    }

    @Test
    void muchThatComesLateIsMergedInSeveralCallsAndTheTaskItselfFirst() throws SQLException {
        String accepted = "timestamptz '2026-01-05 10:00Z'";
        task("t", "closed", accepted, 5);
        jobs("t", 1, 50, 5);
        closedAtOnce(1000);

        task("t", "active", accepted, 9);
        jobs("t", 1, 50, 9);

        assertThat(late(20)).isEqualTo("20");
        assertThat(database.value("SELECT count(*) FROM job_dat")).isEqualTo("31");
        assertThat(database.rows("SELECT uid, state FROM task_all")).containsExactly(List.of("t", "active"));
        assertThat(late(1000)).isEqualTo("31");
        assertThat(late(1000)).isEqualTo("0");
        assertThat(database.value("SELECT count(*) FROM job_all WHERE version = 9"))
                .isEqualTo("50");
    }

    /** A sequential scan of the active tables for each archived task would not end within the statement's time. */
    @Test
    void lookingForWhatCameLateReadsNoTableFromEndToEnd() throws SQLException {
        database.run("""
                INSERT INTO task_archived (uid, day) SELECT 'archived-' || i, current_date FROM generate_series(1, 2000) i;
                INSERT INTO job_dat (uid, task_uid, position, status, attempt, retries, system_retries, rank, version, deleted)
                SELECT 'j' || i, 't' || i % 5, i, 'Finished', 1, 0, 0, 1, 5, false FROM generate_series(1, 20000) i;
                ANALYZE""");

        assertThat(database.value("""
                WITH called AS MATERIALIZED (SELECT weir_archive_latecomers(1000) AS merged)
                SELECT (SELECT sum(seq_scan) FROM pg_stat_xact_user_tables
                         WHERE relname IN ('job_dat', 'file_dat') AND merged = 0) FROM called""")).isEqualTo("0");
    }

    @Test
    void aSliceDoesNotLookForWhatCameLateWhichTakesLongWithManyTasks() throws SQLException {
        task("t", "closed", daysAgo(3), 5);
        closedAtOnce(1000);
        jobs("t", 1, 3, 5);

        assertThat(closedAtOnce(1000)).isEqualTo("0");
        assertThat(database.value("SELECT count(*) FROM job_dat")).isEqualTo("3");
        assertThat(late(1000)).isEqualTo("3");
        assertThat(database.rows(ALL_JOBS)).containsExactly(List.of("3", "3"));
    }

    @Test
    void oldDaysAreDroppedOneToACallWithoutWritingToTheArchiveWhichMayHaveNoRoom() throws SQLException {
        task("older", "closed", daysAgo(101), 5);
        task("old", "closed", daysAgo(100), 5);
        task("young", "closed", daysAgo(3), 5);
        closedAtOnce(1000);
        jobs("young", 1, 3, 5);
        database.run(
                "CREATE OR REPLACE FUNCTION weir_archive(of_task text, most_rows bigint DEFAULT NULL) RETURNS bigint"
                        + " LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$");

        assertThat(database.value("SELECT weir_archive_prune(90)")).isEqualTo("1");
        assertThat(database.value("SELECT count(*) FROM task_archived")).isEqualTo("2");
        assertThat(database.value("SELECT weir_archive_prune(90)")).isEqualTo("1");
        assertThat(database.value("SELECT weir_archive_prune(90)")).isEqualTo("0");
        assertThat(database.value("SELECT count(*) FROM task_archived")).isEqualTo("1");
    }

    @Test
    void whatCameLateForATaskOfADayThatGoesGoesWithIt() throws SQLException {
        task("old", "closed", daysAgo(100), 5);
        task("young", "closed", daysAgo(3), 5);
        closedAtOnce(1000);
        jobs("old", 1, 3, 5);
        jobs("young", 1, 3, 5);
        // From the drop on no one can read the archive, so what may take long comes before it.
        database.run("CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF (SELECT count(*) FROM weir_archive_parts()) < 6 OR current_setting('enable_seqscan') = 'on'"
                + " THEN RAISE EXCEPTION 'too late, or too slow'; END IF; RETURN NULL; END $$");
        database.run("CREATE TRIGGER look AFTER DELETE ON job_dat FOR EACH STATEMENT EXECUTE FUNCTION look()");

        assertThat(database.value("SELECT weir_archive_prune(90)")).isEqualTo("1");
        assertThat(database.rows("SELECT DISTINCT task_uid FROM job_dat")).containsExactly(List.of("young"));
    }
}
