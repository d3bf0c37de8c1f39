package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a worker asks of the gateway. Safe for use from many threads; each call blocks, and ends when its thread is interrupted. */
final class QueueCalls {

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

    /** Keeps a lease for so many seconds from now. */
    void extend(String token, long leaseS) throws IOException {
        var unused = gateway.post(
                path + "extend",
                GatewayClient.JSON
                        .createObjectNode()
                        .put("token", token)
                        .put("lease_s", leaseS)
                        .toString());
    }

    /** Ends a lease; the body has its token. */
    void done(ObjectNode body) throws IOException {
        var unused = gateway.post(path + "done", body.toString());
    }
}
