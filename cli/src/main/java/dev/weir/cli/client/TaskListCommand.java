package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
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

/** {@code ./weir task list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Lists tasks, the newest first, with the part of their files that has ended, and why nothing more of them starts.")
final class TaskListCommand implements Callable<Integer> {

    @Mixin
    private Asking asking;

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

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Most tasks to list. Default: ${DEFAULT-VALUE}.")
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
        filters.put("state", state);
        filters.put("owner", owner);
        filters.put("pool", pool);
        filters.put("search", search);
        Pages tasks = Pages.read(gateway, "task", filters, limit);
        if (asking.json()) {
            return List.of(tasks.json());
        }
        return text(tasks.data(), tasks.more(), width);
    }

    private static List<String> text(ArrayNode tasks, boolean more, int width) {
        Table table = new Table("task", "state", "pool", "#rank", "#files", "ended", "#out", "#failed", "owner", "why");
        for (JsonNode task : tasks) {
            JsonNode counts = task.path("counts");
            table.row(
                    Shown.text(task, "uid"),
                    Shown.text(task, "state"),
                    Shown.text(task, "pool"),
                    Shown.number(task.path("rank").asDouble()),
                    Shown.text(counts, "total"),
                    Shown.progress(counts),
                    String.valueOf(Shown.out(counts)),
                    Shown.text(counts, "failed"),
                    Shown.text(task, "owner"),
                    why(task));
        }
        List<String> lines = new ArrayList<>(tasks.isEmpty() ? List.of("No task matches.") : table.lines(width));
        if (more) {
            lines.add("There are more; --limit shows them.");
        }
        return lines;
    }

    /** What its jobs fail of says more than that it waits. */
    private static String why(JsonNode task) {
        String reason = task.path("reason").asText();
        return reason.isEmpty() ? task.path("why_text").asText() : reason;
    }
}
