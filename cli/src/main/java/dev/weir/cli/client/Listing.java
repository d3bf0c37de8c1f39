package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.console.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that lists what the gateway gives in pages, and how the list is shown. */
final class Listing {

    @Mixin
    private Asking asking = new Asking();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Most entries to list. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = "--watch", description = "Show it again every two seconds, until Ctrl-C.")
    private boolean watch;

    /**
     * Shows a list, once or again and again.
     *
     * @param filters names and values of query parameters; those without a value are left out
     * @param table a new one with its heads, for each look
     * @param row the cells of an entry
     * @param none what is said when nothing matches
     * @return the exit code
     */
    int show(String path, Map<String, ?> filters, Supplier<Table> table, Function<JsonNode, String[]> row, String none)
            throws IOException {
        GatewayClient gateway = asking.gateway();
        asking.show(
                width -> {
                    Pages pages = Pages.read(gateway, path, filters, limit);
                    return asking.json() ? List.of(pages.json()) : lines(pages, table.get(), row, none, width);
                },
                watch);
        return 0;
    }

    private static List<String> lines(
            Pages pages, Table table, Function<JsonNode, String[]> row, String none, int width) {
        pages.data().forEach(entry -> table.row(row.apply(entry)));
        List<String> lines = new ArrayList<>(pages.data().isEmpty() ? List.of(none) : table.lines(width));
        if (pages.more()) {
            lines.add("There are more; --limit shows them.");
        }
        return lines;
    }
}
