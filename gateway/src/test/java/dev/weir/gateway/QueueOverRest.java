package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.gateway.access.Role;
import dev.weir.protocol.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A new queue, used over REST, as an operator unless with another token. */
final class QueueOverRest {

    private static final AtomicInteger MADE = new AtomicInteger();

    final TestGateway gateway;
    final String name;

    /** @param settings as JSON */
    QueueOverRest(TestGateway gateway, String settings) throws Exception {
        this(gateway, "q" + MADE.incrementAndGet(), settings);
    }

    QueueOverRest(TestGateway gateway, String name, String settings) throws Exception {
        this.gateway = gateway;
        this.name = name;
        assertThat(gateway.put("/queue/" + name, settings).status()).isEqualTo(200);
    }

    QueueOverRest(TestGateway gateway) throws Exception {
        this(gateway, "{}");
    }

    /** @param path behind that of the queue */
    Answer send(Role role, String method, String path, String body) throws Exception {
        return gateway.send(method, "/queue/" + name + path, gateway.byRole.get(role), body);
    }

    Answer get(String path) throws Exception {
        return send(Role.VIEWER, "GET", path, null);
    }

    JsonNode view() throws Exception {
        return get("").json();
    }

    Answer post(String path, String body) throws Exception {
        return send(Role.OPERATOR, "POST", path, body);
    }

    Answer put(String path, String body) throws Exception {
        return send(Role.OPERATOR, "PUT", path, body);
    }

    Answer push(String key) throws Exception {
        return post("/items", write(Map.of("key", key, "payload", Map.of("of", key))));
    }

    Answer pop() throws Exception {
        return post("/pop", "{}");
    }

    /** The item that a pop gives. */
    JsonNode popped() throws Exception {
        JsonNode items = pop().json().get("items");
        assertThat(items).hasSize(1);
        return items.get(0);
    }

    Answer end(JsonNode item, String end) throws Exception {
        return post("/done", write(Map.of("token", item.get("token").asText(), "end", end)));
    }

    Answer item(String method, String key, String more) throws Exception {
        String query = "?key=" + URLEncoder.encode(key, StandardCharsets.UTF_8) + more;
        return send(Role.OPERATOR, method, "/item" + query, null);
    }

    /** Ends a lease with a result. */
    Answer finish(JsonNode item, Object result, Map<String, Object> more) throws Exception {
        Map<String, Object> body = new HashMap<>(more);
        body.putAll(Map.of("token", item.get("token").asText(), "end", "finished", "result", result));
        return post("/done", write(body));
    }

    /** Looks for the answer of a key. */
    Answer answer(String key, String more) throws Exception {
        String query = "?key=" + URLEncoder.encode(key, StandardCharsets.UTF_8) + more;
        return gateway.get("/answer/" + name + query);
    }

    /** Asks for the answer of a key. */
    Answer ask(String body) throws Exception {
        return gateway.send("POST", "/answer/" + name, gateway.byRole.get(Role.OPERATOR), body);
    }

    static List<String> texts(JsonNode list, String field) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.path(field).asText()));
        return texts;
    }

    static String write(Object body) {
        return new String(Json.write(body), StandardCharsets.UTF_8);
    }
}
