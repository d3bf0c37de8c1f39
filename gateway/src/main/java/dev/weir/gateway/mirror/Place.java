package dev.weir.gateway.mirror;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
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

    /**
     * The outputs of the task: all that are known of, and those that do not exist. Their rows are counted from the tables, which takes a sixth of the time:
     * the view would look for each row of a task that moves in the archive. One that came again while it moved counts twice until it has moved.
     */
    Map<String, Object> outputs(Handle handle, String taskUid) {
        Map<String, Object> all = new LinkedHashMap<>();
        if (day == null || moving) {
            add(all, count("file_dat", taskUid).list(handle, "1", 1).get(0));
        }
        if (day != null) {
            add(
                    all,
                    count("file_arc", taskUid)
                            .and("day = :day", "day", day)
                            .list(handle, "1", 1)
                            .get(0));
        }
        return all;
    }

    private static Select count(String table, String taskUid) {
        return new Select("count(*) AS total, count(*) FILTER (WHERE status = 'Failed') AS failed", table)
                .and("task_uid = :task", "task", taskUid)
                .and("kind = 'output'")
                .and("NOT deleted");
    }

    private static void add(Map<String, Object> all, Map<String, Object> counts) {
        counts.forEach((name, count) -> all.merge(name, count, (one, other) -> (Long) one + (Long) other));
    }

    /** Rows of the task, of the view of active ones, of that of archived ones, or of both. */
    Select select(String columns, String present, String past) {
        if (day == null) {
            return new Select(columns, present);
        }
        return moving ? new Select(columns, present, past) : new Select(columns, past).and("day = :day", "day", day);
    }
}
