package dev.weir.gateway;

import dev.weir.testing.ScratchDatabase;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;

/** Writes rows of the mirror for tests, as the scheduler would. */
final class MirrorRows {

    private final ScratchDatabase database;
    private Instant at;
    private long number;

    MirrorRows(ScratchDatabase database) {
        this.database = database;
    }

    /** When the following rows are written; now, unless this says so. */
    MirrorRows at(Instant time) {
        at = time;
        return this;
    }

    private long version() {
        Instant time = at == null ? Instant.now() : at;
        return time.toEpochMilli() * 1000 + ++number % 1000;
    }

    static String quoted(String text) {
        return text == null ? "NULL" : "'" + text.replace("'", "''") + "'";
    }

    /** A task for which no pilot is there, one that failed within the last hour, and pilots node1-1, busy, and node2-1, lost. */
    void stuck() throws SQLException {
        task("stuck", "gpu", "active")
                .counts(50, 30, 20, 0, 0)
                .why("pilots", "pool gpu has no pilots, and 20 jobs wait for one")
                .write();
        task("ended", "cpu", "failed")
                .reason("the dataset has changed")
                .closed()
                .write();
        pilot("node1-1", "cpu", "busy");
        pilot("node2-1", "cpu", "lost");
    }

    TaskRow task(String uid, String pool, String state) {
        return new TaskRow(uid, pool, state);
    }

    void pilot(String id, String pool, String state) throws SQLException {
        database.run(String.format(
                Locale.ROOT, """
                INSERT INTO pilot_dat (pilot_id, pool, device, host, cores, memory, state, job_uid, finished, failed, last_seen_at, version, deleted)
                VALUES (%s, %s, 'CPU', %s, 8, 16000000000, %s, NULL, 12, 1, now(), %d, false)
                ON CONFLICT (pilot_id) DO UPDATE SET state = excluded.state, version = excluded.version""", quoted(id), quoted(pool), quoted("host-" + id), quoted(state), version()));
    }

    /** Limits are 0 to 2 billion; -1 for none. */
    void limit(String group, String source, int inFlight, int maxInFlight, int starts, int maxStarts, int waiting)
            throws SQLException {
        database.run(String.format(
                Locale.ROOT,
                """
                INSERT INTO limit_dat ("group", lane, source, max_in_flight, max_starts, window_s, in_flight, starts, waiting, since, version, deleted)
                VALUES (%s, 0, %s, nullif(%d, -1), nullif(%d, -1), CASE WHEN %4$d >= 0 THEN 60 END, %d, %d, %d, '2026-01-01T00:00:00Z', %d, false)
                ON CONFLICT ("group", lane) DO UPDATE SET in_flight = excluded.in_flight, version = excluded.version""",
                quoted(group),
                quoted(source),
                maxInFlight,
                maxStarts,
                inFlight,
                starts,
                waiting,
                version()));
    }

    void failedJob(String task, int position, String type, String message, Integer exitCode) throws SQLException {
        job(task, position, "Failed", type, message, exitCode, "https://store/logs/" + position + ".log");
    }

    void job(String task, int position, String status, String type, String message, Integer exitCode, String log)
            throws SQLException {
        database.run(String.format(
                Locale.ROOT,
                """
                INSERT INTO job_dat (uid, task_uid, position, status, attempt, retries, system_retries, pool, rank, pilot_id, file_in_url, file_out_url,
                    file_log_url, exit_code, error_type, error_message, queued_at, started_at, ended_at, version, deleted)
                VALUES (%s, %s, %d, %s, 2, 1, 0, 'cpu', 1.5, 'node1-1', 'file:///data/in', 'file:///data/out', %s, %s, %s, %s,
                    now() - interval '3 minutes', now() - interval '2 minutes', now() + %d * interval '1 second', %d, false)""",
                quoted(task + "." + position),
                quoted(task),
                position,
                quoted(status),
                quoted(log),
                exitCode,
                quoted(type),
                quoted(message),
                position,
                version()));
    }

    /** An attempt of a job that failed five minutes ago. */
    void attempt(String task, int position, int attempt, String type, String message, String log) throws SQLException {
        database.run(String.format(
                Locale.ROOT,
                """
                INSERT INTO attempt_dat (job_uid, attempt, task_uid, status, pilot_id, file_log_url, exit_code, error_type, error_message, queued_at,
                    started_at, ended_at, version, deleted)
                VALUES (%s, %d, %s, 'Failed', 'node9-4', %s, 3, %s, %s, now() - interval '9 minutes', now() - interval '8 minutes',
                    now() - interval '5 minutes', %d, false)""",
                quoted(task + "." + position),
                attempt,
                quoted(task),
                quoted(log),
                quoted(type),
                quoted(message),
                version()));
    }

    /** A row of task_dat; it replaces the present one. */
    final class TaskRow {
        private final String uid;
        private final String pool;
        private final String state;
        private int weight = 1;
        private long total;
        private long waiting;
        private long queued;
        private long finished;
        private long failed;
        private String reason;
        private String why;
        private String whyText;
        private boolean closed;

        private TaskRow(String uid, String pool, String state) {
            this.uid = uid;
            this.pool = pool;
            this.state = state;
        }

        TaskRow weight(int is) {
            weight = is;
            return this;
        }

        TaskRow counts(long all, long ofWaiting, long ofQueued, long ofFinished, long ofFailed) {
            total = all;
            waiting = ofWaiting;
            queued = ofQueued;
            finished = ofFinished;
            failed = ofFailed;
            return this;
        }

        TaskRow reason(String text) {
            reason = text;
            return this;
        }

        TaskRow why(String word, String text) {
            why = word;
            whyText = text;
            return this;
        }

        TaskRow closed() {
            closed = true;
            return this;
        }

        void write() throws SQLException {
            database.run(String.format(
                    Locale.ROOT,
                    """
                    INSERT INTO task_dat (uid, state, rank, base_rank, weight, pool, device_type, mode, "order", executable, args, retry, dat_in_uid,
                        dat_out_uid, dat_stor_url, dat_out_url, owner, jobs_total, jobs_waiting, jobs_queued, jobs_starting, jobs_running, jobs_cooling,
                        jobs_finished, jobs_failed, jobs_killed, jobs_cancelled, jobs_retries, jobs_system_retries, why, why_text, canceled, reason,
                        accepted_at, closed_at, version, deleted)
                    VALUES (%1$s, %2$s, 4, 4, %3$d, %4$s, 'CPU', 'Map', 'sequential', 'reco.sh', '--in {file_in}', 1, 'in-' || %1$s, 'out-' || %1$s,
                        'file:///data', 'reco', 'anna', %5$d, %6$d, %7$d, 0, 0, 0, %8$d, %9$d, 0, 0, 3, 1, %10$s, %11$s, false, %12$s,
                        now(), %13$s, %14$d, false)
                    ON CONFLICT (uid) DO UPDATE SET state = excluded.state, weight = excluded.weight, jobs_total = excluded.jobs_total,
                        jobs_waiting = excluded.jobs_waiting, jobs_queued = excluded.jobs_queued, jobs_finished = excluded.jobs_finished,
                        jobs_failed = excluded.jobs_failed, why = excluded.why, why_text = excluded.why_text, reason = excluded.reason,
                        version = excluded.version""",
                    quoted(uid),
                    quoted(state),
                    weight,
                    quoted(pool),
                    total,
                    waiting,
                    queued,
                    finished,
                    failed,
                    quoted(why),
                    quoted(whyText),
                    quoted(reason),
                    closed ? "now()" : "NULL",
                    version()));
        }
    }
}
