package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.VIEWER;
import static dev.weir.gateway.access.Role.WFMS;

import dev.weir.gateway.placement.PlacementStatus;
import dev.weir.gateway.placement.PlacementStatus.Worker;
import dev.weir.gateway.placement.StatusFile;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How full the workers of a placement are, if the gateway knows where its status file is. */
final class Placement {

    private static final Logger LOG = LoggerFactory.getLogger(Placement.class);
    private static final List<String> STATUSES = List.of("online", "unreliable", "offline");
    private static final int MOST_DATASETS = 50;

    /** Null for none. */
    private final StatusFile file;

    Placement(Path status) {
        file = status == null ? null : new StatusFile(status);
    }

    void addTo(RoutesConfig routes) {
        routes.get("/placement", this::show, VIEWER, WFMS, OPERATOR);
    }

    private void show(Context http) {
        Params.allow(http, "search", "status", "limit", "after");
        String search = Params.textOrNull(http, "search");
        String status = Params.choiceOrNull(http, "status", STATUSES);
        int limit = Params.limit(http);
        int from = place(Params.after(http));
        StatusFile.Shown shown = read();
        PlacementStatus all = shown.status();
        List<Worker> some = all.workers().stream()
                .filter(worker -> search == null || worker.id().startsWith(search))
                .filter(worker -> status == null || worker.status().equals(status))
                .skip(from)
                .limit(limit + 1L)
                .toList();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("written_at", shown.writtenAt());
        answer.put("config", all.config());
        answer.put("reliable", all.passReliable());
        if (all.passAll() != null && all.passAll().failed() != null) {
            answer.put("unreliable_left_empty", all.passAll().failed());
        }
        answer.put("total", total(all));
        answer.put("data", some.subList(0, Math.min(limit, some.size())));
        answer.put("datasets", all.datasets().stream().limit(MOST_DATASETS).toList());
        if (some.size() > limit) {
            answer.put("next", String.valueOf(from + limit));
        }
        Tagged.write(http, answer);
    }

    private static int place(String after) {
        try {
            int place = after == null ? 0 : Integer.parseInt(after);
            if (place >= 0) {
                return place;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw Problem.ofQuery("after", "after must be the next of an earlier page of this list");
    }

    private static Map<String, Object> total(PlacementStatus all) {
        Map<String, Object> total = new LinkedHashMap<>();
        total.put("workers", all.workers().size());
        total.put("capacity", all.workers().stream().mapToLong(Worker::capacity).sum());
        total.put(
                "assigned_bytes",
                all.workers().stream().mapToLong(Worker::assignedBytes).sum());
        total.put("chunks", all.workers().stream().mapToLong(Worker::chunks).sum());
        total.put("datasets", all.datasets().size());
        return total;
    }

    private StatusFile.Shown read() {
        if (file == null) {
            throw new Problem(
                    404,
                    "No placement",
                    "this gateway shows no placement; name the status.json of ./weir place in weir.gateway.placement-file");
        }
        try {
            return file.read()
                    .orElseThrow(() -> new Problem(
                            404,
                            "No placement",
                            "there is no file " + file + " yet; ./weir place --out writes it into its directory"));
        } catch (IOException e) {
            LOG.warn("The placement cannot be shown: {}", e.getMessage());
            throw new Problem(
                            503,
                            "No placement",
                            "the placement cannot be shown: " + e.getMessage() + "; write it again")
                    .after(1);
        }
    }
}
