package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
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
import picocli.CommandLine.Parameters;

/** {@code ./weir job show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Shows a job: its newest attempt, where that ran, how it ended, and the attempts that failed.")
final class JobShowCommand implements Callable<Integer> {

    @Mixin
    private Asking asking;

    @Parameters(paramLabel = "JOB", description = "Uid of the job.")
    private String job;

    @Option(names = "--watch", description = "Show it again every two seconds, until Ctrl-C.")
    private boolean watch;

    @Override
    public Integer call() throws IOException {
        GatewayClient gateway = asking.gateway();
        asking.show(width -> lines(gateway.get("job/" + GatewayClient.part(job), Map.of()), width), watch);
        return 0;
    }

    private List<String> lines(JsonNode shown, int width) {
        if (asking.json()) {
            return List.of(shown.toString());
        }
        Instant now = Instant.now();
        String error = shown.path("error_type").asText() + " "
                + shown.path("error_message").asText();
        List<String> lines = new ArrayList<>(new Fields()
                .add("job", Shown.text(shown, "uid"))
                .add("task", Shown.text(shown, "task_uid") + ", position " + Shown.text(shown, "position"))
                .add("status", Shown.text(shown, "status"))
                .add(
                        "attempt",
                        Shown.text(shown, "attempt") + ", after " + Shown.text(shown, "retries")
                                + " failures of the program and " + Shown.text(shown, "system_retries")
                                + " of the system")
                .add("error", error.strip())
                .add("exit code", shown.path("exit_code").asText())
                .add("pool", shown.path("pool").asText())
                .add("pilot", shown.path("pilot_id").asText())
                .add("reads", shown.path("file_in_url").asText())
                .add("writes", shown.path("file_out_url").asText())
                .add("log", shown.path("file_log_url").asText())
                .add("queued", Shown.ago(shown, "queued_at", now) + whenAgain(shown))
                .add("started", Shown.ago(shown, "started_at", now))
                .add("ended", Shown.ago(shown, "ended_at", now))
                .lines());
        if (shown.path("attempts").size() > 0) {
            lines.add("");
            lines.addAll(attempts(shown.path("attempts"), now).lines(width));
        }
        return lines;
    }

    private static String whenAgain(JsonNode job) {
        return job.path("status").asText().equals("Queued")
                ? "; if its message seems lost, Weir sends it again, first after weir.scheduling.queued-timeout"
                : "";
    }

    private static Table attempts(JsonNode ended, Instant now) {
        Table table = new Table("#attempt", "status", "pilot", "started", "ended", "#exit", "error");
        for (JsonNode attempt : ended) {
            String error = attempt.path("error_type").asText() + " "
                    + attempt.path("error_message").asText();
            table.row(
                    Shown.text(attempt, "attempt"),
                    Shown.text(attempt, "status"),
                    attempt.path("pilot_id").asText(),
                    Shown.ago(attempt, "started_at", now),
                    Shown.ago(attempt, "ended_at", now),
                    attempt.path("exit_code").asText(),
                    error.strip());
        }
        return table;
    }
}
