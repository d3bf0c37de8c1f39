package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.PILOT;
import static dev.weir.gateway.access.Role.WFMS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.mirror.Mirror;
import dev.weir.protocol.Command;
import dev.weir.protocol.Command.Type;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.NewTask;
import dev.weir.protocol.Outcome.About;
import dev.weir.protocol.Task;
import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/** What can be changed: each change becomes a task or a command on the broker. */
final class Changes {

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._-]{1,60}");
    private static final List<String> HEAD = List.of("id", "at", "by", "type");

    private final Sending sending;
    private final Mirror mirror;
    private final Readers readers;

    Changes(Sending sending, Mirror mirror, Readers readers) {
        this.mirror = mirror;
        this.readers = readers;
        this.sending = sending;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/task", this::task, WFMS, OPERATOR);
        routes.delete("/task/{id}", readers.one(this::delete), WFMS, OPERATOR);
        routes.put("/task/{id}/rank", http -> ofTask(http, Type.RANK), WFMS, OPERATOR);
        routes.put("/task/{id}/priority", http -> ofTask(http, Type.PRIORITY), WFMS, OPERATOR);
        routes.put("/task/{id}/canceled", http -> ofTask(http, Type.CANCEL), WFMS, OPERATOR);
        routes.put("/task/{id}/paused", http -> ofTask(http, Type.PAUSE), WFMS, OPERATOR);
        routes.put("/task/{id}/resumed", http -> ofTask(http, Type.RESUME), WFMS, OPERATOR);
        routes.put("/task/{id}/closed", http -> ofTask(http, Type.CLOSE), WFMS, OPERATOR);
        routes.put("/task/{id}/retry_failed", http -> ofTask(http, Type.RETRY_FAILED), WFMS, OPERATOR);
        routes.put("/pool/{name}/paused", http -> ofPool(http, Type.POOL_PAUSE), OPERATOR);
        routes.put("/pool/{name}/resumed", http -> ofPool(http, Type.POOL_RESUME), OPERATOR);
        routes.put("/pool/{name}/drained", http -> ofPool(http, Type.POOL_DRAIN), OPERATOR);
        routes.put("/pilot/{id}/drained", http -> ofPilot(http, Type.PILOT_DRAIN), PILOT, OPERATOR);
        routes.put("/pilot/{id}/excluded", http -> ofPilot(http, Type.PILOT_EXCLUDE), PILOT, OPERATOR);
        routes.put("/pilot/{id}/included", http -> ofPilot(http, Type.PILOT_INCLUDE), PILOT, OPERATOR);
        routes.put("/limit", this::limit, OPERATOR);
    }

    private void task(Context http) {
        Params.allow(http, "wait");
        JsonHttp.requireJson(http);
        Task task = NewTask.check(Json.read(http.bodyAsBytes(), Task.class));
        Guard.requireScope(http, Scope.Kind.TASK, task.uid());
        Guard.requireScope(http, Scope.Kind.POOL, task.poolName());
        // As it came, so that what the queue would take is what the gateway takes.
        sending.send(http, About.TASK, task.uid(), http.bodyAsBytes(), null);
    }

    /** Cancels it, unless it has ended: then it goes to the archive by itself. */
    private void delete(Context http) {
        Params.allow(http, "wait");
        String uid = Params.uid(http, "id", "task");
        Guard.requireScope(http, Scope.Kind.TASK, uid);
        Object state =
                mirror.task(uid).orElseThrow(() -> Params.unknown("task", uid)).get("state");
        if (Reads.OVER.contains(state)) {
            http.status(204);
        } else {
            ofTask(http, Type.CANCEL);
        }
    }

    private void ofTask(Context http, Type type) {
        String uid = Params.uid(http, "id", "task");
        Guard.requireScope(http, Scope.Kind.TASK, uid);
        command(http, type, "task_uid", uid);
    }

    private void ofPool(Context http, Type type) {
        String name = Params.uid(http, "name", "pool");
        Guard.requireScope(http, Scope.Kind.POOL, name);
        command(http, type, "pool", name);
    }

    private void ofPilot(Context http, Type type) {
        String id = Params.uid(http, "id", "pilot");
        Guard.requireScope(http, Scope.Kind.PILOT, id);
        command(http, type, "pilot_id", id);
    }

    private void limit(Context http) {
        command(http, Type.LIMIT, null, null);
    }

    /**
     * Sends the command that the body and the path make.
     *
     * @param field that the path gives; null for none
     */
    private void command(Context http, Type type, String field, String value) {
        Params.allow(http, "wait");
        ObjectNode body = body(http);
        for (String own : HEAD) {
            refuse(body, own, "the gateway gives it");
        }
        if (field != null) {
            refuse(body, field, "the path gives it");
            body.put(field, value);
        }
        Token token = Guard.token(http);
        body.put("id", id(http, token));
        body.put("at", Instant.now().toString());
        body.put("by", token.name());
        body.put("type", type.name().toLowerCase(Locale.ROOT));
        Command command = Json.read(Json.write(body), Command.class);
        if (command instanceof Command.Limit limit) {
            Guard.requireScope(http, Scope.Kind.GROUP, limit.group());
        }
        sending.send(http, About.COMMAND, command.id(), Json.write(command), command);
    }

    private static void refuse(ObjectNode body, String field, String why) {
        if (body.has(field)) {
            throw new InvalidMessage(field, field + " must not be in the body: " + why);
        }
    }

    /** Changes that need nothing more than their path have no body. */
    private static ObjectNode body(Context http) {
        byte[] bytes = http.bodyAsBytes();
        if (bytes.length == 0) {
            return Json.mapper().createObjectNode();
        }
        JsonHttp.requireJson(http);
        JsonNode body = Json.read(bytes, JsonNode.class);
        if (body.isNull()) {
            // What many generated clients send for a body that is left out.
            return Json.mapper().createObjectNode();
        }
        if (body instanceof ObjectNode object) {
            return object;
        }
        throw new InvalidMessage(null, "the body must be a JSON object");
    }

    /** The same for repetitions with the same key, at every gateway: Weir takes an id once. */
    private static String id(Context http, Token token) {
        String key = http.header("Idempotency-Key");
        if (key == null) {
            return UUID.randomUUID().toString();
        }
        if (!KEY.matcher(key).matches()) {
            throw new Problem(
                    400, "Bad header", "Idempotency-Key must be 1 to 60 of A-Z a-z 0-9 . _ -", "Idempotency-Key", null);
        }
        return token.owner() + ":" + key;
    }
}
