package dev.weir.job.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.sql.Migrations;
import dev.weir.testing.ScratchDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeepArchiveTest {

    private ScratchDatabase database;
    private KeepArchive keeper;

    @BeforeEach
    void migrate() throws SQLException {
        database = ScratchDatabase.create();
        Migrations.WEIR.apply(database.jdbcUrl(), database.user(), database.password());
        keeper = new KeepArchive(
                new Database(database.jdbcUrl(), database.user(), database.password(), 10, Duration.ofMillis(10)), 90);
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    private void closedTask(String uid, int daysAgo, int jobs) throws SQLException {
        database.run("""
                INSERT INTO task_dat (uid, state, rank, base_rank, weight, retry, jobs_queued, jobs_starting, jobs_running, jobs_cooling,
                  jobs_finished, jobs_failed, jobs_killed, jobs_cancelled, jobs_retries, jobs_system_retries, canceled, closed_at,
                  version, deleted)
                VALUES ('%s', 'closed', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, now() - interval '%d days', 5, false)""".formatted(uid, daysAgo));
        database.run("""
                INSERT INTO job_dat (uid, task_uid, position, status, attempt, retries, system_retries, rank, version, deleted)
                SELECT '%1$s/' || i, '%1$s', i, 'Finished', 1, 0, 0, 1, 5, false FROM generate_series(1, %2$d) i""".formatted(uid, jobs));
    }

    private String active() throws SQLException {
        return database.value("SELECT (SELECT count(*) FROM task_dat) + (SELECT count(*) FROM job_dat)");
    }

    @Test
    void oneTickMovesATaskOfSeveralSlices() throws SQLException {
        closedTask("large", 1, 45_000);

        keeper.processElement(1L, null, null);

        assertThat(active()).isEqualTo("0");
        assertThat(database.value("SELECT count(*) FROM job_all")).isEqualTo("45000");
    }

    @Test
    void daysAreDroppedOnceADayAndNotAtEachTick() throws SQLException {
        closedTask("old", 100, 1);
        database.run("SELECT weir_archive_closed()");
        keeper.processElement(1L, null, null);
        assertThat(database.value("SELECT count(*) FROM task_arc")).isEqualTo("0");

        closedTask("older", 101, 1);
        keeper.processElement(2L, null, null);

        assertThat(database.value("SELECT count(*) FROM task_arc")).isEqualTo("1");
    }

    @Test
    void oneTickForgetsOldAttemptsInSeveralSlices() throws SQLException {
        database.run("""
                INSERT INTO attempt_dat (job_uid, attempt, task_uid, status, ended_at, version, deleted)
                SELECT 'j' || i, 1, 't', 'Failed', now(), extract(epoch FROM now() - make_interval(days => 31)) * 1000000 + i, false
                FROM generate_series(1, 45000) i""");

        keeper.processElement(1L, null, null);

        assertThat(database.value("SELECT count(*) FROM attempt_dat")).isEqualTo("0");
    }

    private void oldAttempt() throws SQLException {
        database.run("""
                INSERT INTO attempt_dat (job_uid, attempt, task_uid, status, ended_at, version, deleted)
                VALUES ('j', 1, 't', 'Failed', now(), extract(epoch FROM now() - interval '31 days') * 1000000, false)""");
    }

    @Test
    void anArchiveThatTakesNothingMoreStillDropsOldDaysAndForgets() throws SQLException {
        closedTask("old", 100, 1);
        database.run("SELECT weir_archive_closed()");
        oldAttempt();
        database.run("""
                CREATE OR REPLACE FUNCTION weir_archive(of_task text, most_rows bigint DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql
                AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$""");
        closedTask("t", 1, 1);

        keeper.processElement(1L, null, null);

        assertThat(database.value("SELECT count(*) FROM task_arc")).isEqualTo("0");
        assertThat(database.value("SELECT count(*) FROM attempt_dat")).isEqualTo("0");
        assertThat(active()).isEqualTo("2");
    }

    @Test
    void aDayThatWasDroppedStaysDroppedWhenTheRestOfTheDailyWorkTakesTooLong() throws SQLException {
        closedTask("old", 100, 1);
        database.run("SELECT weir_archive_closed()");
        database.run("""
                CREATE OR REPLACE FUNCTION weir_archive_prune(keep_days integer DEFAULT 90) RETURNS integer LANGUAGE plpgsql SET lock_timeout = '5s'
                AS $$ BEGIN RAISE EXCEPTION 'too long' USING ERRCODE = 'query_canceled'; END $$""");

        keeper.processElement(1L, null, null);

        assertThat(database.value("SELECT count(*) FROM task_arc")).isEqualTo("0");
    }

    @Test
    void closedTasksMoveAlsoWhenTheSearchForLateRowsTakesTooLong() throws SQLException {
        database.run("""
                CREATE OR REPLACE FUNCTION weir_archive_latecomers(most_rows bigint DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql
                AS $$ BEGIN RAISE EXCEPTION 'too long' USING ERRCODE = 'query_canceled'; END $$""");
        closedTask("t", 1, 1);

        keeper.processElement(1L, null, null);

        assertThat(active()).isEqualTo("0");
    }

    @Test
    void aTickMergesTheRowsThatCameLate() throws SQLException {
        closedTask("t", 1, 1);
        keeper.processElement(1L, null, null);
        database.run("UPDATE job_arc SET version = 4");
        closedTask("t", 1, 1);

        keeper.processElement(2L, null, null);

        assertThat(active()).isEqualTo("0");
        assertThat(database.value("SELECT version FROM job_all")).isEqualTo("5");
    }

    @Test
    void aSliceThatTakesTooLongIsTriedWithAQuarterOfItsRowsAndGrowsBackSlowly() throws SQLException {
        database.run("CREATE TABLE asked (call serial, most_rows bigint)");
        database.run("""
                CREATE OR REPLACE FUNCTION weir_archive_closed(grace interval DEFAULT '1 minute', most_rows bigint DEFAULT 100000)
                RETURNS integer LANGUAGE plpgsql AS $$
                BEGIN
                  IF most_rows > 5000 THEN
                    RAISE EXCEPTION 'too long' USING ERRCODE = 'query_canceled';
                  END IF;
                  INSERT INTO asked (most_rows) VALUES (most_rows);
                  RETURN 0;
                END $$""");

        for (long tick = 1; tick <= 5; tick++) {
            keeper.processElement(tick, null, null);
        }

        // The first tick and the third took too long.
        assertThat(database.rows("SELECT most_rows FROM asked ORDER BY call"))
                .containsExactly(List.of("5000"), List.of("1375"), List.of("1875"));
    }

    /** Flink ends the whole TaskManager when a task goes on for three minutes after that. */
    @Test
    void aTaskThatIsCancelledEndsAfterTheSliceUnderWayAndBeginsNothingElse() throws Exception {
        oldAttempt();
        database.run("CREATE SEQUENCE slices");
        database.run("""
                CREATE OR REPLACE FUNCTION weir_archive_closed(grace interval DEFAULT '1 minute', most_rows bigint DEFAULT 100000)
                RETURNS integer LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('slices'); RETURN 1; END $$""");
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread task = new Thread(() -> {
            keeper.processElement(1L, null, null);
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        task.start();
        await().until(() -> database.value("SELECT is_called FROM slices").equals("t"));

        task.interrupt();
        task.join();

        assertThat(interrupted).as("Flink still sees it").isTrue();
        assertThat(database.value("SELECT count(*) FROM attempt_dat")).isEqualTo("1");
    }

    @Test
    void theAgeOfTheArchiveGrowsUntilATickHasDoneAllItsWork() throws SQLException {
        AtomicLong seconds = new AtomicLong(1_000);
        keeper =
                new KeepArchive(
                        new Database(
                                database.jdbcUrl(), database.user(), database.password(), 10, Duration.ofMillis(10)),
                        90) {
                    @Override
                    long nanoTime() {
                        return TimeUnit.SECONDS.toNanos(seconds.get());
                    }
                };
        keeper.begin();
        database.run("ALTER FUNCTION weir_forget RENAME TO away");

        seconds.addAndGet(60);
        keeper.processElement(1L, null, null);
        assertThat(keeper.secondsSinceComplete()).isEqualTo(60);

        database.run("ALTER FUNCTION away RENAME TO weir_forget");
        keeper.processElement(2L, null, null);
        assertThat(keeper.secondsSinceComplete()).isZero();

        database.close();
        seconds.addAndGet(60);
        keeper.processElement(3L, null, null);
        assertThat(keeper.secondsSinceComplete()).isEqualTo(60);
    }

    @Test
    void anUnavailableDatabaseIsTriedAgainAtTheNextTick() throws SQLException {
        database.close();

        keeper.processElement(1L, null, null);
        migrate();
        closedTask("t", 1, 1);
        keeper.processElement(2L, null, null);

        assertThat(active()).isEqualTo("0");
    }
}
