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
    private Listing listing;

    @Parameters(paramLabel = "TASK", description = "Uid of the task.")
    private String task;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description = "Only Queued, Cooling, Starting, Running, Finished, Failed, Killed or Cancelled jobs.")
    private String status;

    @Option(
            names = "--search",
            paramLabel = "TEXT",
            description = "Only those with this text in the path of their input.")
    private String search;

    @Override
    public Integer call() throws IOException {
        Map<String, Object> filters = new HashMap<>();
        filters.put("status", status);
        filters.put("search", search);
        return listing.show(
                "task/" + GatewayClient.part(task) + "/job",
                filters,
                () -> new Table("#position", "job", "status", "#attempt", "pilot", "file", "error"),
                JobListCommand::row,
                "No job matches.");
    }

    private static String[] row(JsonNode job) {
        return new String[] {
            Shown.text(job, "position"),
            Shown.text(job, "uid"),
            Shown.text(job, "status"),
            Shown.text(job, "attempt"),
            Shown.text(job, "pilot_id"),
            Shown.fileName(job.path("file_in_url").asText()),
            job.path("error_message").asText()
        };
    }
}
