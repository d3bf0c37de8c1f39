package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.console.Table;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./weir limits}. */
@Command(
        name = "limits",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Lists the groups with a limit: how much of it is used, and how many files wait for it. The command below sets limits.",
            "",
            "Groups are there that have files or jobs, or a limit by command."
        },
        footer = {
            "",
            "Example: ./weir limits --waiting --watch",
            "         ./weir limits set host:store7 --max-in-flight 20"
        },
        subcommands = LimitSetCommand.class)
public final class LimitsCommand implements Callable<Integer> {

    @Mixin
    private Listing listing;

    @Option(names = "--search", paramLabel = "TEXT", description = "Only groups whose name begins with this.")
    private String search;

    @Option(names = "--waiting", description = "Only groups for which files wait.")
    private boolean waiting;

    @Override
    public Integer call() throws IOException {
        Map<String, Object> filters = new HashMap<>();
        filters.put("search", search);
        filters.put("waiting", waiting ? true : null);
        return listing.show(
                "limit",
                filters,
                () -> new Table("group", "#in flight", "#of", "#starts", "#of", "in", "#files waiting", "set by"),
                LimitsCommand::row,
                "No group with a limit matches.");
    }

    private static String[] row(JsonNode group) {
        boolean limitsStarts = group.has("max_starts");
        return new String[] {
            Shown.text(group, "group"),
            Shown.text(group, "in_flight"),
            Shown.text(group, "max_in_flight"),
            limitsStarts ? Shown.text(group, "starts") : "-",
            Shown.text(group, "max_starts"),
            limitsStarts ? Shown.number(group.path("window_s").asDouble()) + " s" : "-",
            Shown.text(group, "waiting"),
            Shown.text(group, "source")
        };
    }
}
