package dev.weir.sql;

import dev.weir.protocol.AttemptRow;
import dev.weir.protocol.CommandRow;
import dev.weir.protocol.FileRow;
import dev.weir.protocol.JobCounts;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.LimitRow;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskRow;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Statements that write a row unless the database has it in the same or a newer version, and the setting of their parameters.
 * {@code bind} has the shape of a Flink {@code JdbcStatementBuilder}. Rows may come twice and in any order.
 *
 * <p>A JDBC batch may hold one key several times only while the driver sends each row as its own statement; with
 * {@code reWriteBatchedInserts=true} it makes one statement of many rows, and PostgreSQL refuses two of the same key there. So Weir refuses that.
 */
public final class Upserts {

    public static final String TASK = upsert(
            "task_dat",
            "uid",
            "state",
            "rank",
            "base_rank",
            "weight",
            "pool",
            "device_type",
            "mode",
            "\"order\"",
            "executable",
            "args",
            "retry",
            "dat_in_uid",
            "dat_out_uid",
            "dat_stor_url",
            "dat_out_url",
            "owner",
            "jobs_total",
            "jobs_waiting",
            "jobs_queued",
            "jobs_starting",
            "jobs_running",
            "jobs_cooling",
            "jobs_finished",
            "jobs_failed",
            "jobs_killed",
            "jobs_cancelled",
            "jobs_retries",
            "jobs_system_retries",
            "why",
            "why_text",
            "canceled",
            "reason",
            "accepted_at",
            "closed_at",
            "version",
            "deleted");

    public static final String JOB = upsert(
            "job_dat",
            "uid",
            "task_uid",
            "position",
            "status",
            "attempt",
            "retries",
            "system_retries",
            "pool",
            "rank",
            "pilot_id",
            "file_in_url",
            "file_out_url",
            "file_log_url",
            "exit_code",
            "error_type",
            "error_message",
            "queued_at",
            "started_at",
            "ended_at",
            "version",
            "deleted");

    /** Its key are job and attempt. */
    public static final String ATTEMPT = upsert(
            "attempt_dat",
            "job_uid, attempt",
            "task_uid",
            "status",
            "pilot_id",
            "file_log_url",
            "exit_code",
            "error_type",
            "error_message",
            "queued_at",
            "started_at",
            "ended_at",
            "version",
            "deleted");

    /** A row without a pool has only an order about the pilot: the rest stays as it was. */
    public static final String PILOT = keeping(
            "pool",
            "kept_out",
            "pilot_dat",
            "pilot_id",
            "pool",
            "device",
            "host",
            "cores",
            "memory",
            "gpus",
            "state",
            "job_uid",
            "finished",
            "failed",
            "last_seen_at",
            "set_aside_until",
            "kept_out",
            "version",
            "deleted");

    public static final String FILE = upsert(
            "file_dat",
            "id",
            "task_uid",
            "job_uid",
            "attempt",
            "dataset_uid",
            "kind",
            "status",
            "path",
            "storage_id",
            "size",
            "checksum",
            "registered_at",
            "version",
            "deleted");

    /** Its key are group and lane. */
    public static final String LIMIT = upsert(
            "limit_dat",
            "\"group\", lane",
            "source",
            "max_in_flight",
            "max_starts",
            "window_s",
            "in_flight",
            "starts",
            "waiting",
            "since",
            "version",
            "deleted");

    public static final String COMMAND = upsert(
            "command_dat",
            "id",
            "task_uid",
            "type",
            "rank",
            "position",
            "priority",
            "by",
            "given_at",
            "outcome",
            "reason",
            "decided_at",
            "version",
            "deleted");

    private Upserts() {}

    /** An upsert that leaves all as it was but one column, and the version, when the new row has nothing in another. */
    private static String keeping(String needed, String always, String table, String... columns) {
        String sql = upsert(table, columns);
        for (String column : columns) {
            if (!column.equals(always) && !column.equals("version") && !column.equals("deleted")) {
                sql = sql.replace(
                        " " + column + " = excluded." + column + ",",
                        " " + column + " = CASE WHEN excluded." + needed + " IS NULL THEN " + table + "." + column
                                + " ELSE excluded." + column + " END,");
            }
        }
        return sql;
    }

    /** The first column, or columns with a comma between them, is the key. */
    private static String upsert(String table, String... columns) {
        List<String> all = Arrays.asList(columns);
        String changes = all.stream()
                .skip(1)
                .map(column -> column + " = excluded." + column)
                .collect(Collectors.joining(", "));
        return "INSERT INTO " + table + " (" + String.join(", ", all) + ") VALUES ("
                + all.stream()
                        .flatMap(column -> Arrays.stream(column.split(", ")))
                        .map(column -> "?")
                        .collect(Collectors.joining(", "))
                + ") ON CONFLICT (" + columns[0]
                + ") DO UPDATE SET " + changes + " WHERE " + table + ".version < excluded.version";
    }

    /** The statement for a row of this kind. */
    public static String of(Row row) {
        if (row instanceof TaskRow) {
            return TASK;
        } else if (row instanceof JobRow) {
            return JOB;
        } else if (row instanceof AttemptRow) {
            return ATTEMPT;
        } else if (row instanceof PilotRow) {
            return PILOT;
        } else if (row instanceof FileRow) {
            return FILE;
        }
        return row instanceof CommandRow ? COMMAND : LIMIT;
    }

    /** Sets the parameters of the statement for a row of this kind. */
    public static void bind(PreparedStatement statement, Row row) throws SQLException {
        if (row instanceof TaskRow task) {
            bind(statement, task);
        } else if (row instanceof JobRow job) {
            bind(statement, job);
        } else if (row instanceof AttemptRow attempt) {
            bind(statement, attempt);
        } else if (row instanceof PilotRow pilot) {
            bind(statement, pilot);
        } else if (row instanceof FileRow file) {
            bind(statement, file);
        } else if (row instanceof CommandRow command) {
            bind(statement, command);
        } else {
            bind(statement, (LimitRow) row);
        }
    }

    private static void bind(PreparedStatement statement, TaskRow row) throws SQLException {
        JobCounts counts = row.counts();
        new Binder(statement)
                .text(row.uid())
                .name(row.state())
                .number(row.rank())
                .number(row.baseRank())
                .count(row.weight())
                .text(row.pool())
                .name(row.deviceType())
                .name(row.mode())
                .name(row.order())
                .text(row.executable())
                .text(row.args())
                .count(row.retry())
                .text(row.datInUid())
                .text(row.datOutUid())
                .text(row.datStorUrl())
                .text(row.datOutUrl())
                .text(row.owner())
                .number(counts.total())
                .number(counts.waiting())
                .count(counts.queued())
                .count(counts.starting())
                .count(counts.running())
                .count(counts.cooling())
                .count(counts.finished())
                .count(counts.failed())
                .count(counts.killed())
                .count(counts.cancelled())
                .count(counts.retries())
                .count(counts.systemRetries())
                .text(row.why())
                .text(row.whyText())
                .flag(row.canceled())
                .text(row.reason())
                .time(row.acceptedAt())
                .time(row.closedAt())
                .count(row.version())
                .flag(row.deleted());
    }

    private static void bind(PreparedStatement statement, JobRow row) throws SQLException {
        new Binder(statement)
                .text(row.uid())
                .text(row.taskUid())
                .count(row.position())
                .name(row.status())
                .count(row.attempt())
                .count(row.retries())
                .count(row.systemRetries())
                .text(row.pool())
                .number(row.rank())
                .text(row.pilotId())
                .text(row.fileInUrl())
                .text(row.fileOutUrl())
                .text(row.fileLogUrl())
                .number(row.exitCode())
                .name(row.errorType())
                .text(row.errorMessage())
                .time(row.queuedAt())
                .time(row.startedAt())
                .time(row.endedAt())
                .count(row.version())
                .flag(row.deleted());
    }

    private static void bind(PreparedStatement statement, AttemptRow row) throws SQLException {
        new Binder(statement)
                .text(row.jobUid())
                .count(row.attempt())
                .text(row.taskUid())
                .name(row.status())
                .text(row.pilotId())
                .text(row.fileLogUrl())
                .number(row.exitCode())
                .name(row.errorType())
                .text(row.errorMessage())
                .time(row.queuedAt())
                .time(row.startedAt())
                .time(row.endedAt())
                .count(row.version())
                .flag(row.deleted());
    }

    private static void bind(PreparedStatement statement, PilotRow row) throws SQLException {
        new Binder(statement)
                .text(row.pilotId())
                .text(row.pool())
                .name(row.device())
                .text(row.host())
                .number(row.cores())
                .number(row.memory())
                .number(row.gpus())
                .name(row.state())
                .text(row.jobUid())
                .count(row.finished())
                .count(row.failed())
                .time(row.lastSeenAt())
                .time(row.setAsideUntil())
                .name(row.keptOut())
                .count(row.version())
                .flag(row.deleted());
    }

    private static void bind(PreparedStatement statement, FileRow row) throws SQLException {
        new Binder(statement)
                .text(row.id())
                .text(row.taskUid())
                .text(row.jobUid())
                .count(row.attempt())
                .text(row.datasetUid())
                .name(row.kind())
                .name(row.status())
                .text(row.path())
                .text(row.storageId())
                .number(row.size())
                .text(row.checksum())
                .time(row.registeredAt())
                .count(row.version())
                .flag(row.deleted());
    }

    private static void bind(PreparedStatement statement, LimitRow row) throws SQLException {
        new Binder(statement)
                .text(row.group())
                .count(row.lane())
                .name(row.source())
                .number(row.maxInFlight())
                .number(row.maxStarts())
                .number(row.windowS())
                .count(row.inFlight())
                .count(row.starts())
                .count(row.waiting())
                .time(row.since())
                .count(row.version())
                .flag(row.deleted());
    }

    private static void bind(PreparedStatement statement, CommandRow row) throws SQLException {
        new Binder(statement)
                .text(row.id())
                .text(row.taskUid())
                .name(row.type())
                .number(row.rank())
                .number(row.position())
                .number(row.priority())
                .text(row.by())
                .time(row.givenAt())
                .name(row.outcome())
                .text(row.reason())
                .time(row.decidedAt())
                .count(row.version())
                .flag(row.deleted());
    }
}
