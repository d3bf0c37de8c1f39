package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.console.Printable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./weir task why}. */
@Command(
        name = "why",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Says why nothing more of a task starts now.")
final class TaskWhyCommand implements Callable<Integer> {

    @Mixin
    private Asking asking;

    @Parameters(paramLabel = "TASK", description = "Uid of the task.")
    private String task;

    @Option(names = "--watch", description = "Show it again every two seconds, until Ctrl-C.")
    private boolean watch;

    @Override
    public Integer call() throws IOException {
        GatewayClient gateway = asking.gateway();
        asking.show(
                width -> {
                    JsonNode why = gateway.get("task/" + GatewayClient.part(task) + "/why", Map.of());
                    return List.of(
                            asking.json()
                                    ? why.toString()
                                    : Printable.line(Shown.text(why, "state") + ": " + Shown.text(why, "text")));
                },
                watch);
        return 0;
    }
}
