package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.console.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
    private Asking asking;

    @Option(names = "--search", paramLabel = "TEXT", description = "Only groups whose name begins with this.")
    private String search;

    @Option(names = "--waiting", description = "Only groups for which files wait.")
    private boolean waiting;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Most groups to list. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = "--watch", description = "Show it again every two seconds, until Ctrl-C.")
    private boolean watch;

    @Override
    public Integer call() throws IOException {
        GatewayClient gateway = asking.gateway();
        asking.show(width -> lines(gateway, width), watch);
        return 0;
    }

    private List<String> lines(GatewayClient gateway, int width) throws IOException {
        Map<String, Object> filters = new HashMap<>();
        filters.put("search", search);
        filters.put("waiting", waiting ? true : null);
        Pages groups = Pages.read(gateway, "limit", filters, limit);
        if (asking.json()) {
            return List.of(groups.json());
        }
        Table table = new Table("group", "#in flight", "#of", "#starts", "#of", "in", "#files waiting", "set by");
        for (JsonNode group : groups.data()) {
            boolean limitsStarts = group.has("max_starts");
            table.row(
                    Shown.text(group, "group"),
                    Shown.text(group, "in_flight"),
                    Shown.text(group, "max_in_flight"),
                    limitsStarts ? Shown.text(group, "starts") : "-",
                    Shown.text(group, "max_starts"),
                    limitsStarts ? Shown.number(group.path("window_s").asDouble()) + " s" : "-",
                    Shown.text(group, "waiting"),
                    Shown.text(group, "source"));
        }
        List<String> lines = new ArrayList<>(
                groups.data().isEmpty() ? List.of("No group with a limit matches.") : table.lines(width));
        if (groups.more()) {
            lines.add("There are more; --limit shows them.");
        }
        return lines;
    }
}
