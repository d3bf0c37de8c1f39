package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.PILOT;

import dev.weir.gateway.access.Scope;
import dev.weir.gateway.broker.BrokerAway;
import dev.weir.gateway.broker.NoSuchPool;
import dev.weir.gateway.pilots.PilotDesk;
import dev.weir.gateway.pilots.Replaced;
import dev.weir.gateway.pilots.TooManyWait;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Json;
import dev.weir.protocol.PopRequest;
import dev.weir.protocol.Report;
import dev.weir.protocol.ReportRequest;
import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What pilots without AMQP ask: jobs with notices, and to report. */
final class PilotRequests {

    private static final Logger LOG = LoggerFactory.getLogger(PilotRequests.class);

    private final PilotDesk desk;

    PilotRequests(PilotDesk desk) {
        this.desk = desk;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/pop", this::pop, PILOT);
        routes.post("/report", this::report, PILOT);
    }

    private void pop(Context http) {
        Params.allow(http);
        JsonHttp.requireJson(http);
        PopRequest request = Json.read(http.bodyAsBytes(), PopRequest.class);
        Guard.requireScope(http, Scope.Kind.PILOT, request.pilotId(), "pilot_id");
        requirePools(http, request.queues(), "queues");
        Sending.keepOutOfAudit(http);
        try {
            answer(http, desk.pop(request));
        } catch (TooManyWait e) {
            http.header("Retry-After", "1");
            throw new Problem(503, "Too many pilots wait", e.getMessage());
        } catch (BrokerAway e) {
            http.header("Retry-After", "1");
            throw new Problem(503, "Broker away", e.getMessage());
        }
    }

    private void report(Context http) {
        Params.allow(http);
        JsonHttp.requireJson(http);
        ReportRequest request = Json.read(http.bodyAsBytes(), ReportRequest.class);
        Guard.requireScope(http, Scope.Kind.PILOT, request.pilotId(), "pilot_id");
        for (int i = 0; i < request.reports().size(); i++) {
            Report report = request.reports().get(i);
            String at = "reports[" + i + "].";
            Guard.requireScope(http, Scope.Kind.PILOT, report.pilotId(), at + "pilot_id");
            Guard.requireScope(http, Scope.Kind.POOL, report.pool(), at + "pool");
            if (report instanceof Heartbeat heartbeat) {
                requirePools(http, heartbeat.pools(), at + "pools");
            }
        }
        Sending.keepOutOfAudit(http);
        answer(http, desk.report(request));
    }

    private static void requirePools(Context http, List<String> pools, String field) {
        for (int i = 0; i < pools.size(); i++) {
            Guard.requireScope(http, Scope.Kind.POOL, pools.get(i), field + "[" + i + "]");
        }
    }

    private static void answer(Context http, CompletableFuture<?> coming) {
        http.future(() -> coming.handleAsync((answer, failure) -> tell(http, answer, failure), Client.threads(http)));
    }

    private static Void tell(Context http, Object answer, Throwable failure) {
        if (failure == null) {
            JsonHttp.write(http, 200, answer);
        } else {
            refuse(http, failure instanceof CompletionException ? failure.getCause() : failure);
        }
        return null;
    }

    private static void refuse(Context http, Throwable failure) {
        if (failure instanceof Replaced) {
            JsonHttp.problem(http, new Problem(409, "Replaced", failure.getMessage()));
        } else if (failure instanceof NoSuchPool) {
            JsonHttp.problem(http, new Problem(422, "No such pool", failure.getMessage(), "queues", null));
        } else {
            boolean isKnown = failure instanceof BrokerAway;
            if (!isKnown) {
                LOG.error("{} {} failed", http.method(), http.path(), failure);
            }
            http.header("Retry-After", "1");
            String detail = isKnown ? failure.getMessage() : "the gateway failed on this request; its log says why";
            JsonHttp.problem(http, new Problem(503, "Broker away", detail));
        }
    }
}
