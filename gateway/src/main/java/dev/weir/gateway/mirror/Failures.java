package dev.weir.gateway.mirror;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Jobs whose newest attempt failed, by class of error. Those that are tried again, or were cancelled then, are told apart.
 *
 * @param cut true when as many were looked at as may be, so that there may be more; else null
 */
public record Failures(List<Map<String, Object>> data, Boolean cut) {

    private static final int MOST_JOBS = 20_000;
    private static final int SHOWN_OF_EACH = 3;

    /** A class with the newest of its jobs is SHOWN_OF_EACH rows or fewer. */
    private static final String QUERY = """
            WITH failed AS (
              SELECT uid, position, status, attempt, pilot_id, error_type, error_message, exit_code, file_log_url, ended_at
                FROM job_all WHERE task_uid = :task AND error_type IS NOT NULL LIMIT :most),
            numbered AS (
              SELECT *, count(*) FILTER (WHERE is_over) OVER of_type AS jobs, count(*) FILTER (WHERE NOT is_over) OVER of_type AS others,
                  row_number() OVER (PARTITION BY error_type ORDER BY is_over DESC, ended_at DESC NULLS LAST, uid) AS place
                FROM (SELECT *, status IN ('Failed', 'Killed') AS is_over FROM failed) f WINDOW of_type AS (PARTITION BY error_type))
            SELECT error_type AS class, jobs AS count, others, uid, position, status, attempt, pilot_id, error_message, exit_code, file_log_url, ended_at
              FROM numbered WHERE place <= :shown ORDER BY jobs DESC, others DESC, error_type, place""";

    static Failures read(Handle handle, String taskUid) {
        Map<Object, Map<String, Object>> classes = new LinkedHashMap<>();
        List<Map<String, Object>> rows = handle.createQuery(QUERY)
                .bind("task", taskUid)
                .bind("most", MOST_JOBS)
                .bind("shown", SHOWN_OF_EACH)
                .map((row, context) -> Rows.object(row))
                .list();
        for (Map<String, Object> job : rows) {
            Object type = job.remove("class");
            Object count = job.remove("count");
            Object others = job.remove("others");
            Map<String, Object> found = classes.computeIfAbsent(type, same -> {
                Map<String, Object> made = new LinkedHashMap<>();
                made.put("error_type", type);
                made.put("count", count);
                made.put("others", others);
                made.put("newest", new ArrayList<Map<String, Object>>());
                return made;
            });
            @SuppressWarnings("unchecked")
            List<Map<String, Object>> newest = (List<Map<String, Object>>) found.get("newest");
            newest.add(job);
        }
        long looked = classes.values().stream()
                .mapToLong(one -> (Long) one.get("count") + (Long) one.get("others"))
                .sum();
        return new Failures(List.copyOf(classes.values()), looked < MOST_JOBS ? null : Boolean.TRUE);
    }
}
