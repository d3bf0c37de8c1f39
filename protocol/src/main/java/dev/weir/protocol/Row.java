package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonSubTypes.Type;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * The present content of a row of the mirror. Rows are upserts: a larger version replaces a smaller one, in any order of
 * arrival. A deletion is a row with {@code deleted} set.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "table")
@JsonSubTypes({
    @Type(value = TaskRow.class, name = "task_dat"),
    @Type(value = JobRow.class, name = "job_dat"),
    @Type(value = AttemptRow.class, name = "attempt_dat"),
    @Type(value = PilotRow.class, name = "pilot_dat"),
    @Type(value = FileRow.class, name = "file_dat"),
    @Type(value = LimitRow.class, name = "limit_dat"),
    @Type(value = CommandRow.class, name = "command_dat")
})
public sealed interface Row permits TaskRow, JobRow, AttemptRow, PilotRow, FileRow, LimitRow, CommandRow {

    /** The version: max(previous + 1, now in microseconds since 1970). */
    long version();

    boolean deleted();
}
