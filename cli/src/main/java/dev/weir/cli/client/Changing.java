package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of every command that changes something, and how its outcome is told. */
final class Changing {

    private static final int LONGEST_WAIT = 60;

    @Mixin
    private Asking asking = new Asking();

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long to wait for the outcome, 0 to 60. Default: ${DEFAULT-VALUE}.")
    private int wait;

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    private GatewayClient gateway;

    /**
     * Sends one change and prints its outcome as a line.
     *
     * @param about what is changed, as in {@code task run7}
     * @return whether it was applied. What was only sent in the time to wait counts as well, and the line says so
     * @throws IOException when the gateway does not answer, or does not let this token in
     */
    boolean send(String about, String method, String path, JsonNode body) throws IOException {
        if (wait < 0 || wait > LONGEST_WAIT) {
            throw new ParameterException(
                    spec.commandLine(), "--wait must be from 0 to " + LONGEST_WAIT + ", got " + wait);
        }
        if (gateway == null) {
            gateway = asking.gateway();
        }
        try {
            GatewayClient.Change change = gateway.change(method, path, body, wait);
            tell(
                    about,
                    change.applied() ? "applied" : "sent",
                    change.applied() ? null : "no outcome came in " + wait + " s; it may still be applied");
            return true;
        } catch (GatewayRefusal refusal) {
            switch (refusal.status()) {
                case 409 -> tell(about, "ignored", refusal.getMessage());
                case 400, 404, 413, 422 -> tell(about, "refused", refusal.getMessage());
                default -> throw refusal;
            }
            return false;
        }
    }

    private void tell(String about, String outcome, String reason) {
        if (asking.json()) {
            ObjectNode line = GatewayClient.JSON.createObjectNode();
            line.put("about", about).put("outcome", outcome);
            if (reason != null) {
                line.put("reason", reason);
            }
            asking.out().println(line);
        } else {
            asking.out().println(about + ": " + outcome + (reason == null ? "" : ": " + reason));
        }
        asking.out().flush();
    }
}
