package dev.weir.gateway.mirror;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The jobs of a task by position. */
final class Jobs {

    static final String COLUMNS =
            "uid, task_uid, position, status, attempt, retries, system_retries, pool, rank, pilot_id, "
                    + "file_in_url, file_out_url, file_log_url, exit_code, error_type, error_message, queued_at, started_at, ended_at";

    /**
     * How many positions a page with a filter looks at. An index on the status would cost a quarter of the mirror's rate, so those of a rare one are
     * searched for, as are parts of addresses; this many take some ten milliseconds.
     */
    static final int LOOKED_AT = 20_000;

    /** Behind the host, as an address may hold a password before it. */
    private static final String PATH_IN = "substring(file_in_url from '^(?:[^:/]*:)?(?://[^/]*/|/(?!/))(.*)$')";

    private static final String POSITION = "position";

    private final Handle handle;
    private final String taskUid;
    private final Place place;

    /** @param handle with a transaction, in which all is read */
    Jobs(Handle handle, String taskUid) {
        this.handle = handle;
        this.taskUid = taskUid;
        place = Place.of(handle, taskUid);
    }

    /**
     * A page. With a filter it may be short, or empty, although the list goes on.
     *
     * @param status null for any
     * @param search text in the path of the input; null for any
     * @param after the position before the page; -1 for the first
     */
    Page page(String status, String search, int limit, long after) {
        boolean isWhole = status == null && search == null;
        long last = isWhole ? Long.MAX_VALUE : after + LOOKED_AT;
        List<Map<String, Object>> rows = select(COLUMNS)
                .and("status = :status", "status", status)
                .containing(PATH_IN, search)
                .and("position > :after", "after", after)
                .and("position <= :last", "last", last)
                .list(handle, POSITION, limit + 1);
        if (rows.size() > limit) {
            List<Map<String, Object>> shown = rows.subList(0, limit);
            return new Page(shown, Cursor.of(shown.get(limit - 1).get(POSITION)));
        }
        return new Page(
                rows,
                isWhole
                        ? null
                        : firstBehind(last)
                                .map(position -> Cursor.of(position - 1))
                                .orElse(null));
    }

    private Optional<Long> firstBehind(long position) {
        return select(POSITION).and("position > :after", "after", position).list(handle, POSITION, 1).stream()
                .map(row -> (Long) row.get(POSITION))
                .findFirst();
    }

    private Select select(String columns) {
        return place.select(columns, "job_present", "job_past").and("task_uid = :task", "task", taskUid);
    }
}
