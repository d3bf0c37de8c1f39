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
import picocli.CommandLine.Parameters;

/** {@code ./weir job list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Lists the jobs of a task in the order of their positions. Files that were never sent to a pilot are not listed.")
final class JobListCommand implements Callable<Integer> {

    @Mixin
    private Asking asking;

    @Parameters(paramLabel = "TASK", description = "Uid of the task.")
    private String task;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description =
                    "Only Waiting, Queued, Cooling, Starting, Running, Finished, Failed, Killed or Cancelled jobs.")
    private String status;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Most jobs to list. Default: ${DEFAULT-VALUE}.")
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
        filters.put("status", status);
        Pages jobs = Pages.read(gateway, "task/" + GatewayClient.part(task) + "/job", filters, limit);
        if (asking.json()) {
            return List.of(jobs.json());
        }
        Table table = new Table("#position", "job", "status", "#attempt", "pilot", "file", "error");
        for (JsonNode job : jobs.data()) {
            table.row(
                    Shown.text(job, "position"),
                    Shown.text(job, "uid"),
                    Shown.text(job, "status"),
                    Shown.text(job, "attempt"),
                    Shown.text(job, "pilot_id"),
                    Shown.fileName(job.path("file_in_url").asText()),
                    job.path("error_message").asText());
        }
        List<String> lines = new ArrayList<>(jobs.data().isEmpty() ? List.of("No job matches.") : table.lines(width));
        if (jobs.more()) {
            lines.add("There are more; --limit shows them.");
        }
        return lines;
    }
}
