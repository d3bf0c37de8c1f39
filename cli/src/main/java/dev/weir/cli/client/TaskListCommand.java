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

/** {@code ./weir task list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Lists tasks, the newest first, with the part of their files that has ended, and why nothing more of them starts.")
final class TaskListCommand implements Callable<Integer> {

    @Mixin
    private Listing listing;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only open, accepted, rejected, active, paused, cancelled, closed or failed tasks.")
    private String state;

    @Option(names = "--owner", paramLabel = "OWNER", description = "Only tasks of this owner.")
    private String owner;

    @Option(names = "--pool", paramLabel = "POOL", description = "Only tasks of this pool.")
    private String pool;

    @Option(names = "--search", paramLabel = "TEXT", description = "Only tasks whose uid begins with this.")
    private String search;

    @Override
    public Integer call() throws IOException {
        Map<String, Object> filters = new HashMap<>();
        filters.put("state", state);
        filters.put("owner", owner);
        filters.put("pool", pool);
        filters.put("search", search);
        return listing.show(
                "task",
                filters,
                () -> new Table("task", "state", "pool", "#rank", "#files", "ended", "#out", "#failed", "owner", "why"),
                TaskListCommand::row,
                "No task matches.");
    }

    private static String[] row(JsonNode task) {
        JsonNode counts = task.path("counts");
        return new String[] {
            Shown.text(task, "uid"),
            Shown.text(task, "state"),
            Shown.text(task, "pool"),
            Shown.number(task.path("rank").asDouble()),
            Shown.text(counts, "total"),
            Shown.progress(counts),
            String.valueOf(Shown.out(counts)),
            Shown.text(counts, "failed"),
            Shown.text(task, "owner"),
            why(task)
        };
    }

    /** What its jobs fail of says more than that it waits. */
    private static String why(JsonNode task) {
        String reason = task.path("reason").asText();
        return reason.isEmpty() ? task.path("why_text").asText() : reason;
    }
}
