package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonSubTypes.Type;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * A row of the mirror as it is now. Rows are upserts: one with a larger version replaces one with a smaller, in whatever
 * order they arrive, and a deletion is a row with {@code deleted} set.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "table")
@JsonSubTypes({
    @Type(value = TaskRow.class, name = "task_dat"),
    @Type(value = JobRow.class, name = "job_dat"),
    @Type(value = PilotRow.class, name = "pilot_dat"),
    @Type(value = FileRow.class, name = "file_dat")
})
public sealed interface Row permits TaskRow, JobRow, PilotRow, FileRow {

    /** Larger replaces smaller: max(previous + 1, now in microseconds since 1970). */
    long version();

    boolean deleted();
}
