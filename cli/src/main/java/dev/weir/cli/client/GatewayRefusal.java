package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;

/** An answer of the gateway that is not what was asked for. The message is its reason. */
final class GatewayRefusal extends IOException {

    private static final long serialVersionUID = 1;

    private final int status;

    /** @param body a problem document; anything else gives a message with the status */
    GatewayRefusal(URI gateway, int status, String body) {
        super(reason(gateway, status, body));
        this.status = status;
    }

    /** HTTP's. */
    int status() {
        return status;
    }

    /** Whether the same request may be answered otherwise in a while. */
    boolean mayPass() {
        return status >= 500 || status == 429 || status == 408;
    }

    private static String reason(URI gateway, int status, String body) {
        JsonNode problem;
        try {
            problem = GatewayClient.JSON.readTree(body);
        } catch (IOException e) {
            problem = GatewayClient.JSON.missingNode();
        }
        String detail = problem.path("detail").asText();
        if (detail.isEmpty()) {
            return "what answers at " + gateway + " is no gateway: it sent status " + status + " without a reason";
        }
        String field = problem.path("field").asText();
        return (field.isEmpty() || detail.contains(field) ? "" : field + ": ") + detail;
    }
}
