package dev.weir.sql;

import dev.weir.protocol.AttemptRow;
import dev.weir.protocol.Command;
import dev.weir.protocol.CommandRow;
import dev.weir.protocol.Device;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.FileRow;
import dev.weir.protocol.JobCounts;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.LimitRow;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.protocol.Outcome;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.TaskRow;
import dev.weir.protocol.TaskState;
import java.time.Instant;

/** Rows with every field set, so that a column that is bound to the wrong field shows. */
final class Rows {

    static final Instant CLOSED = Instant.parse("2026-11-20T23:30:00Z");

    private Rows() {}

    static TaskRow task(String uid, TaskState state, long version) {
        return new TaskRow(
                uid,
                state,
                2.5,
                2.0,
                3,
                "gpu",
                DeviceType.GPU,
                Mode.MERGE,
                Order.RANDOM,
                "exe",
                "-a",
                4,
                "in",
                "out",
                "file:///s",
                "dir",
                "me",
                new JobCounts(100L, 1L, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
                "paused",
                "It is paused.",
                true,
                "because",
                Instant.parse("2026-11-20T10:00:00.123456Z"),
                state.isTerminal() ? CLOSED : null,
                version,
                false);
    }

    static JobRow job(String uid, String taskUid, JobStatus status, long version) {
        return new JobRow(
                uid,
                taskUid,
                17,
                status,
                2,
                1,
                3,
                "cpu",
                2.25,
                "pilot-1",
                "file:///in",
                "file:///out",
                "file:///log",
                137,
                ErrorType.DISK_FULL,
                "no space",
                Instant.ofEpochSecond(1),
                Instant.ofEpochSecond(2),
                Instant.ofEpochSecond(3),
                version,
                false);
    }

    static AttemptRow attempt(String jobUid, int attempt, long version) {
        return new AttemptRow(
                jobUid,
                attempt,
                "t",
                JobStatus.KILLED,
                "pilot-1",
                "file:///log",
                137,
                ErrorType.OOM,
                "no memory",
                Instant.ofEpochSecond(1),
                Instant.ofEpochSecond(2),
                Instant.ofEpochSecond(3),
                version,
                false);
    }

    static CommandRow command(String id, String taskUid, long version) {
        return new CommandRow(
                id,
                taskUid,
                Command.Type.PRIORITY,
                3.5,
                17L,
                4,
                "anna",
                Instant.ofEpochSecond(1),
                Outcome.Kind.REFUSED,
                "because",
                Instant.ofEpochSecond(2),
                version,
                false);
    }

    static PilotRow pilot(String id, long version, boolean deleted) {
        return new PilotRow(
                id,
                "gpu",
                Device.CPU_GPU,
                "node",
                8,
                1L << 40,
                3,
                PilotRow.State.DRAINING,
                "j",
                5,
                6,
                Instant.ofEpochSecond(4),
                Instant.ofEpochSecond(5),
                PilotRow.KeptOut.EXCLUDED,
                version,
                deleted);
    }

    static FileRow file(String id, String taskUid, FileRow.Status status, long version) {
        return new FileRow(
                id,
                taskUid,
                "job",
                2,
                "set",
                FileRow.Kind.LOG,
                status,
                "a/b.log",
                "store",
                1L << 33,
                "sha256:00",
                Instant.ofEpochSecond(6),
                version,
                false);
    }

    static LimitRow limit(String group, int lane, long since, long version, boolean deleted) {
        return new LimitRow(
                group,
                lane,
                LimitRow.Source.RULE,
                20,
                100,
                0.5,
                7,
                3,
                4_000_000_000L,
                Instant.ofEpochSecond(since),
                version,
                deleted);
    }
}
