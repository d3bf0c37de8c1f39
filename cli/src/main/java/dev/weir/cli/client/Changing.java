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
    private boolean all = true;
    /** After which nothing more is sent; null while all is well. */
    private IOException failure;

    private IOException untold;

    /**
     * Sends a change and prints its outcome as a line. After a failure that others would meet too, as when the gateway does not answer or does not
     * let this token in, nothing more is sent, and the line says so.
     *
     * @param about what is changed, as in {@code task run7}
     */
    void send(String about, String method, String path, JsonNode body) {
        send(about, method, path, body, null);
    }

    /** @param note what there is to say when it was applied; null for nothing */
    void send(String about, String method, String path, JsonNode body, String note) {
        if (wait < 0 || wait > LONGEST_WAIT) {
            throw new ParameterException(
                    spec.commandLine(), "--wait must be from 0 to " + LONGEST_WAIT + ", got " + wait);
        }
        if (failure != null) {
            tell(about, "not sent", null);
            return;
        }
        try {
            GatewayClient.Change change = gateway().change(method, path, body, wait);
            tell(
                    about,
                    change.applied() ? "applied" : "sent",
                    change.applied() ? note : "no outcome came in " + wait + " s; it may still be applied");
        } catch (GatewayRefusal refusal) {
            switch (refusal.status()) {
                case 409 -> tell(about, "ignored", refusal.getMessage());
                case 400, 404, 413, 422 -> tell(about, "refused", refusal.getMessage());
                default -> fail(about, refusal);
            }
            all = false;
        } catch (IOException e) {
            fail(about, e);
        }
    }

    /** Throws when its address or the token cannot be read. */
    GatewayClient gateway() throws IOException {
        if (gateway == null) {
            gateway = asking.gateway();
        }
        return gateway;
    }

    /** The reason of the first failure is told at the end, or here in JSON. */
    private void fail(String about, IOException reason) {
        tell(about, "failed", asking.json() ? reason.getMessage() : null);
        fail(reason);
    }

    /** Lets nothing more be sent; {@link #end} throws the first reason. */
    void fail(IOException reason) {
        if (failure == null) {
            failure = reason;
        } else {
            failure.addSuppressed(reason);
        }
    }

    /**
     * Called after everything was sent.
     *
     * @return the exit code: 0 if all was applied. What was only sent in the time to wait counts as well
     * @throws IOException the failure after which nothing more was sent, or that of an output that could not be written
     */
    int end() throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (untold != null) {
            throw untold;
        }
        return all ? 0 : 1;
    }

    /** That nobody reads the outcome does not keep the other changes from being sent. */
    private void tell(String about, String outcome, String reason) {
        ObjectNode line = GatewayClient.JSON.createObjectNode();
        line.put("about", about).put("outcome", outcome);
        if (reason != null) {
            line.put("reason", reason);
        }
        try {
            asking.tell(line, about + ": " + outcome + (reason == null ? "" : ": " + reason));
        } catch (IOException e) {
            untold = e;
        }
    }
}
