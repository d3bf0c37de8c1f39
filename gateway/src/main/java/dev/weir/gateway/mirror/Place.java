package dev.weir.gateway.mirror;

import java.time.LocalDate;
import org.jdbi.v3.core.Handle;

/**
 * Where the rows of a task are: in the active tables, in the archive, or in both while they move. It holds within one transaction. A query that knows
 * the place opens one day of the archive, and not all ninety.
 *
 * @param day of the archive; null while the task is active
 */
record Place(LocalDate day, boolean moving) {

    private static final Place ACTIVE = new Place(null, false);

    static Place of(Handle handle, String taskUid) {
        return handle.createQuery("SELECT day, moving FROM task_archived WHERE uid = :task")
                .bind("task", taskUid)
                .map((row, context) -> new Place(row.getObject("day", LocalDate.class), row.getBoolean("moving")))
                .findOne()
                .orElse(ACTIVE);
    }

    /** Rows of the task, of the view of active ones, of that of archived ones, or of both. */
    Select select(String columns, String present, String past) {
        if (day == null) {
            return new Select(columns, present);
        }
        return moving ? new Select(columns, present, past) : new Select(columns, past).and("day = :day", "day", day);
    }
}
