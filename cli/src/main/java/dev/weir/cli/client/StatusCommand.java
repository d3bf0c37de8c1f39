package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.console.Printable;
import dev.weir.cli.console.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./weir status}. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Shows on one screen what is wrong, what runs in each pool, and what waits and why, as the dashboard does.",
            "",
            "The exit code is 1 if something is wrong, also if the gateway does not answer. Notes, such as a paused task, are not wrong."
        })
public final class StatusCommand implements Callable<Integer> {

    @Mixin
    private Asking asking;

    @Option(names = "--watch", description = "Show it again every two seconds, until Ctrl-C.")
    private boolean watch;

    private boolean wrong;

    @Override
    public Integer call() throws IOException {
        GatewayClient gateway = asking.gateway();
        asking.show(width -> lines(gateway.get("overview", Map.of()), width), watch);
        return wrong ? 1 : 0;
    }

    private List<String> lines(JsonNode overview, int width) {
        wrong = false;
        List<String> lines = new ArrayList<>();
        for (JsonNode problem : overview.path("problems")) {
            boolean error = problem.path("severity").asText().equals("error");
            wrong |= error;
            lines.add(Printable.line((error ? "WRONG  " : "note   ")
                    + problem.path("text").asText().replaceAll("[.]$", "") + ". "
                    + problem.path("advice").asText()));
        }
        if (asking.json()) {
            return List.of(overview.toString());
        }
        if (lines.isEmpty()) {
            lines.add("Nothing is wrong.");
        }
        lines.add("Last news from Weir: " + Shown.ago(overview, "newest_row_at", Instant.now()));
        lines.add("");
        lines.addAll(PoolsCommand.table(overview.path("pools"), width));
        if (!overview.path("waiting").isEmpty()) {
            lines.add("");
            lines.addAll(waiting(overview.path("waiting")).lines(width));
        }
        return lines;
    }

    private static Table waiting(JsonNode reasons) {
        Table table = new Table("waits for", "pool", "#tasks", "#jobs", "for example");
        for (JsonNode reason : reasons) {
            table.row(
                    Shown.text(reason, "why"),
                    Shown.text(reason, "pool"),
                    Shown.text(reason, "tasks"),
                    Shown.text(reason, "jobs"),
                    Shown.text(reason, "uid") + ": " + Shown.text(reason, "text"));
        }
        return table;
    }
}
