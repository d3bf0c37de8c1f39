package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.FEEDER;
import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.PILOT;
import static dev.weir.gateway.access.Role.RANKER;
import static dev.weir.gateway.access.Role.VIEWER;
import static dev.weir.gateway.access.Role.WFMS;
import static dev.weir.gateway.access.Role.WORKER;

import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.broker.Link;
import dev.weir.gateway.live.Estimate;
import dev.weir.gateway.live.Throughput;
import dev.weir.gateway.live.Watch;
import dev.weir.gateway.mirror.Findings;
import dev.weir.gateway.mirror.Mirror;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What operators look at first: what is wrong, how fast jobs end, why a pool starts nothing, and what their token may change. */
final class Overview {

    private static final Role[] EVERYBODY = {VIEWER, WFMS, OPERATOR};
    private static final int MOST_POOLS_OF_HISTORY = 8;

    private final Pools pools;
    private final Watch watch;
    private final Throughput throughput;
    private final Link link;
    private final Paced<Findings> findings;
    private final Paced<OptionalLong> rejected;
    private final boolean hasPlacement;

    Overview(Mirror mirror, Pools pools, Watch watch, Link link, boolean hasPlacement) {
        this.hasPlacement = hasPlacement;
        this.pools = pools;
        this.watch = watch;
        throughput = watch.throughput();
        this.link = link;
        findings = new Paced<>(mirror::findings);
        rejected = new Paced<>(link::rejectedMessages);
    }

    void addTo(RoutesConfig routes) {
        routes.get("/whoami", this::whoAmI, VIEWER, WFMS, PILOT, WORKER, FEEDER, RANKER, OPERATOR);
        routes.get("/overview", this::overview, EVERYBODY);
        routes.get("/history", this::history, EVERYBODY);
        routes.get("/pool/{name}/why", this::why, EVERYBODY);
    }

    private void whoAmI(Context http) {
        Params.allow(http);
        Token token = Guard.token(http);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("name", token.name());
        answer.put("role", token.role().word());
        answer.put("expires", token.expires());
        answer.put("may_change", mayChange(token.role()));
        answer.put("placement", hasPlacement);
        if (!token.scope().equals(Scope.ALL)) {
            answer.put("scope", token.scope());
        }
        Tagged.write(http, answer);
    }

    private static List<String> mayChange(Role role) {
        return switch (role) {
            case OPERATOR -> List.of("tasks", "pools", "pilots", "limits", "queues");
            case WFMS -> List.of("tasks");
            case PILOT -> List.of("pilots");
            default -> List.of();
        };
    }

    private void overview(Context http) {
        Params.allow(http);
        Findings found = findings.get();
        List<Map<String, Object>> all = pools.all();
        Map<String, Object> answer = new LinkedHashMap<>();
        Instant now = Instant.now();
        Instant newest = newest(found.newest(), watch.heardAt(), now);
        if (newest != null) {
            answer.put("newest_row_at", newest);
        }
        answer.put("problems", Problems.of(found, newest, all, rejected.get(), link.away(), link.alarm(), now));
        answer.put("waiting", found.waits());
        answer.put("pools", all);
        Tagged.write(http, answer);
    }

    /**
     * When the scheduler was heard last. Versions go on from the largest one after a clock has come back from the future, so where the newest row
     * is of the future only that rows change tells that somebody writes them.
     *
     * @param newest when the newest row says that it was written; null when there is none
     * @param heardAt when a row that had changed was seen last
     */
    static Instant newest(Instant newest, Instant heardAt, Instant now) {
        return newest != null && newest.isAfter(now) ? heardAt : newest;
    }

    private void history(Context http) {
        Params.allow(http, "pool");
        String only = Params.uidOrNull(http, "pool");
        long now = System.currentTimeMillis();
        List<Map<String, Object>> answer = new ArrayList<>();
        pools.all().stream()
                .filter(pool -> only == null || only.equals(pool.get("name")))
                .sorted((a, b) -> Long.compare(Pools.jobsLeft(b), Pools.jobsLeft(a)))
                .limit(MOST_POOLS_OF_HISTORY)
                .forEach(pool -> {
                    String name = (String) pool.get("name");
                    answer.add(Map.of("pool", name, "history", throughput.historyOfPool(name, now)));
                });
        Tagged.write(http, Map.of("data", answer));
    }

    private void why(Context http) {
        Params.allow(http);
        String name = Params.uid(http, "name", "pool");
        Map<String, Object> pool = pools.find(name).orElseThrow(() -> Params.unknown("pool", name));
        long jobs = Pools.jobsLeft(pool);
        Estimate left = jobs > 0 && (Pools.onlyDrains(pool) || Pools.pilotsHeard(pool) == 0)
                ? Estimate.unknown("no pilot takes jobs")
                : Estimate.of(jobs, throughput.ofPool(name, System.currentTimeMillis()));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("name", name);
        answer.put("text", PoolWhy.text(pool, findings.get().waits()));
        answer.put("time_left", left);
        Tagged.write(http, answer);
    }
}
