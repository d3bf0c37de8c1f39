package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
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
        description = "Shows a job: its newest attempt, where that ran, and how it ended.")
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
        asking.show(width -> lines(gateway.get("job/" + GatewayClient.part(job), Map.of())), watch);
        return 0;
    }

    private List<String> lines(JsonNode shown) {
        if (asking.json()) {
            return List.of(shown.toString());
        }
        Instant now = Instant.now();
        String error = shown.path("error_type").asText() + " "
                + shown.path("error_message").asText();
        return new Fields()
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
                .add("queued", Shown.ago(shown, "queued_at", now))
                .add("started", Shown.ago(shown, "started_at", now))
                .add("ended", Shown.ago(shown, "ended_at", now))
                .lines();
    }
}
