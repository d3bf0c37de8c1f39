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

/** {@code ./weir task show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Shows a task: its state, its files by state, and why nothing more of it starts.")
final class TaskShowCommand implements Callable<Integer> {

    @Mixin
    private Asking asking;

    @Parameters(paramLabel = "TASK", description = "Uid of the task.")
    private String task;

    @Option(names = "--watch", description = "Show it again every two seconds, until Ctrl-C.")
    private boolean watch;

    @Override
    public Integer call() throws IOException {
        GatewayClient gateway = asking.gateway();
        asking.show(width -> lines(gateway.get("task/" + GatewayClient.part(task), Map.of())), watch);
        return 0;
    }

    private List<String> lines(JsonNode shown) {
        if (asking.json()) {
            return List.of(shown.toString());
        }
        JsonNode counts = shown.path("counts");
        Instant now = Instant.now();
        return new Fields()
                .add("task", Shown.text(shown, "uid"))
                .add("state", Shown.text(shown, "state"))
                .add("why", shown.path("why_text").asText())
                .add("reason", shown.path("reason").asText())
                .add("ended", Shown.progress(counts))
                .add(
                        "files",
                        Shown.text(counts, "total") + " in all: " + Shown.text(counts, "waiting") + " waiting, "
                                + Shown.out(counts) + " out, " + Shown.text(counts, "cooling") + " cooling, "
                                + Shown.text(counts, "finished") + " finished, " + Shown.text(counts, "failed")
                                + " failed, " + Shown.text(counts, "killed") + " killed, "
                                + Shown.text(counts, "cancelled") + " cancelled")
                .add(
                        "retries",
                        Shown.text(counts, "retries") + " after failures of the program, "
                                + Shown.text(counts, "system_retries") + " of the system")
                .add(
                        "rank",
                        Shown.number(shown.path("rank").asDouble()) + " now, "
                                + Shown.number(shown.path("base_rank").asDouble()) + " given, weight "
                                + Shown.text(shown, "weight"))
                .add("pool", shown.path("pool").asText())
                .add("owner", shown.path("owner").asText())
                .add(
                        "program",
                        (Shown.text(shown, "executable") + " "
                                        + shown.path("args").asText())
                                .strip())
                .add("reads", Shown.text(shown, "dat_in_uid") + " at " + Shown.text(shown, "dat_stor_url"))
                .add("writes", Shown.text(shown, "dat_out_uid") + " at " + Shown.text(shown, "dat_out_url"))
                .add("accepted", Shown.ago(shown, "accepted_at", now))
                .add("closed", Shown.ago(shown, "closed_at", now))
                .lines();
    }
}
