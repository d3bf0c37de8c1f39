package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;

/** An answer of the gateway that is not what was asked for. The message is its reason. */
final class GatewayRefusal extends IOException {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String field;

    /** @param body a problem document; anything else gives a message with the status */
    GatewayRefusal(URI gateway, int status, String body) {
        this(gateway, status, problem(body));
    }

    private GatewayRefusal(URI gateway, int status, JsonNode problem) {
        super(reason(gateway, status, problem));
        this.status = status;
        field = problem.path("field").asText();
    }

    /** HTTP's. */
    int status() {
        return status;
    }

    /** Whether the same request may be answered otherwise in a while. */
    boolean mayPass() {
        return status >= 500 || status == 429 || status == 408;
    }

    /** Whether what was sent is not what it should be, whoever sends it. */
    boolean isOfBody() {
        return status == 400 || status == 413 || status == 422;
    }

    /** The field at fault; empty for none. */
    String field() {
        return field;
    }

    private static JsonNode problem(String body) {
        try {
            return GatewayClient.JSON.readTree(body);
        } catch (IOException e) {
            return GatewayClient.JSON.missingNode();
        }
    }

    private static String reason(URI gateway, int status, JsonNode problem) {
        String detail = problem.path("detail").asText();
        if (detail.isEmpty()) {
            return "what answers at " + gateway + " is no gateway: it sent status " + status + " without a reason";
        }
        String field = problem.path("field").asText();
        return (field.isEmpty() || detail.contains(field) ? "" : field + ": ") + detail;
    }
}
