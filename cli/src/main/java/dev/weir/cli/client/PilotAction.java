package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command for pilots that are named, or for all of a node. Exit code 1 if one of them was ignored, refused or not sent. */
abstract class PilotAction implements Callable<Integer> {

    private static final Set<String> GONE = Set.of("lost", "ended");

    static final String INCLUDED = "included";

    private static final String NOT_HEARD =
            "no pilot of this id is known; the order holds when it comes, ./weir pilots shows the ids";

    private final String path;

    @Mixin
    private Changing changing;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = "All pilots on this node that are heard, in place of ids.")
    private String host;

    @Parameters(paramLabel = "ID", arity = "0..*", description = "Ids of pilots.")
    private List<String> ids = List.of();

    @Spec
    private CommandSpec spec;

    /** @param path the state that the gateway is asked to bring about, as in {@code drained} */
    PilotAction(String path) {
        this.path = path;
    }

    @Override
    public Integer call() throws IOException {
        if (ids.isEmpty() == (host == null)) {
            throw new ParameterException(spec.commandLine(), "give the ids of pilots, or a node with --host");
        }
        for (String id : host == null ? ids : ofNode()) {
            String pilot = "pilot/" + GatewayClient.part(id);
            changing.send(
                    "pilot " + id,
                    "PUT",
                    pilot + "/" + path,
                    null,
                    host == null && !path.equals(INCLUDED) ? note(pilot) : null);
        }
        return changing.end();
    }

    /** An order about a pilot that was not heard is kept for when it comes: the id may be misspelt. */
    private String note(String pilot) {
        try {
            return changing.gateway().get(pilot, Map.of()).has("state") ? null : NOT_HEARD;
        } catch (IOException e) {
            // What else is wrong the command itself will tell.
            return e instanceof GatewayRefusal refusal && refusal.status() == 404 ? NOT_HEARD : null;
        }
    }

    /** Those that an order finds: Weir forgets the node of a pilot that is lost or has ended, unless it is kept out by order. */
    private List<String> ofNode() throws IOException {
        ArrayNode all = Pages.read(changing.gateway(), "pilot", Map.of("host", host), Integer.MAX_VALUE)
                .data();
        List<String> found = new ArrayList<>();
        for (JsonNode pilot : all) {
            if (pilot.has("kept_out") || !GONE.contains(Shown.text(pilot, "state"))) {
                found.add(Shown.text(pilot, "pilot_id"));
            }
        }
        if (found.isEmpty()) {
            throw new IOException("no pilot is heard on node " + host + "; ./weir pilots shows the nodes");
        }
        int leftOut = all.size() - found.size();
        if (leftOut > 0) {
            spec.commandLine()
                    .getErr()
                    .println("left out, because they are lost or have ended: " + leftOut + " of " + all.size()
                            + " pilots of node " + host);
        }
        return found;
    }
}
