package dev.weir.gateway.mirror;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * What there is to say of open tasks and of pilots. Rows are as the contract has them.
 *
 * @param newest when the scheduler wrote the newest row; null when there is none
 * @param waits open tasks by reason (why) and pool, those that asked DSM in vain apart: tasks, jobs, an example with uid and text; the most tasks first
 * @param failing some open tasks of whose ended jobs a twentieth failed, or more, the most failures first; their number is in total
 * @param endedBadly some tasks that failed or were rejected within the last hour, or closed then with a twentieth of their jobs failed, or more; the newest
 *     first; their number is in total
 * @param asidePilots pilots that get no jobs for some time, by pool
 * @param lostPilots pilots that were lost within the last hour, by pool
 */
public record Findings(
        Instant newest,
        List<Map<String, Object>> waits,
        List<Map<String, Object>> failing,
        List<Map<String, Object>> endedBadly,
        List<Map<String, Object>> asidePilots,
        List<Map<String, Object>> lostPilots) {

    /** The end of the reason of a task for which DSM was asked for files in vain. Such tasks and those that only wait for an answer are counted apart. */
    public static final String ASKS_AGAIN = "asks again by itself";

    private static final String NEWEST = """
            SELECT weir_version_time(greatest((SELECT max(version) FROM task_dat), (SELECT max(version) FROM pilot_dat))) AS newest""";
    private static final String WAITS = """
            SELECT w.*, coalesce((SELECT why_text FROM task_dat t WHERE t.uid = w.uid), (SELECT why_text FROM task_past t WHERE t.uid = w.uid)) AS text FROM (
              SELECT why, pool, count(*) AS tasks, min(uid) AS uid,
                  coalesce(sum(coalesce(jobs_waiting, 0) + jobs_queued + jobs_cooling), 0)::bigint AS jobs
                FROM task_open WHERE why IS NOT NULL
               GROUP BY why, pool, why = 'page' AND why_text IS NOT NULL AND why_text LIKE '%%%s' ORDER BY tasks DESC, why, pool, uid LIMIT 200) w
             ORDER BY tasks DESC, why, pool, uid""".formatted(ASKS_AGAIN);
    private static final String FAILING = """
            SELECT uid, pool, jobs_failed AS failed, jobs_finished + jobs_failed + jobs_killed AS ended, reason, count(*) OVER () AS total
              FROM task_open WHERE why IS DISTINCT FROM 'kept' AND jobs_failed > 0 AND jobs_failed * 20 >= jobs_finished + jobs_failed + jobs_killed
             ORDER BY jobs_failed DESC, uid LIMIT 5""";
    /** A task is in the archive under the day of its end, or a later one: older days are not opened. */
    private static final String ENDED_BADLY = """
            SELECT uid, pool, state, reason, failed, jobs, closed_at, count(*) OVER () AS total FROM (
              SELECT uid, pool, state, reason, jobs_failed AS failed, jobs_total AS jobs, closed_at FROM task_present WHERE %1$s
              UNION ALL
              SELECT uid, pool, state, reason, jobs_failed, jobs_total, closed_at FROM task_past
               WHERE %1$s AND day >= (now() AT TIME ZONE 'UTC')::date - 1) ended
             ORDER BY closed_at DESC, uid LIMIT 3""".formatted("""
            closed_at > now() - interval '1 hour' AND (state IN ('failed', 'rejected')
                OR state = 'closed' AND jobs_failed > 0 AND jobs_failed * 20 >= jobs_finished + jobs_failed + jobs_killed)""");

    private static final String ASIDE = """
            SELECT pool, count(*) AS pilots, min(pilot_id) AS pilot_id FROM pilot_all
             WHERE set_aside_until > now() AND state <> 'lost' GROUP BY pool ORDER BY pool""";

    private static final String LOST = """
            SELECT pool, count(*) AS pilots FROM pilot_all
             WHERE state = 'lost' AND kept_out IS NULL AND last_seen_at > now() - interval '1 hour' GROUP BY pool""";

    static Findings read(Handle handle) {
        Instant newest = rows(handle, NEWEST).get(0).get("newest") instanceof Instant time ? time : null;
        return new Findings(
                newest,
                rows(handle, WAITS),
                rows(handle, FAILING),
                rows(handle, ENDED_BADLY),
                rows(handle, ASIDE),
                rows(handle, LOST));
    }

    private static List<Map<String, Object>> rows(Handle handle, String query) {
        return handle.createQuery(query).map((row, context) -> Rows.object(row)).list();
    }
}
