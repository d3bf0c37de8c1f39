package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;

/** An answer of the gateway that is not what was asked for. The message is its reason. */
final class GatewayRefusal extends IOException {

    private static final long serialVersionUID = 1;

    static final int UNAUTHORISED = 401;

    private final int status;
    private final boolean wasLetIn;
    private final String field;

    /**
     * What was answered.
     *
     * @param body a problem document; anything else gives a message with the status
     * @param wasLetIn whether the gateway has taken a token before
     */
    GatewayRefusal(URI gateway, int status, String body, boolean wasLetIn) {
        this(gateway, status, problem(body), wasLetIn);
    }

    private GatewayRefusal(URI gateway, int status, JsonNode problem, boolean wasLetIn) {
        super(reason(gateway, status, problem));
        this.status = status;
        this.wasLetIn = wasLetIn;
        field = problem.path("field").asText();
    }

    /** HTTP's. */
    int status() {
        return status;
    }

    /** Whether the same request may be answered otherwise in a while. */
    boolean mayPass() {
        return mayPass(status, wasLetIn);
    }

    /** The same of an answer of HTTP. A token that was good may be renewed yet. */
    static boolean mayPass(int status, boolean wasLetIn) {
        return status >= 500 || status == 429 || status == 408 || status == UNAUTHORISED && wasLetIn;
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
