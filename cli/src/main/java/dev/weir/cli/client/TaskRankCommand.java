package dev.weir.cli.client;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ./weir task rank}. */
@Command(
        name = "rank",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Sets the base rank of a task. A task of twice the rank gets twice the jobs; above 100 all weigh the same.")
final class TaskRankCommand implements Callable<Integer> {

    @Mixin
    private Changing changing;

    @Parameters(index = "0", paramLabel = "TASK", description = "Uid of the task.")
    private String task;

    @Parameters(index = "1", paramLabel = "RANK", description = "0 to 1000.")
    private double rank;

    @Override
    public Integer call() throws IOException {
        changing.send(
                "task " + task,
                "PUT",
                "task/" + GatewayClient.part(task) + "/rank",
                GatewayClient.JSON.createObjectNode().put("rank", rank));
        return changing.end();
    }
}
