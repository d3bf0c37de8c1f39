package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.PILOT;
import static dev.weir.gateway.access.Role.VIEWER;
import static dev.weir.gateway.access.Role.WFMS;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.live.Throughput;
import dev.weir.gateway.mirror.Failures;
import dev.weir.gateway.mirror.Mirror;
import dev.weir.gateway.mirror.Page;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.TaskState;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What can be read. */
final class Reads {

    private static final Role[] EVERYBODY = {VIEWER, WFMS, OPERATOR};
    private static final List<String> TASK_STATES = taskStates();
    /** What waits has no row. */
    private static final List<String> JOB_STATES = Arrays.stream(JobStatus.values())
            .filter(status -> status != JobStatus.WAITING)
            .map(JobStatus::wireName)
            .toList();

    static final Set<String> OVER = Set.of("closed", "rejected", "failed");
    private static final List<String> PILOT_STATES = List.of("idle", "busy", "draining", "lost", "ended");

    private static final long MOST_COUNTED = 10_000;

    private final Mirror mirror;
    private final Pools pools;
    private final Throughput throughput;
    private final Progress progress;
    private final Readers readers;
    private final LoadingCache<String, Paced<Map<String, Object>>> outputs;
    private final LoadingCache<String, Paced<Failures>> failures;

    Reads(Mirror mirror, Pools pools, Throughput throughput, Readers readers) {
        this.mirror = mirror;
        this.readers = readers;
        this.pools = pools;
        this.throughput = throughput;
        progress = new Progress(throughput, pools);
        outputs = paced(mirror::outputs);
        failures = paced(mirror::failures);
    }

    /** Counting a million takes a tenth of a second, and dashboards ask again and again. */
    private static <T> LoadingCache<String, Paced<T>> paced(Function<String, T> ofTask) {
        return Caffeine.newBuilder()
                .expireAfterAccess(Duration.ofMinutes(1))
                .maximumSize(MOST_COUNTED)
                .build(task -> new Paced<>(() -> ofTask.apply(task)));
    }

    private static List<String> taskStates() {
        List<String> states = new ArrayList<>(List.of("open"));
        Arrays.stream(TaskState.values()).map(TaskState::wireName).forEach(states::add);
        return states;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/task", readers.one(this::tasks), EVERYBODY);
        routes.get("/task/ready", readers.one(this::ready), EVERYBODY);
        routes.get("/task/{id}", readers.one(this::task), EVERYBODY);
        routes.get("/task/{id}/summary/jobs", readers.one(this::jobSummary), EVERYBODY);
        routes.get("/task/{id}/summary/files", readers.one(this::fileSummary), EVERYBODY);
        routes.get("/task/{id}/why", readers.one(this::why), EVERYBODY);
        routes.get("/task/{id}/history", readers.one(this::history), EVERYBODY);
        routes.get("/task/{id}/failures", readers.one(this::failures), EVERYBODY);
        routes.get("/task/{id}/job", readers.one(this::jobs), EVERYBODY);
        routes.get("/task/{id}/command", readers.one(this::commands), EVERYBODY);
        routes.get("/job/{id}", readers.one(this::job), EVERYBODY);
        routes.get("/limit", readers.one(this::limits), EVERYBODY);
        routes.get("/pool", readers.one(this::pools), EVERYBODY);
        routes.get("/pilot", readers.one(this::pilots), EVERYBODY);
        routes.get("/pilot/{id}", readers.one(this::pilot), VIEWER, WFMS, OPERATOR, PILOT);
    }

    private void tasks(Context http) {
        Params.allow(http, "state", "owner", "pool", "dataset", "why", "search", "limit", "after");
        Mirror.TaskFilter filter = new Mirror.TaskFilter(
                Params.choiceOrNull(http, "state", TASK_STATES),
                Params.textOrNull(http, "owner"),
                Params.uidOrNull(http, "pool"),
                Params.uidOrNull(http, "dataset"),
                Params.uidOrNull(http, "why"),
                Params.uidOrNull(http, "search"));
        Page page = mirror.tasks(filter, Params.limit(http), Params.after(http));
        page.data().forEach(progress::addTo);
        Tagged.write(http, page);
    }

    private void ready(Context http) {
        Params.allow(http, "pool");
        Optional<Map<String, Object>> next = mirror.nextTask(Params.uidOrNull(http, "pool"));
        if (next.isEmpty()) {
            http.status(204);
        } else {
            Tagged.write(http, next.get());
        }
    }

    private void task(Context http) {
        Tagged.write(http, progress.addTo(findTask(http)));
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
        Tagged.write(http, summary);
    }

    private void fileSummary(Context http) {
        String uid = (String) findTask(http).get("uid");
        Tagged.write(http, outputs.get(uid).get());
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
        if (!OVER.contains(task.get("state"))) {
            answer.put("time_left", progress.timeLeft(task));
        }
        Tagged.write(http, answer);
    }

    private void history(Context http) {
        String uid = (String) findTask(http).get("uid");
        Tagged.write(http, throughput.historyOfTask(uid, System.currentTimeMillis()));
    }

    private void failures(Context http) {
        String uid = (String) findTask(http).get("uid");
        Tagged.write(http, failures.get(uid).get());
    }

    private void jobs(Context http) {
        Params.allow(http, "status", "search", "limit", "after");
        String uid = Params.uid(http, "id", "task");
        if (JobStatus.WAITING.wireName().equals(http.queryParam("status"))) {
            throw Problem.ofQuery(
                    "status", "waiting files are not listed; counts.waiting of the task has their number");
        }
        String status = Params.choiceOrNull(http, "status", JOB_STATES);
        String search = Params.textOrNull(http, "search");
        Page page = mirror.jobs(uid, status, search, Params.limit(http), Params.after(http));
        if (page.data().isEmpty()) {
            // No job of it, or no such task?
            var unused = findTask(uid);
        }
        Tagged.write(http, page);
    }

    private void commands(Context http) {
        Params.allow(http, "limit", "after");
        String uid = Params.uid(http, "id", "task");
        Page page = mirror.commands(uid, Params.limit(http), Params.after(http));
        if (page.data().isEmpty()) {
            // No command about it, or no such task?
            var unused = findTask(uid);
        }
        Tagged.write(http, page);
    }

    private void job(Context http) {
        Params.allow(http);
        String uid = Params.uid(http, "id", "job");
        Tagged.write(http, mirror.job(uid).orElseThrow(() -> Params.unknown("job", uid)));
    }

    private void pilots(Context http) {
        Params.allow(http, "pool", "state", "host", "search", "limit", "after");
        Mirror.PilotFilter filter = new Mirror.PilotFilter(
                Params.choiceOrNull(http, "state", PILOT_STATES),
                Params.uidOrNull(http, "pool"),
                Params.textOrNull(http, "host"),
                Params.uidOrNull(http, "search"));
        Tagged.write(http, mirror.pilots(filter, Params.limit(http), Params.after(http)));
    }

    private void pilot(Context http) {
        Params.allow(http);
        String id = Params.uid(http, "id", "pilot");
        if (Guard.token(http).role() == PILOT) {
            Guard.requireScope(http, Scope.Kind.PILOT, id);
        }
        Tagged.write(http, mirror.pilot(id).orElseThrow(() -> Params.unknown("pilot", id)));
    }

    private void limits(Context http) {
        Params.allow(http, "search", "waiting", "limit", "after");
        Tagged.write(
                http,
                mirror.limits(
                        Params.textOrNull(http, "search"),
                        Params.flag(http, "waiting"),
                        Params.limit(http),
                        Params.after(http)));
    }

    private void pools(Context http) {
        Params.allow(http);
        Tagged.write(http, Map.of("data", pools.all()));
    }
}
