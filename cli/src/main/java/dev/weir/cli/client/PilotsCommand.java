package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.console.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./weir pilots}. */
@Command(
        name = "pilots",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Lists the pilots with what they do; the commands below steer them.",
        footer = {
            "",
            "Example: ./weir pilots --state lost",
            "         ./weir pilots drain node7-1 node7-2",
            "         ./weir pilots exclude --host node7"
        },
        subcommands = {PilotsCommand.Drain.class, PilotsCommand.Exclude.class, PilotsCommand.Include.class})
public final class PilotsCommand implements Callable<Integer> {

    @Mixin
    private Listing listing;

    @Option(names = "--pool", paramLabel = "POOL", description = "Only pilots of this pool.")
    private String pool;

    @Option(names = "--state", paramLabel = "STATE", description = "Only idle, busy, draining, lost or ended pilots.")
    private String state;

    @Option(names = "--host", paramLabel = "HOST", description = "Only pilots on this node.")
    private String host;

    @Option(names = "--search", paramLabel = "TEXT", description = "Only pilots whose id begins with this.")
    private String search;

    @Override
    public Integer call() throws IOException {
        Map<String, Object> filters = new HashMap<>();
        filters.put("pool", pool);
        filters.put("state", state);
        filters.put("host", host);
        filters.put("search", search);
        return listing.show(
                "pilot",
                filters,
                () -> new Table("pilot", "pool", "state", "heard", "host", "#finished", "#failed", "job"),
                PilotsCommand::row,
                "No pilot matches.");
    }

    private static String[] row(JsonNode pilot) {
        return new String[] {
            Shown.text(pilot, "pilot_id"),
            Shown.text(pilot, "pool"),
            state(pilot),
            Shown.ago(pilot, "last_seen_at", Instant.now()),
            Shown.text(pilot, "host"),
            Shown.text(pilot, "finished"),
            Shown.text(pilot, "failed"),
            Shown.text(pilot, "job_uid")
        };
    }

    private static String state(JsonNode pilot) {
        String state =
                pilot.has("set_aside_until") ? "set aside" : pilot.path("state").asText("not heard");
        return pilot.has("kept_out") ? pilot.path("kept_out").asText() + ", " + state : state;
    }

    /** {@code ./weir pilots drain}. */
    @Command(
            name = "drain",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Lets the pilots finish their jobs and take no others.")
    static final class Drain extends PilotAction {
        Drain() {
            super("drained");
        }
    }

    /** {@code ./weir pilots exclude}. */
    @Command(
            name = "exclude",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Takes the pilots' jobs away, and gives them no others.")
    static final class Exclude extends PilotAction {
        Exclude() {
            super("excluded");
        }
    }

    /** {@code ./weir pilots include}. */
    @Command(
            name = "include",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Gives the pilots jobs again.")
    static final class Include extends PilotAction {
        Include() {
            super(INCLUDED);
        }
    }
}
