package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a worker asks of the gateway. Safe for use from many threads; each call blocks, and ends when its thread is interrupted. */
final class QueueCalls {

    /** Above the ten seconds in which the queues answer the gateway, or it says that they did not. */
    private static final Duration END_LIMIT = Duration.ofSeconds(15);

    private final GatewayClient gateway;
    private final String queue;
    private final String path;
    private final List<String> kinds;

    /** @param kinds of items to take; empty for all that the token allows */
    QueueCalls(GatewayClient gateway, String queue, List<String> kinds) {
        this.gateway = gateway;
        this.queue = queue;
        this.path = "queue/" + GatewayClient.part(queue) + "/";
        this.kinds = List.copyOf(kinds);
    }

    String queue() {
        return queue;
    }

    /** Waits for an item; empty if none comes in time. At most a minute. */
    Optional<JsonNode> pop(Duration wait) throws IOException {
        ObjectNode body = GatewayClient.JSON.createObjectNode();
        body.put("wait_s", wait.toMillis() / 1000.0);
        if (!kinds.isEmpty()) {
            kinds.forEach(body.putArray("kinds")::add);
        }
        JsonNode items = gateway.post(path + "pop", body.toString()).path("items");
        return items.isEmpty() ? Optional.empty() : Optional.of(items.get(0));
    }

    /** Keeps a lease for so many seconds from now; fails after that time without an answer. */
    void extend(String token, long leaseS, Duration limit) throws IOException {
        var unused = gateway.post(
                path + "extend",
                GatewayClient.JSON
                        .createObjectNode()
                        .put("token", token)
                        .put("lease_s", leaseS)
                        .toString(),
                limit);
    }

    /** Ends a lease; the body has its token. Fails after 15 s without an answer. */
    void done(ObjectNode body) throws IOException {
        var unused = gateway.post(path + "done", body.toString(), END_LIMIT);
    }
}
