package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.PILOT;
import static dev.weir.gateway.access.Role.VIEWER;
import static dev.weir.gateway.access.Role.WFMS;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.mirror.Mirror;
import dev.weir.gateway.mirror.Page;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Json;
import dev.weir.protocol.TaskState;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** What can be read. */
final class Reads {

    private static final Role[] EVERYBODY = {VIEWER, WFMS, OPERATOR};
    private static final List<String> TASK_STATES = taskStates();
    private static final List<String> JOB_STATES =
            Arrays.stream(JobStatus.values()).map(JobStatus::wireName).toList();
    private static final List<String> PILOT_STATES = List.of("idle", "busy", "draining", "lost");
    private static final List<String> OF_JOBS = List.of("waiting", "queued", "starting", "running", "cooling");

    private final Mirror mirror;
    /** Counting reads every open task. */
    private final LoadingCache<String, List<Map<String, Object>>> pools;

    Reads(Mirror mirror) {
        this.mirror = mirror;
        pools = Caffeine.newBuilder().expireAfterWrite(Duration.ofSeconds(2)).build(all -> countPools());
    }

    private static List<String> taskStates() {
        List<String> states = new ArrayList<>(List.of("open"));
        Arrays.stream(TaskState.values()).map(TaskState::wireName).forEach(states::add);
        return states;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/task", this::tasks, EVERYBODY);
        routes.get("/task/ready", this::ready, EVERYBODY);
        routes.get("/task/{id}", this::task, EVERYBODY);
        routes.get("/task/{id}/summary/jobs", this::jobSummary, EVERYBODY);
        routes.get("/task/{id}/summary/files", this::fileSummary, EVERYBODY);
        routes.get("/task/{id}/why", this::why, EVERYBODY);
        routes.get("/task/{id}/job", this::jobs, EVERYBODY);
        routes.get("/job/{id}", this::job, EVERYBODY);
        routes.get("/pool", this::pools, EVERYBODY);
        routes.get("/pilot", this::pilots, EVERYBODY);
        routes.get("/pilot/{id}", this::pilot, VIEWER, WFMS, OPERATOR, PILOT);
    }

    private void tasks(Context http) {
        Params.allow(http, "state", "owner", "pool", "dataset", "search", "limit", "after");
        Mirror.TaskFilter filter = new Mirror.TaskFilter(
                Params.choiceOrNull(http, "state", TASK_STATES),
                Params.textOrNull(http, "owner"),
                Params.uidOrNull(http, "pool"),
                Params.uidOrNull(http, "dataset"),
                Params.uidOrNull(http, "search"));
        write(http, mirror.tasks(filter, Params.limit(http), Params.after(http)));
    }

    private void ready(Context http) {
        Params.allow(http, "pool");
        Optional<Map<String, Object>> next = mirror.nextTask(Params.uidOrNull(http, "pool"));
        if (next.isEmpty()) {
            http.status(204);
        } else {
            write(http, next.get());
        }
    }

    private void task(Context http) {
        write(http, findTask(http));
    }

    private Map<String, Object> findTask(Context http) {
        Params.allow(http);
        return findTask(Params.uid(http, "id", "task"));
    }

    private Map<String, Object> findTask(String uid) {
        return mirror.task(uid).orElseThrow(() -> Params.unknown("task", uid));
    }

    private void jobSummary(Context http) {
        Map<?, ?> counts = (Map<?, ?>) findTask(http).get("counts");
        Map<String, Object> summary = new LinkedHashMap<>();
        for (String state : List.of(
                "total", "waiting", "queued", "starting", "running", "cooling", "finished", "failed", "killed")) {
            if (counts.get(state) != null) {
                summary.put(state, counts.get(state));
            }
        }
        summary.put("canceled", counts.get("cancelled"));
        write(http, summary);
    }

    private void fileSummary(Context http) {
        String uid = (String) findTask(http).get("uid");
        write(http, mirror.outputs(uid));
    }

    private void why(Context http) {
        Map<String, Object> task = findTask(http);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("uid", task.get("uid"));
        answer.put("state", task.get("state"));
        if (task.get("why") != null) {
            answer.put("why", task.get("why"));
        }
        answer.put("text", Why.text(task));
        write(http, answer);
    }

    private void jobs(Context http) {
        Params.allow(http, "status", "limit", "after");
        String uid = Params.uid(http, "id", "task");
        String status = Params.choiceOrNull(http, "status", JOB_STATES);
        Page page = mirror.jobs(uid, status, Params.limit(http), Params.after(http));
        if (page.data().isEmpty()) {
            // No job of it, or no such task?
            var unused = findTask(uid);
        }
        write(http, page);
    }

    private void job(Context http) {
        Params.allow(http);
        String uid = Params.uid(http, "id", "job");
        write(http, mirror.job(uid).orElseThrow(() -> Params.unknown("job", uid)));
    }

    private void pilots(Context http) {
        Params.allow(http, "pool", "state", "host", "search", "limit", "after");
        Mirror.PilotFilter filter = new Mirror.PilotFilter(
                Params.choiceOrNull(http, "state", PILOT_STATES),
                Params.uidOrNull(http, "pool"),
                Params.textOrNull(http, "host"),
                Params.uidOrNull(http, "search"));
        write(http, mirror.pilots(filter, Params.limit(http), Params.after(http)));
    }

    private void pilot(Context http) {
        Params.allow(http);
        String id = Params.uid(http, "id", "pilot");
        if (Guard.token(http).role() == PILOT) {
            Guard.requireScope(http, Scope.Kind.PILOT, id);
        }
        write(http, mirror.pilot(id).orElseThrow(() -> Params.unknown("pilot", id)));
    }

    private void pools(Context http) {
        Params.allow(http);
        write(http, Map.of("data", pools.get("all")));
    }

    private List<Map<String, Object>> countPools() {
        Map<String, Map<String, Object>> byName = new TreeMap<>();
        for (Map<String, Object> row : mirror.tasksByPool()) {
            Map<String, Object> pool = pool(byName, row);
            pool.put("tasks", pick(row, "open", "active", "waiting", "paused"));
            pool.put("jobs", row.get("counts"));
        }
        for (Map<String, Object> row : mirror.pilotsByPool()) {
            pool(byName, row).put("pilots", pick(row, "idle", "busy", "draining", "lost"));
        }
        return List.copyOf(byName.values());
    }

    private static Map<String, Object> pool(Map<String, Map<String, Object>> byName, Map<String, Object> row) {
        return byName.computeIfAbsent((String) row.get("pool"), name -> {
            Map<String, Object> pool = new LinkedHashMap<>();
            pool.put("name", name);
            pool.put("pilots", zeros(List.of("idle", "busy", "draining", "lost")));
            pool.put("tasks", zeros(List.of("open", "active", "waiting", "paused")));
            pool.put("jobs", zeros(OF_JOBS));
            return pool;
        });
    }

    private static Map<String, Object> zeros(List<String> names) {
        Map<String, Object> zeros = new LinkedHashMap<>();
        names.forEach(name -> zeros.put(name, 0L));
        return zeros;
    }

    private static Map<String, Object> pick(Map<String, Object> row, String... names) {
        Map<String, Object> picked = new LinkedHashMap<>();
        for (String name : names) {
            picked.put(name, row.get(name));
        }
        return picked;
    }

    /** Clients poll: an answer that they have already is not sent again. */
    private static void write(Context http, Object body) {
        byte[] json = Json.write(body);
        CRC32C sum = new CRC32C();
        sum.update(json);
        String tag = "\"" + Integer.toHexString(json.length) + "-" + Long.toHexString(sum.getValue()) + "\"";
        http.header("ETag", tag);
        if (tag.equals(http.header("If-None-Match"))) {
            http.status(304);
        } else {
            http.status(200).contentType("application/json").result(json);
        }
    }
}
