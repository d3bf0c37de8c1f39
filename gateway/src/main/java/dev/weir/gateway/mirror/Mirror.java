package dev.weir.gateway.mirror;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.protocol.Urls;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;

/**
 * The mirror's tables, read only. A query that takes longer than five seconds is ended. Throws {@link org.jdbi.v3.core.JdbiException} when the database
 * does not answer. Safe for use from many threads.
 */
public final class Mirror implements AutoCloseable {

    private static final int CONNECTIONS = 16;
    private static final long CONNECTION_TIMEOUT_MILLIS = 5_000;

    /** A database that takes a connection and then says nothing fails after this time; the URL's parameters prevail. */
    private static final Map<String, String> TIMEOUTS =
            Map.of("connectTimeout", "5", "loginTimeout", "10", "socketTimeout", "20", "tcpKeepAlive", "true");

    /** Planning a query over ninety days of archive takes ten times as long as the query: each connection plans it once, for all values. */
    private static final Map<String, String> PLANS = Map.of("prepareThreshold", "1");

    /** Compiling a query takes longer than any of these, and one that counts a million rows must leave processors to the others. */
    private static final String SESSION =
            "SET statement_timeout = '5s'; SET jit = off; SET plan_cache_mode = force_generic_plan; "
                    + "SET max_parallel_workers_per_gather = 0";

    private static final String LISTED_TASK =
            "uid, state, rank, base_rank, weight, pool, device_type, mode, \"order\", executable, "
                    + "retry, dat_in_uid, dat_out_uid, dat_stor_url, dat_out_url, owner, jobs_total, jobs_waiting, jobs_queued, jobs_starting, "
                    + "jobs_running, jobs_cooling, jobs_finished, jobs_failed, jobs_killed, jobs_cancelled, jobs_retries, "
                    + "jobs_system_retries, why, why_text, canceled, reason, accepted_at, closed_at";
    private static final String TASK = LISTED_TASK.replace("executable, ", "executable, args, ");
    private static final String PILOT =
            "pilot_id, pool, device, host, cores, memory, gpus, state, job_uid, finished, failed, last_seen_at, "
                    + "set_aside_until, kept_out";

    private static final String LIMIT =
            "\"group\", source, max_in_flight, in_flight, max_starts, window_s, starts, waiting";

    private static final String COMMAND =
            "id, type, rank, position, priority, by, given_at, outcome, reason, decided_at";

    /** Of a job whose newest attempt has ended badly, or was cancelled: then it has no row, unless the job cooled off after it. */
    private static final Set<String> NOT_FINISHED = Set.of("Cooling", "Failed", "Killed", "Cancelled");

    private static final String ATTEMPT =
            "attempt, status, pilot_id, file_log_url, exit_code, error_type, error_message, queued_at, started_at, ended_at";

    /** A job that fails because of the system is tried for a day, a hundred and fifty times at most. */
    private static final int MOST_ATTEMPTS = 200;

    private static final String POOL_TASKS = """
            pool, count(*) AS open, count(*) FILTER (WHERE state = 'active' AND why IS DISTINCT FROM 'kept') AS active, count(*) FILTER (WHERE why = 'slot') AS waiting,
            count(*) FILTER (WHERE state = 'paused') AS paused, coalesce(sum(jobs_waiting), 0)::bigint AS jobs_waiting,
            coalesce(sum(weight) FILTER (WHERE state = 'active' AND why IS DISTINCT FROM 'kept'), 0)::bigint AS weight,
            sum(jobs_queued)::bigint AS jobs_queued, sum(jobs_starting)::bigint AS jobs_starting,
            sum(jobs_running)::bigint AS jobs_running, sum(jobs_cooling)::bigint AS jobs_cooling""";
    private static final String POOL_PILOTS = """
            pool, count(*) FILTER (WHERE state = 'idle') AS idle, count(*) FILTER (WHERE state = 'busy') AS busy,
            count(*) FILTER (WHERE state = 'draining') AS draining, count(*) FILTER (WHERE state = 'lost') AS lost""";

    private static final String NEWEST = """
            SELECT greatest((SELECT max(version) FROM task_dat), (SELECT max(version) FROM pilot_dat), 0)""";
    private static final String SINCE =
            "(SELECT least(:newest, (extract(epoch FROM now()) * 1000000)::bigint) - :late)";
    private static final String CHANGED = """
            SELECT true AS is_task, uid, pool, version, jobs_queued + jobs_starting + jobs_running AS out,
                jobs_finished + jobs_failed + jobs_killed AS ended, jobs_failed AS failed, rank, coalesce(extract(epoch FROM accepted_at) * 1000, 0)::bigint AS accepted
              FROM task_dat WHERE version > %1$s
            UNION ALL
            SELECT false, pilot_id, pool, version, 0, 0, 0, 0, 0 FROM pilot_dat WHERE version > %1$s""".formatted(SINCE);

    private final HikariDataSource pool;
    private final Jdbi jdbi;
    /** One connection for {@link #check}, which must not wait for those who read. */
    private final HikariDataSource checkPool;

    private final Jdbi checks;

    private Mirror(HikariDataSource pool, HikariDataSource checkPool) {
        this.pool = pool;
        this.jdbi = Jdbi.create(pool);
        this.checkPool = checkPool;
        this.checks = Jdbi.create(checkPool);
    }

    /** Connects when it is first needed: the database may be away. */
    public static Mirror of(GatewayOptions options, MeterRegistry metrics) {
        HikariConfig config = config(options);
        config.setPoolName("gateway");
        config.setMinimumIdle(1);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMetricRegistry(metrics);
        HikariConfig check = config(options);
        check.setPoolName("gateway-check");
        check.setMaximumPoolSize(1);
        return new Mirror(new HikariDataSource(config), new HikariDataSource(check));
    }

    private static HikariConfig config(GatewayOptions options) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(options.jdbcUrl());
        config.setUsername(options.user());
        config.setPassword(options.password());
        TIMEOUTS.forEach(config::addDataSourceProperty);
        PLANS.forEach(config::addDataSourceProperty);
        config.setReadOnly(true);
        config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        config.setInitializationFailTimeout(-1);
        config.setConnectionInitSql(SESSION);
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        return config;
    }

    /** Which tasks; null for any. */
    public record TaskFilter(String state, String owner, String pool, String dataset, String why, String search) {}

    /** Which pilots; null for any. */
    public record PilotFilter(String state, String pool, String host, String search) {}

    /** Tasks, the newest first, without their arguments. */
    public Page tasks(TaskFilter filter, int limit, String after) {
        boolean open = "open".equals(filter.state());
        Select select = new Select(LISTED_TASK, "task_present", "task_past");
        if (open || filter.why() != null) {
            // A task that has ended waits for nothing. Not from task_open, of which a page would sort all rows.
            select.and("state IN ('accepted', 'active', 'paused', 'cancelled')");
        }
        select.and("state = :state", "state", open ? null : filter.state())
                .and("owner = :owner", "owner", filter.owner())
                .and("pool = :pool", "pool", filter.pool())
                .and("dat_out_uid = :dataset", "dataset", filter.dataset())
                .and("why = :why", "why", filter.why())
                .uidBeginning("uid", filter.search());
        if (after != null) {
            List<String> keys = Cursor.read(after, 2);
            select.and(
                            "(accepted_at, uid) < (CAST(:at AS timestamptz), :uid)",
                            "at",
                            instant(keys.get(0)).toString())
                    .and("true", "uid", keys.get(1));
        }
        return page(select, "accepted_at DESC, uid DESC", limit, "accepted_at", "uid");
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw Cursor.invalid();
        }
    }

    public Optional<Map<String, Object>> task(String uid) {
        return inSnapshot(handle -> Place.of(handle, uid)
                        .select(TASK, "task_present", "task_past")
                        .and("uid = :uid", "uid", uid)
                        .list(handle, "uid", 1))
                .stream()
                .findFirst();
    }

    /** The task that gets the next free slot of its pool; of all pools when null. */
    public Optional<Map<String, Object>> nextTask(String poolName) {
        return one(
                new Select(TASK, "task_open").and("why = 'slot'").and("pool = :pool", "pool", poolName),
                "rank DESC, accepted_at, uid");
    }

    /** The outputs of a task: all that are known of, and those that do not exist. */
    public Map<String, Object> outputs(String taskUid) {
        return inSnapshot(handle -> Place.of(handle, taskUid).outputs(handle, taskUid));
    }

    /**
     * A task's jobs by position. With a filter a page looks at 20,000 positions: it may be short although there is a next one.
     *
     * @param search text in the path of the input; null for any
     */
    public Page jobs(String taskUid, String status, String search, int limit, String after) {
        long position = after == null ? -1 : number(after);
        return inSnapshot(handle -> new Jobs(handle, taskUid).page(status, search, limit, position));
    }

    private static long number(String after) {
        try {
            return Long.parseLong(Cursor.read(after, 1).get(0));
        } catch (NumberFormatException e) {
            throw Cursor.invalid();
        }
    }

    /** Commands about a task, the newest first. */
    public Page commands(String taskUid, int limit, String after) {
        Select select = new Select(COMMAND, "command_all").and("task_uid = :task", "task", taskUid);
        if (after != null) {
            List<String> keys = Cursor.read(after, 2);
            select.and(
                            "(decided_at, id) < (CAST(:at AS timestamptz), :id)",
                            "at",
                            instant(keys.get(0)).toString())
                    .and("true", "id", keys.get(1));
        }
        return page(select, "decided_at DESC, id DESC", limit, "decided_at", "id");
    }

    /** A job, with those of its attempts that have failed or were killed, the newest first. */
    public Optional<Map<String, Object>> job(String uid) {
        Optional<Map<String, Object>> job =
                one(new Select(Jobs.COLUMNS, "job_all").and("uid = :uid", "uid", uid), "uid");
        job.ifPresent(found -> {
            int newest = (Integer) found.get("attempt");
            boolean hasFailed = NOT_FINISHED.contains((String) found.get("status"));
            Select ended = new Select(ATTEMPT, "attempt_all")
                    .and("job_uid = :uid", "uid", uid)
                    .and("attempt <= :newest", "newest", hasFailed ? newest : newest - 1);
            found.put("attempts", with(handle -> ended.list(handle, "attempt DESC", MOST_ATTEMPTS)));
        });
        return job;
    }

    /**
     * Where the log of an attempt is; null when none is known. Of a job that is over its path is on the storage of the task, or the whole URL of a file
     * elsewhere.
     */
    public String logOf(String taskUid, String jobUid, int attempt) {
        Select registered = new Select("path", "file_all")
                .and("id = :id", "id", jobUid + "/" + attempt + "/log")
                .and("path IS NOT NULL");
        Select left = new Select("file_log_url", "attempt_all")
                .and("job_uid = :uid", "uid", jobUid)
                .and("attempt = :attempt", "attempt", attempt);
        return one(registered, "id")
                .map(file -> (String) file.get("path"))
                .flatMap(path -> path.contains("://")
                        ? Optional.of(path)
                        : task(taskUid).map(task -> Urls.join((String) task.get("dat_stor_url"), path)))
                .or(() -> one(left, "attempt").map(row -> (String) row.get("file_log_url")))
                .orElse(null);
    }

    public Page pilots(PilotFilter filter, int limit, String after) {
        Select select = new Select(PILOT, "pilot_all")
                .and("state = :state", "state", filter.state())
                .and("pool = :pool", "pool", filter.pool())
                .and("host = :host", "host", filter.host())
                .beginning("pilot_id", filter.search())
                .and(
                        "pilot_id > :after",
                        "after",
                        after == null ? null : Cursor.read(after, 1).get(0));
        return page(select, "pilot_id", limit, "pilot_id");
    }

    public Optional<Map<String, Object>> pilot(String id) {
        return one(new Select(PILOT, "pilot_all").and("pilot_id = :id", "id", id), "pilot_id");
    }

    /**
     * Groups with a limit, by name.
     *
     * @param search the begin of the name; null for any
     * @param waiting whether only those for which files wait
     */
    public Page limits(String search, boolean waiting, int limit, String after) {
        Select select = new Select(LIMIT, "limit_all")
                .beginning("\"group\"", search)
                .and(
                        "\"group\" > :after",
                        "after",
                        after == null ? null : Cursor.read(after, 1).get(0));
        return page(waiting ? select.and("waiting > 0") : select, "\"group\"", limit, "group");
    }

    /** Open tasks and their jobs by pool. */
    public List<Map<String, Object>> tasksByPool() {
        return with(handle ->
                new Select(POOL_TASKS, "task_open").and("pool IS NOT NULL").listGrouped(handle, "pool"));
    }

    /** Pilots by pool and state. */
    public List<Map<String, Object>> pilotsByPool() {
        return with(handle ->
                new Select(POOL_PILOTS, "pilot_all").and("pool IS NOT NULL").listGrouped(handle, "pool"));
    }

    /** The newest version of a task or pilot; 0 when there is none. */
    public long newestVersion() {
        return with(handle -> handle.createQuery(NEWEST).mapTo(Long.class).one());
    }

    /**
     * Tasks and pilots whose rows have a larger version, deleted ones included. It reads all that are not in the archive.
     *
     * @param newest a version, in microseconds since 1970; where it is in the future, the present counts
     * @param lateMicros how far behind it rows are still looked for
     */
    public List<Changed> changedSince(long newest, long lateMicros) {
        return with(handle -> handle.createQuery(CHANGED)
                .bind("newest", newest)
                .bind("late", lateMicros)
                .map((row, context) -> new Changed(
                        row.getBoolean("is_task"),
                        row.getString("uid"),
                        row.getString("pool"),
                        row.getLong("version"),
                        row.getLong("out"),
                        row.getLong("ended"),
                        row.getLong("failed"),
                        row.getDouble("rank"),
                        row.getLong("accepted")))
                .list());
    }

    /** What an overview of open tasks and of pilots is made of. */
    public Findings findings() {
        return with(Findings::read);
    }

    /**
     * The failed attempts of a task's jobs by class of error, the most frequent first, each with some of its newest jobs. At most 20,000 jobs
     * are looked at.
     */
    public Failures failures(String taskUid) {
        return with(handle -> Failures.read(handle, taskUid));
    }

    /** Whether it answers, also while all who read wait; throws when it does not. One asks at a time. */
    public void check() {
        checks.useHandle(handle -> handle.createQuery("SELECT count(*) FROM task_open WHERE false")
                .mapTo(Long.class)
                .one());
    }

    private Page page(Select select, String order, int limit, String... keys) {
        List<Map<String, Object>> rows = with(handle -> select.list(handle, order, limit + 1));
        if (rows.size() <= limit) {
            return new Page(rows, null);
        }
        List<Map<String, Object>> shown = rows.subList(0, limit);
        Map<String, Object> last = shown.get(limit - 1);
        Object[] place = new Object[keys.length];
        for (int i = 0; i < keys.length; i++) {
            place[i] = last.get(keys[i]);
        }
        return new Page(shown, Cursor.of(place));
    }

    private Optional<Map<String, Object>> one(Select select, String order) {
        return with(handle -> select.list(handle, order, 1)).stream().findFirst();
    }

    /** What several queries read belongs together. */
    private <T> T inSnapshot(HandleCallback<T, RuntimeException> work) {
        return jdbi.inTransaction(work);
    }

    private <T> T with(HandleCallback<T, RuntimeException> work) {
        return jdbi.withHandle(work);
    }

    @Override
    public void close() {
        pool.close();
        checkPool.close();
    }
}
