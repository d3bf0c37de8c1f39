package dev.weir.cli.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./weir limits set}. */
@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Sets the limits of a group in place of those that it has, or lifts them.",
            "",
            "A group of a host, network or pattern needs a rule in Weir's settings; docs/OPERATIONS.md explains groups."
        },
        footer = {
            "",
            "Example: ./weir limits set host:store7 --max-in-flight 20",
            "         ./weir limits set host:store7 --max-starts 100 --window 60",
            "         ./weir limits set host:store7 --lift"
        })
final class LimitSetCommand implements Callable<Integer> {

    @Mixin
    private Changing changing;

    @Parameters(paramLabel = "GROUP", description = "Name of the group, as in host:store7.")
    private String group;

    @Option(names = "--max-in-flight", paramLabel = "N", description = "Most jobs of the group that are out at once.")
    private Integer maxInFlight;

    @Option(names = "--max-starts", paramLabel = "N", description = "Most starts within the window.")
    private Integer maxStarts;

    @Option(names = "--window", paramLabel = "SECONDS", description = "The window of --max-starts.")
    private Integer window;

    @Option(names = "--lift", description = "Take all limits of the group away.")
    private boolean lift;

    @Override
    public Integer call() throws IOException {
        ObjectNode body = GatewayClient.JSON.createObjectNode().put("group", group);
        put(body, "max_in_flight", maxInFlight);
        put(body, "max_starts", maxStarts);
        put(body, "window_s", window);
        if (lift) {
            body.put("lift", true);
        }
        changing.send("group " + group, "PUT", "limit", body);
        return changing.end();
    }

    private static void put(ObjectNode body, String field, Integer value) {
        if (value != null) {
            body.put(field, value);
        }
    }
}
