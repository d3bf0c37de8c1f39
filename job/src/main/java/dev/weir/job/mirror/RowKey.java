package dev.weir.job.mirror;

import dev.weir.protocol.AttemptRow;
import dev.weir.protocol.CommandRow;
import dev.weir.protocol.FileRow;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.LimitRow;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskRow;

/** The identity of a row: table and key. */
record RowKey(Class<? extends Row> table, String key) {

    static RowKey of(Row row) {
        if (row instanceof TaskRow task) {
            return new RowKey(TaskRow.class, task.uid());
        } else if (row instanceof JobRow job) {
            return new RowKey(JobRow.class, job.uid());
        } else if (row instanceof AttemptRow attempt) {
            return new RowKey(AttemptRow.class, attempt.attempt() + "/" + attempt.jobUid());
        } else if (row instanceof PilotRow pilot) {
            // One that is only kept out must not take the place of what another lane knows of it.
            return new RowKey(PilotRow.class, (pilot.pool() == null ? "kept out: " : "") + pilot.pilotId());
        } else if (row instanceof FileRow file) {
            return new RowKey(FileRow.class, file.id());
        } else if (row instanceof LimitRow limit) {
            return new RowKey(LimitRow.class, limit.lane() + "/" + limit.group());
        } else if (row instanceof CommandRow command) {
            return new RowKey(CommandRow.class, command.id());
        }
        throw new IllegalArgumentException("no table for " + row.getClass().getName());
    }
}
